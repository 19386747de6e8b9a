/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/verification-words.h"

/* These are the parts of such a line; what a part leaves open, sizes and errors, stays between them. */
static const char *const parts[] = {
  N_ ("verified on the CPU, PTX interpreted: "),
  N_ ("each kernel on its own, on random values"),
  N_ ("NOT VERIFIED: "),
  N_ ("no CUDA compiler here"),
  N_ ("verification was switched off"),
  N_ ("; its loop program was: "),
};

static gboolean
put_error (const GMatchInfo *match, GString *to, gpointer unused)
{
  g_autofree char *error = g_match_info_fetch (match, 1), *allowed = g_match_info_fetch (match, 2);

  /* Translators: after sizes, of numbers that were computed: how far they are from what is right, and how far they may be. */
  g_string_append_printf (to, _ (", relative error %s of %s allowed"), error, allowed);
  return FALSE;
}

char *
heddle_verification_words (const char *line)
{
  g_autoptr (GRegex) errors
      = g_regex_new (", relative error ([0-9.e+-]+|nan|inf) of ([0-9.e+-]+) allowed", 0, 0, NULL);
  g_autofree char *numbers = g_regex_replace_eval (errors, line, -1, 0, 0, put_error, NULL, NULL);
  g_autoptr (GString) words = g_string_new (numbers);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_string_replace (words, parts[i], _ (parts[i]), 0);
  return g_string_free (g_steal_pointer (&words), FALSE);
}
