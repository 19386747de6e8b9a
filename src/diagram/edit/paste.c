/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/error.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/paste.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/operation.h"

/* This file puts a document's diagram into another. Axes are matched by name and size, inputs by name and
 * axes; what is made gets names of its own. */

typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleSnapshot *clip;
  HeddleDiagram *draft;
  GHashTable *axes, *values; /* of the clip's -> the draft's */
  GHashTable *definitions; /* ids of the clip's diagrams -> the document's */
  GArray *made; /* of const char * */
} Paste;

static HeddleExpr *
replace_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Paste *self = data;
  const HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const char *axis = kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX
                         ? g_hash_table_lookup (self->axes, heddle_expr_get_symbol (leaf))
                         : NULL;
  if (axis == NULL)
    return NULL;
  return kind == HEDDLE_EXPR_SIZE ? heddle_expr_size (axis) : heddle_expr_index (axis);
}

/* Returns @name with as many primes as it takes to be free. Newly allocated. */
static char *
free_name (const Paste *self, const char *name)
{
  char *free = g_strdup (name);
  while (heddle_diagram_find_axis (self->draft, free) != NULL
         || heddle_diagram_find_value (self->draft, free) != NULL
         || heddle_snapshot_get_diagram (self->snapshot, free) != NULL)
    {
      char *longer = g_strconcat (free, "'", NULL);
      g_free (free);
      free = longer;
    }
  return free;
}

static GArray *
mapped (GHashTable *map, const GArray *ids)
{
  GArray *others = heddle_ids_new ();
  for (guint i = 0; i < ids->len; i++)
    {
      const char *other = g_hash_table_lookup (map, heddle_ids_index (ids, i));
      if (other != NULL)
        heddle_ids_append (others, other);
    }
  return others;
}

/* --- axes ------------------------------------------------------------------------- */

static gboolean
sizes_agree (const HeddleExpr *a, const HeddleExpr *b)
{
  g_autofree char *one = a != NULL && b != NULL ? heddle_expr_to_string (a, NULL, NULL) : NULL;
  g_autofree char *other = one != NULL ? heddle_expr_to_string (b, NULL, NULL) : NULL;
  return one == NULL || g_str_equal (one, other);
}

static void
paste_axes (Paste *self, const HeddleDiagram *from)
{
  g_autoptr (GArray) fresh = heddle_ids_new ();
  for (guint i = 0; i < from->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (from->axes, i);
      const HeddleAxis *known = heddle_diagram_find_axis (self->draft, axis->name);
      if (known == NULL || !sizes_agree (known->size, axis->size))
        {
          g_autofree char *name = free_name (self, axis->name);
          known = heddle_diagram_add_axis (self->draft, NULL, name, NULL);
          heddle_ids_append (fresh, axis->id);
        }
      g_hash_table_insert (self->axes, (gpointer) axis->id, (gpointer) known->id);
    }
  for (guint i = 0; i < fresh->len; i++)
    {
      const HeddleAxis *axis = heddle_diagram_get_axis (from, heddle_ids_index (fresh, i));
      const char *id = g_hash_table_lookup (self->axes, axis->id);
      if (axis->size != NULL)
        heddle_diagram_edit_axis (self->draft, id)->size
            = heddle_expr_substitute (axis->size, replace_leaf, self);
    }
}

/* --- values and operations ----------------------------------------------------------- */

static const HeddleValue *
unnamed_in_draft (const Paste *self, const HeddleValue *value)
{
  const HeddleValue *same = heddle_diagram_get_value (self->draft, value->id);
  g_autofree char *label
      = same != NULL && same->name == NULL ? heddle_diagram_value_label (self->draft, same->id) : NULL;
  return g_strcmp0 (label, value->name) == 0 ? same : NULL;
}

