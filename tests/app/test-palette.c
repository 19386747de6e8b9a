/* SPDX-License-Identifier: MIT */

/* What is found in the palette for what a person types. */

#include "app/edits/palette-entry.h"

/* The best for @query; %NULL: nothing is found. */
static const char *
find (const char *query)
{
  const HeddlePaletteEntry *best = NULL;
  guint n, most = 0;
  const HeddlePaletteEntry *entries = heddle_palette_entries (&n);

  for (guint i = 0; i < n; i++)
    {
      guint score = heddle_palette_entry_match (&entries[i], query);

      if (score > most)
        {
          most = score;
          best = &entries[i];
        }
    }
  return best != NULL ? best->title : NULL;
}

static void
test_best (void)
{
  g_assert_cmpstr (find ("softmax"), ==, "Softmax");
  g_assert_cmpstr (find ("SoftM"), ==, "Softmax");
  g_assert_cmpstr (find ("swish"), ==, "SiLU");
  g_assert_cmpstr (find ("residual"), ==, "Add two arrays");
  g_assert_null (find ("zebra"));
}

/* Words may come in any order, and not all of each is needed; but each is. */
static void
test_words (void)
{
  g_assert_cmpstr (find ("root scale"), ==, "Scale by root of size");
  g_assert_cmpstr (find ("mask causal"), ==, "Causal mask");
  g_assert_cmpstr (find ("dense lin"), ==, "Linear layer");
  g_assert_null (find ("causal zebra"));
  g_assert_null (find ("$0 * 2"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/best", test_best);
  g_test_add_func ("/palette/words", test_words);
  return g_test_run ();
}
