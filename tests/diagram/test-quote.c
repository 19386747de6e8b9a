/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "diagram/base/quote-tex.h"
#include "diagram/base/quote.h"

/* Every character there is, and bytes that are none, go through each language, and are read there by what does
 * not share our code: g_strcompress () reads C, GMarkup reads XML and HTML. */

typedef void (*Use) (const char *text, gunichar c);

/* Calls @use with "a", the character and "b", for each character that UTF-8 can hold but the first. */
static void
each_character (Use use)
{
  for (gunichar c = 1; c < 0x110000; c++)
    if (g_unichar_validate (c))
      {
        char text[9] = "a";
        int length = g_unichar_to_utf8 (c, text + 1);

        strcpy (text + 1 + length, "b");
        use (text, c);
      }
}

/* Returns whether nothing in @text ends a line for a language, or turns the direction of what follows. */
static gboolean
is_one_line (const char *text)
{
  static const gunichar unfit[] = { 0x85, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c,
    0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x7f };

  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      if (g_utf8_get_char (p) < 0x20)
        return FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (unfit); i++)
        if (g_utf8_get_char (p) == unfit[i])
          return FALSE;
    }
  return TRUE;
}

/* --- comments ----------------------------------------------------------------------- */

static void
comment_character (const char *text, gunichar c)
{
  g_autofree char *comment = heddle_quote_comment (text);

  g_assert_true (is_one_line (comment));
  g_assert_true (g_str_has_prefix (comment, "a") && g_str_has_suffix (comment, "b"));
}

