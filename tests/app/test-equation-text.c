/* SPDX-License-Identifier: MIT */

/* A text put into a buffer touches only the lines that differ. */

#include <string.h>

#include "app/equations/equation-text.h"

static GtkTextBuffer *
buffer_with (const char *text)
{
  GtkTextBuffer *buffer = gtk_text_buffer_new (NULL);

  gtk_text_buffer_set_text (buffer, text, -1);
  return buffer;
}

static char *
text_of (GtkTextBuffer *buffer)
{
  char *text = NULL;

  g_object_get (buffer, "text", &text, NULL);
  return text;
}

/* The number of turns it takes. */
static guint
fill (GtkTextBuffer *buffer, const char *text)
{
  g_autofree char *shown = text_of (buffer), *after = NULL;
  HeddleTextFilling *filling = heddle_text_filling_new (buffer, shown, g_strdup (text));
  guint n = 1;

  while (heddle_text_filling_step (filling))
    n++;
  heddle_text_filling_free (filling);
  after = text_of (buffer);
  g_assert_cmpstr (after, ==, text);
  return n;
}

static void
test_compare (void)
{
  static const struct
  {
    const char *older, *newer;
    gsize start, removed, added;
  } cases[] = {
    { "", "", 0, 0, 0 }, { "a\nb\n", "a\nb\n", 4, 0, 0 }, { "", "a\nb", 0, 0, 3 }, { "a\nb", "", 0, 3, 0 },
    { "ab\ncd\nef\n", "ab\nxd\nef\n", 3, 3, 3 }, /* the whole line, though it ends alike */
    { "ab\nef\n", "ab\ncd\nef\n", 3, 0, 3 }, { "ab\ncd\nef\n", "ab\nef\n", 3, 3, 0 },
    { "ab\nab\n", "ab\nab\nab\n", 6, 0, 3 }, /* no line counts for head and tail at once */
    { "ab\nab\nab\n", "ab\nab\n", 6, 3, 0 }, { "ab", "ab\ncd", 0, 2, 5 }, /* the last line has no end */
    { "x\nab", "y\nab", 0, 2, 2 },
    { "\303\251a\nb", "\303\250a\nb", 0, 4, 4 }, /* é and è begin with the same byte */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const HeddleTextDifference found = heddle_text_compare (cases[i].older, cases[i].newer);

      g_assert_cmpuint (found.start, ==, cases[i].start);
      g_assert_cmpuint (found.removed, ==, cases[i].removed);
      g_assert_cmpuint (found.added, ==, cases[i].added);
    }
}

static char *
random_text (guint most)
{
  static const char *const lines[] = { "A[i] = relu(B[i])", "\316\261 = \316\262", "", "x", "y" };
  GString *text = g_string_new (NULL);
  const guint n = (guint) g_test_rand_int_range (0, (gint32) most);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? "\n" : "", lines[g_test_rand_int_range (0, G_N_ELEMENTS (lines))]);
  return g_string_free (text, FALSE);
}

static void
test_random (void)
{
  GtkTextBuffer *buffer = buffer_with ("");

  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *text = random_text (8);

      fill (buffer, text);
    }
  g_object_unref (buffer);
}

static void
on_inserted (GtkTextBuffer *buffer, GtkTextIter *at, const char *text, int length, gpointer n)
{
  *(int *) n += length;
}

static char *
many_lines (guint n, guint odd, const char *other)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    if (i == odd)
      g_string_append (text, other);
    else
      g_string_append_printf (text, "\316\261_{%u} = relu(\316\261_{%u})\n", i, i / 2);
  return g_string_free (text, FALSE);
}

/* Of many lines one changes: so much goes in, and the cursor stays with its text. */
static void
test_one_line (void)
{
  g_autofree char *before = many_lines (5000, 2000, "old\n"),
                  *after = many_lines (5000, 2000, "new\nlines\n");
  GtkTextBuffer *buffer = buffer_with (before);
  GtkTextIter at;
  int n = 0;

  gtk_text_buffer_get_iter_at_line_offset (buffer, &at, 3000, 4);
  gtk_text_buffer_place_cursor (buffer, &at);
  g_signal_connect (buffer, "insert-text", G_CALLBACK (on_inserted), &n);
  g_assert_cmpuint (fill (buffer, after), <=, 2);
  g_assert_cmpint (n, ==, strlen ("new\nlines\n"));
  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  g_assert_cmpint (gtk_text_iter_get_line (&at), ==, 3001);
  g_assert_cmpint (gtk_text_iter_get_line_offset (&at), ==, 4);
  g_object_unref (buffer);
}

/* A cursor whose line is replaced stays on the line and column, as far as they are there. */
static void
test_cursor (void)
{
  GtkTextBuffer *buffer = buffer_with ("one\ntwo longer\nthree");
  GtkTextIter at, bound;

  gtk_text_buffer_get_iter_at_line_offset (buffer, &at, 1, 9);
  gtk_text_buffer_get_iter_at_line_offset (buffer, &bound, 0, 2);
  gtk_text_buffer_select_range (buffer, &at, &bound);
  fill (buffer, "one\nzwei\nthree");
  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  g_assert_cmpint (gtk_text_iter_get_line (&at), ==, 1);
  g_assert_cmpint (gtk_text_iter_get_line_offset (&at), ==, 4);
  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_selection_bound (buffer));
  g_assert_cmpint (gtk_text_iter_get_offset (&at), ==, 2);
  g_object_unref (buffer);
}

/* Much goes in and out in pieces, none of which breaks a character. */
static void
test_pieces (void)
{
  g_autofree char *before = many_lines (5000, G_MAXUINT, ""), *after = many_lines (4000, 0, "x");
  GtkTextBuffer *buffer = buffer_with (before);
  HeddleTextFilling *filling = heddle_text_filling_new (buffer, before, g_strdup (after));

  g_assert_true (heddle_text_filling_is_long (filling));
  g_assert_true (heddle_text_filling_step (filling));
  heddle_text_filling_free (filling); /* left off in the midst */
  g_assert_cmpuint (fill (buffer, after), >, strlen (after) / 16384);
  g_object_unref (buffer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equation-text/compare", test_compare);
  g_test_add_func ("/equation-text/random", test_random);
  g_test_add_func ("/equation-text/one-line", test_one_line);
  g_test_add_func ("/equation-text/cursor", test_cursor);
  g_test_add_func ("/equation-text/pieces", test_pieces);
  return g_test_run ();
}
