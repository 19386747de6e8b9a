/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/onnx/name-results.h"

/* Returns the last word of a module, "q_proj" of "layers.0/self_attn.q_proj"; NULL if it is a number, as that
 * of a layer, of which there are many. */
static const char *
word_of (const char *part, gsize length, gsize *count)
{
  gsize start = length;

  while (start > 0 && part[start - 1] != '.')
    start--;
  *count = length - start;
  for (gsize i = start; i < length; i++)
    if (!g_ascii_isdigit (part[i]))
      return part + start;
  return NULL;
}

/* Returns the name of the outermost module that ends with an operation of @path and that @ended does not have
 * yet; adds all such modules to it. */
static char *
name_after (GHashTable *ended, const char *path)
{
  char *name = NULL;

  for (const char *part = path, *end; part != NULL; part = *end != '\0' ? end + 1 : NULL)
    {
      gsize count;
      const char *word;

      end = strchr (part, '/');
      end = end != NULL ? end : part + strlen (part);
      if (!g_hash_table_add (ended, g_strndup (path, (gsize) (end - path))) || name != NULL)
        continue;
      word = word_of (part, (gsize) (end - part), &count);
      name = word != NULL ? g_strndup (word, count) : NULL;
    }
  return name;
}

void
heddle_sketch_name_results (HeddleSketch *self, const HeddleSketchReach *reach)
{
  g_autoptr (GHashTable) ended = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = self->operations->len; i-- > 0;)
    {
      const HeddleSketchOperation *operation = g_ptr_array_index (self->operations, i);
      HeddleSketchValue *value = heddle_sketch_get_value (self, g_array_index (operation->results, int, 0));

      if (!reach->operations[i] || operation->module == NULL)
        continue;
      g_free (value->wish);
      value->wish = name_after (ended, operation->module);
    }
}