/* A comment stays one line, and is read in the order that it stands in. */
static void
test_comments (void)
{
  static const struct
  {
    const char *text, *comment;
  } rows[] = { { "a\nint b;", "a int b;" }, { "a\\", "a\\." }, { "a\\ \n", "a\\." }, { "a\?\?/", "a\?\?/." },
    { "ξ ← λ", "ξ ← λ" }, { "a\xe2\x80\xae b", "a  b" }, { "\xe2\x81\xa6x", " x" },
    { "a\xe2\x80\xa8 b\xc2\x85 c", "a  b  c" }, { "a\xff\nb", "a\xef\xbf\xbd b" },
    { "a\xe2", "a\xef\xbf\xbd" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *comment = heddle_quote_comment (rows[i].text);

      g_assert_cmpstr (comment, ==, rows[i].comment);
    }
  each_character (comment_character);
}

/* PTX is ASCII: what listings have is spelt, and nothing is lost. */
static void
test_ascii (void)
{
  static const struct
  {
    const char *text, *ascii;
  } rows[] = { { "a + b", "a + b" }, { "x₁₂ ← A′", "x_1_2 <- A'" }, { "2 × ξ", "2 x \\u03be" },
    { "𝒜\n→", "\\U0001d49c\n->" }, { "a\xe2", "a\\ufffd" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *ascii = heddle_quote_ascii (rows[i].text);

      g_assert_cmpstr (ascii, ==, rows[i].ascii);
    }
}

/* --- strings ------------------------------------------------------------------------ */

/* Returns whether a quotation mark in @text, or its end, is without its backslash. */
static gboolean
ends_early (const char *text)
{
  for (; *text != '\0'; text++)
    if (*text == '"' || (*text == '\\' && *++text == '\0'))
      return TRUE;
  return FALSE;
}

static void
c_character (const char *text, gunichar c)
{
  g_autofree char *quoted = heddle_quote_c (text, ";"), *read = g_strcompress (quoted);

  g_assert_true (is_one_line (quoted));
  g_assert_false (ends_early (quoted));
  g_assert_null (strchr (quoted, ';'));
  g_assert_cmpstr (read, ==, text);
}

static void
test_c (void)
{
  static const char *const texts[] = { "", "\\", "\"); system (\"x\"); //", "a;b",
    "\a\b\f\n\r\t\v\x01"
    "1",
    "a\xff\xe2", "\xc2",
    "7\x7f"
    "7" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *quoted = heddle_quote_c (texts[i], ";"), *read = g_strcompress (quoted);

      g_assert_true (is_one_line (quoted));
      g_assert_false (ends_early (quoted));
      g_assert_cmpstr (read, ==, texts[i]);
    }
  each_character (c_character);
}

static void
python_character (const char *text, gunichar c)
{
  g_autofree char *quoted = heddle_quote_python (text), *inside = g_strndup (quoted + 1, strlen (quoted) - 2);

  g_assert_true (quoted[0] == '"' && g_str_has_suffix (quoted, "\""));
  g_assert_true (is_one_line (inside));
  g_assert_false (ends_early (inside));
}

static void
test_python (void)
{
  g_autofree char *quoted = heddle_quote_python ("a\\\"\"\"\n__import__ ('os')\xff\\");

  g_assert_cmpstr (quoted, ==, "\"a\\\\\\\"\\\"\\\" __import__ ('os')\xef\xbf\xbd\\\\\"");
  each_character (python_character);
}

/* --- pages -------------------------------------------------------------------------- */

typedef struct
{
  GString *text;
  char *attribute;
} Seen;

static void
see_element (GMarkupParseContext *context, const char *name, const char **names, const char **values,
    gpointer data, GError **error)
{
  ((Seen *) data)->attribute = g_strdup (values[0]);
}

static void
see_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  g_string_append_len (((Seen *) data)->text, text, length);
}

/* Reads @page, one element with an attribute and a text, and compares both with @expected. */
static void
assert_page_has (const char *page, const char *expected)
{
  static const GMarkupParser parser = { .start_element = see_element, .text = see_text };
  Seen seen = { .text = g_string_new (NULL) };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &seen, NULL);
  g_autoptr (GError) error = NULL;

  g_markup_parse_context_parse (context, page, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (seen.attribute, ==, expected);
  g_assert_cmpstr (seen.text->str, ==, expected);
  g_string_free (seen.text, TRUE);
  g_free (seen.attribute);
}

static void
assert_xml (const char *text, const char *expected)
{
  g_autofree char *inside = heddle_quote_xml (text, TRUE), *between = heddle_quote_xml (text, FALSE);
  g_autofree char *page = g_strdup_printf ("<t a=\"%s\">%s</t>", inside, between);

  g_assert_cmpint (strcspn (inside, "\n\t\r\""), ==, strlen (inside));
  g_assert_null (strchr (between, '\r'));
  assert_page_has (page, expected);
}

static void
xml_character (const char *text, gunichar c)
{
  gboolean is_kept = (c >= 0x20 && c != 0xfffe && c != 0xffff) || c == '\n' || c == '\t' || c == '\r';

  assert_xml (text, is_kept ? text
                            : "a\xef\xbf\xbd"
                              "b");
}

static void
test_xml (void)
{
  assert_xml ("</t><script>alert(1)</script>&#1;]]>'\"", "</t><script>alert(1)</script>&#1;]]>'\"");
  assert_xml ("a\xff", "a\xef\xbf\xbd");
  each_character (xml_character);
}

static char *html (const char *format, ...) G_GNUC_PRINTF (1, 2);

static char *
html (const char *format, ...)
{
  va_list arguments;
  char *text;

  va_start (arguments, format);
  text = heddle_quote_html (format, arguments);
  va_end (arguments);
  return text;
}

static void
html_character (const char *text, gunichar c)
{
  g_autofree char *page = html ("<t a=\"%s\">%s</t>", text, text);
  g_autofree char *expected = heddle_is_order (c) ? g_strdup_printf ("a\\u%04xb", c) : g_strdup (text);

  if (c != '\n' && c != '\t') /* they stay as they are, and GMarkup makes spaces of them */
    assert_page_has (page, expected);
}

static void
test_html (void)
{
  g_autofree char *page = html ("<t a=\"%s\">%s</t>", "&#x1b;<b>", "&#x1b;<b>");

  assert_page_has (page, "&#x1b;<b>");
  each_character (html_character);
}

static void
test_visible (void)
{
  g_autofree char *line = heddle_quote_visible ("a\x1b[31m\n\xe2\x80\xae\xff", FALSE);
  g_autofree char *lines = heddle_quote_visible ("a\r\n\tb", TRUE);

  g_assert_cmpstr (line, ==, "a\\u001b[31m\\u000a\\u202e\xef\xbf\xbd");
  g_assert_cmpstr (lines, ==, "a\\u000d\n\tb");
}

/* --- TeX ---------------------------------------------------------------------------- */

/* Returns whether @tex ends with as many groups and formulas as it began. */
static gboolean
is_closed (const char *tex)
{
  int depth = 0;
  gboolean is_formula = FALSE;

  for (const char *p = tex; *p != '\0' && depth >= 0; p++)
    if (*p == '\\')
      p++;
    else if (*p == '$')
      is_formula = !is_formula;
    else
      depth += (*p == '{') - (*p == '}');
  return depth == 0 && !is_formula;
}

static void
tex_character (const char *text, gunichar c)
{
  for (int mathematics = 0; mathematics < 2; mathematics++)
    {
      g_autoptr (GString) tex = g_string_new ("before");

      if (!heddle_quote_tex (tex, text, mathematics))
        {
          g_assert_cmpstr (tex->str, ==, "before");
          continue;
        }
      g_assert_true (g_str_is_ascii (tex->str));
      g_assert_true (is_closed (tex->str));
      g_assert_cmpint (strcspn (tex->str, "\n\r%#&"), ==,
          c == '%' || c == '#' || c == '&' ? strlen ("beforea\\") : tex->len);
      g_assert_null (strstr (tex->str, "^^"));
    }
}

static void
test_tex (void)
{
  g_autoptr (GString) tex = g_string_new (NULL);

  g_assert_true (heddle_quote_tex (tex, "\\input{a_b}^^41%", FALSE));
  g_assert_cmpstr (
      tex->str, ==, "\\textbackslash{}input\\{a\\_b\\}\\textasciicircum{}\\textasciicircum{}41\\%");
  g_assert_false (heddle_quote_tex (tex, "a\xff", FALSE));
  g_assert_false (heddle_quote_tex (tex, "a\n", FALSE));
  each_character (tex_character);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quote/comments", test_comments);
  g_test_add_func ("/quote/ascii", test_ascii);
  g_test_add_func ("/quote/c", test_c);
  g_test_add_func ("/quote/python", test_python);
  g_test_add_func ("/quote/xml", test_xml);
  g_test_add_func ("/quote/html", test_html);
  g_test_add_func ("/quote/visible", test_visible);
  g_test_add_func ("/quote/tex", test_tex);
  return g_test_run ();
}