static void
paste_input (Paste *self, const HeddleValue *value)
{
  g_autoptr (GArray) axes = mapped (self->axes, value->axes);
  const HeddleValue *known
      = value->name != NULL ? heddle_diagram_find_value (self->draft, value->name) : NULL;
  if (known == NULL) /* what has no name is the same within one document */
    known = unnamed_in_draft (self, value);
  if (known == NULL || !heddle_ids_equal (known->axes, axes))
    {
      g_autofree char *name = free_name (self, value->name != NULL ? value->name : "X");
      known = heddle_diagram_add_value (self->draft, NULL, name, value->role, value->dtype, axes);
    }
  g_hash_table_insert (self->values, (gpointer) value->id, (gpointer) known->id);
}

static void
paste_operation (Paste *self, const HeddleDiagram *from, const HeddleOperation *operation)
{
  g_autoptr (GArray) axes = mapped (self->axes, operation->axes);
  g_autoptr (GArray) operands = mapped (self->values, operation->operands);
  HeddleOperation *made = NULL;
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    {
      const HeddleValue *value = heddle_diagram_get_value (from, heddle_operation_get_result (operation, i));
      g_autoptr (GArray) on = mapped (self->axes, value->axes);
      g_autofree char *name = value->name != NULL ? free_name (self, value->name) : NULL;
      const HeddleValue *result
          = heddle_diagram_add_value (self->draft, NULL, name, value->role, value->dtype, on);
      g_hash_table_insert (self->values, (gpointer) value->id, (gpointer) result->id);
      if (i == 0)
        made = heddle_diagram_add_operation (
            self->draft, NULL, operation->kind, operands, result->id, axes, -1);
      else
        heddle_diagram_add_result (self->draft, made, result->id);
    }
  heddle_operation_copy_details (made, operation, replace_leaf, self);
  if (operation->callee != NULL)
    made->callee = g_hash_table_lookup (self->definitions, operation->callee);
  heddle_ids_append (self->made, made->id);
}

/* --- definitions ---------------------------------------------------------------------- */

static void
paste_definitions (Paste *self)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  for (guint i = 1; i < self->clip->diagrams->len; i++)
    {
      const HeddleDiagram *definition = g_ptr_array_index (self->clip->diagrams, i);
      HeddleDiagram *known = heddle_snapshot_get_diagram (self->snapshot, definition->name);
      if (known == NULL || !heddle_diagram_isomorphic (known, definition, NULL))
        {
          g_autofree char *name = free_name (self, definition->name);
          known = heddle_diagram_copy (definition);
          g_free (known->name);
          known->name = g_strdup (name);
          heddle_snapshot_add_diagram (self->snapshot, known);
          g_ptr_array_add (added, known);
        }
      g_hash_table_insert (self->definitions, (gpointer) definition->id, (gpointer) known->id);
    }
  for (guint i = 0; i < added->len; i++)
    {
      HeddleDiagram *definition = g_ptr_array_index (added, i);
      for (guint j = 0; j < definition->operations->len; j++)
        {
          const HeddleOperation *operation = g_ptr_array_index (definition->operations, j);
          if (operation->callee != NULL)
            heddle_diagram_edit_operation (definition, operation->id)->callee
                = g_hash_table_lookup (self->definitions, operation->callee);
        }
    }
}

gboolean
heddle_edit_paste (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *clip, GArray *made,
    GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && clip != NULL && made != NULL, FALSE);

  const HeddleDiagram *from = heddle_snapshot_get_diagram (clip, NULL);
  if (from == NULL || from->operations->len == 0)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no operation to paste"));
  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  g_autoptr (GHashTable) axes = g_hash_table_new (NULL, NULL), values = g_hash_table_new (NULL, NULL),
                         definitions = g_hash_table_new (NULL, NULL);
  Paste self = { snapshot, clip, draft, axes, values, definitions, made };
  paste_definitions (&self);
  paste_axes (&self, from);
  for (guint i = 0; i < from->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (from->values, i);
      if (heddle_diagram_get_producer (from, value->id) == NULL)
        paste_input (&self, value);
    }
  for (guint i = 0; i < from->operations->len; i++)
    paste_operation (&self, from, g_ptr_array_index (from->operations, i));
  if (!heddle_edit_verify (diagram, draft, error))
    return FALSE;
  heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  return TRUE;
}
