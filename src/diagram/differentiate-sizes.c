/* SPDX-License-Identifier: MIT */
#include "diagram/differentiate-private.h"
#include "diagram/sizes-infer.h"
#include "diagram/sizes-private.h"

/* Sizes that follow from how the diagram reads are not to go with operations that the way back does not need. */

static gboolean
is_given (const HeddleAxis *axis, gpointer data)
{
  return axis->size != NULL;
}

static void
note_size (const char *axis_id, HeddleExpr *size, gpointer sizes)
{
  if (g_hash_table_contains (sizes, axis_id))
    heddle_expr_unref (size);
  else
    g_hash_table_insert (sizes, (gpointer) axis_id, size);
}

static void
note_open (const char *axis_id, const char *message, gpointer open)
{
  heddle_ids_append (open, axis_id);
}

/* As an expression where the read itself says it, else as the number that it comes to; NULL: it is open anyway. */
static HeddleExpr *
size_before (const HeddleReverse *self, GHashTable *sizes, const char *axis_id)
{
  HeddleExpr *size = g_hash_table_lookup (sizes, axis_id);
  gint64 number = self->sizes != NULL ? heddle_sizes_get (self->sizes, axis_id) : 0;

  if (size != NULL)
    return heddle_expr_simplify (size);
  return number > 0 ? heddle_expr_number ((double) number) : NULL;
}

void
heddle_reverse_keep_sizes (HeddleReverse *self)
{
  g_autoptr (GHashTable) sizes = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_expr_unref);
  g_autoptr (GArray) open = heddle_ids_new ();
  g_autoptr (HeddleSizes) found = heddle_sizes_resolve (self->backward, NULL, note_open, open);

  heddle_sizes_infer (self->forward, is_given, note_size, sizes);
  for (guint i = 0; found != NULL && i < open->len; i++)
    {
      const char *axis = heddle_ids_index (open, i);
      HeddleExpr *size = heddle_diagram_get_axis (self->backward, axis)->size == NULL
                             ? size_before (self, sizes, axis)
                             : NULL;

      if (size != NULL)
        heddle_diagram_edit_axis (self->backward, axis)->size = size;
    }
}
