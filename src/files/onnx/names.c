/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/quote.h"
#include "diagram/graph/name.h"
#include "files/equations/comment.h"
#include "files/onnx/names.h"

#define LONGEST_NAME 48
#define ORIGIN "onnx: "
#define PART ";"

/* Splits a name at characters that are neither letters nor digits; what follows the first part is the
 * subscript. */
static void
split (const char *raw, GString *stem, GString *below)
{
  GString *into = stem;
  gboolean gap = FALSE;

  for (const char *at = raw; *at != '\0' && stem->len + below->len < LONGEST_NAME; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);
      gboolean good = c < 0x80 ? g_ascii_isalnum (c) : g_unichar_isalnum (c);

      if (!good)
        {
          gap = stem->len > 0;
          continue;
        }
      if (gap)
        into = below;
      if (gap && below->len > 0)
        g_string_append_c (below, ',');
      if (stem->len == 0 && !g_unichar_isalpha (c))
        g_string_append_c (stem, 'v');
      g_string_append_unichar (into, c);
      gap = FALSE;
    }
  if (stem->len == 0)
    g_string_append_c (stem, 'v');
}

static char *
join (const char *stem, const char *below, guint number)
{
  g_autoptr (GString) sub = g_string_new (below);

  if (number > 1)
    g_string_append_printf (sub, "%s%u", sub->len > 0 ? "," : "", number);
  if (sub->len == 0)
    return g_strdup (stem);
  return g_strdup_printf (strchr (sub->str, ',') != NULL ? "%s_{%s}" : "%s_%s", stem, sub->str);
}

/* Takes a name: from now on the next one of that name has a number after @last. */
void
heddle_sketch_take_name (GHashTable *names, const char *name, guint last)
{
  g_hash_table_replace (names, g_strdup (name), GUINT_TO_POINTER (last));
}

static gboolean
is_free (GHashTable *names, GHashTable *kept, const char *name)
{
  return !g_hash_table_contains (names, name) && (kept == NULL || !g_hash_table_contains (kept, name));
}

char *
heddle_sketch_choose_name (GHashTable *names, const char *raw)
{
  return heddle_sketch_choose_name_beside (names, NULL, raw);
}

/* Chooses a name. Names that already are names of the language stay: "layer1.0.conv.weight". */
char *
heddle_sketch_choose_name_beside (GHashTable *names, GHashTable *kept, const char *raw)
{
  g_autoptr (GString) stem = g_string_new (NULL);
  g_autoptr (GString) below = g_string_new (NULL);
  g_autofree char *first = NULL, *counter = NULL;
  guint number;
  char *name;

  if (strlen (raw) <= LONGEST_NAME && heddle_name_is_valid (raw, NULL) && is_free (names, kept, raw))
    {
      heddle_sketch_take_name (names, raw, 1);
      return g_strdup (raw);
    }
  split (raw, stem, below);
  first = join (stem->str, below->str, 1);
  counter = g_strconcat (" ", first, NULL); /* which is no name: the first one may be kept for somebody */
  number = MAX (GPOINTER_TO_UINT (g_hash_table_lookup (names, first)),
      GPOINTER_TO_UINT (g_hash_table_lookup (names, counter)));
  for (number++;; number++)
    {
      name = join (stem->str, below->str, number);
      if (heddle_name_is_valid (name, NULL) && is_free (names, kept, name))
        {
          heddle_sketch_take_name (names, counter, number);
          heddle_sketch_take_name (names, name, number);
          return name;
        }
      g_free (name);
    }
}

char *
heddle_onnx_comment (const char *raw)
{
  g_autofree char *escaped = heddle_quote_c (raw, PART);
  g_autofree char *trailing = g_strconcat (ORIGIN, escaped, NULL);

  return heddle_eq_comment_join (NULL, trailing);
}

char *
heddle_onnx_comment_of_parts (const GPtrArray *raw)
{
  g_autoptr (GString) trailing = g_string_new (ORIGIN);

  for (guint i = 0; i < raw->len; i++)
    {
      g_autofree char *escaped = heddle_quote_c (g_ptr_array_index (raw, i), PART);

      g_string_append_printf (trailing, "%s%s", i > 0 ? PART : "", escaped);
    }
  return heddle_eq_comment_join (NULL, trailing->str);
}

GPtrArray *
heddle_onnx_raw_parts (const HeddleValue *value)
{
  GPtrArray *raw = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *above = NULL, *trailing = NULL;

  heddle_eq_comment_split (value->comment, &above, &trailing);
  if (trailing != NULL && g_str_has_prefix (trailing, ORIGIN))
    {
      g_auto (GStrv) parts = g_strsplit (trailing + strlen (ORIGIN), PART, -1);

      for (guint i = 0; parts[i] != NULL; i++)
        g_ptr_array_add (raw, g_strcompress (parts[i]));
    }
  return raw;
}

char *
heddle_onnx_comment_on_source (char *comment, const char *source)
{
  g_autofree char *before = comment;
  g_autofree char *above = NULL, *trailing = NULL;

  heddle_eq_comment_split (before, &above, &trailing);
  return trailing == NULL ? heddle_eq_comment_join (above, source)
                          : heddle_eq_comment_join (source, trailing);
}

/* Returns the name that a value had in the model. */
char *
heddle_onnx_raw_name (const HeddleValue *value)
{
  g_autofree char *above = NULL, *trailing = NULL;

  heddle_eq_comment_split (value->comment, &above, &trailing);
  if (trailing != NULL && g_str_has_prefix (trailing, ORIGIN))
    return g_strcompress (trailing + strlen (ORIGIN));
  return g_strdup (value->name);
}

/**
 * heddle_onnx_find_value:
 * @diagram: a diagram that was made of a model
 * @raw: a name of the model
 *
 * Returns: (transfer none) (nullable): the value that has the name, or that was called so in the model
 */
const HeddleValue *
heddle_onnx_find_value (const HeddleDiagram *diagram, const char *raw)
{
  const HeddleValue *value;
  g_autofree char *comment = NULL;

  g_return_val_if_fail (diagram != NULL && raw != NULL, NULL);
  comment = heddle_onnx_comment (raw);
  for (guint i = 0; i < diagram->values->len; i++)
    {
      value = g_ptr_array_index (diagram->values, i);
      if (g_strcmp0 (value->comment, comment) == 0)
        return value;
    }
  return heddle_diagram_find_value (diagram, raw);
}
