/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-build.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram-private.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* Longer names are cut in ids, which only have to tell things apart. */
#define MAX_ID_PART 48

/* --- ids ------------------------------------------------------------------------- */

char *
heddle_id_from_name (const char *name)
{
  GString *id = g_string_new (NULL);
  for (const char *p = name; *p != '\0' && id->len < MAX_ID_PART; p++)
    {
      guchar c = (guchar) *p;
      if (g_ascii_isalnum (c) || strchr ("_.-", c) != NULL)
        g_string_append_c (id, (char) c);
      else if (c == ' ')
        g_string_append_c (id, '_');
      else if (c == '\'')
        g_string_append (id, "-prime");
      else if (c >= 0x80)
        g_string_append_printf (id, "-%02x", c);
    }
  if (id->len == 0)
    g_string_append_c (id, 't');
  return g_string_free (id, FALSE);
}

static gboolean
is_taken (const HeddleDiagramIndex *index, const char *id)
{
  return g_hash_table_contains (index->axes, id) || g_hash_table_contains (index->values, id)
         || g_hash_table_contains (index->operations, id);
}

static const char *
free_suffix (HeddleDiagramIndex *index, const char *stem)
{
  const char *id = g_intern_string (stem);
  if (!is_taken (index, id))
    return id;
  guint n = MAX (2, GPOINTER_TO_UINT (g_hash_table_lookup (index->suffixes, stem)));
  for (;; n++)
    {
      g_autofree char *candidate = g_strdup_printf ("%s-%u", stem, n);
      id = g_intern_string (candidate);
      if (!is_taken (index, id))
        break;
    }
  g_hash_table_replace (index->suffixes, g_strdup (stem), GUINT_TO_POINTER (n));
  return id;
}

const char *
heddle_diagram_free_id (HeddleDiagram *self, const char *prefix, const char *name)
{
  g_autofree char *part = heddle_id_from_name (name != NULL ? name : "");
  g_autofree char *stem = g_strconcat (prefix, ".", part, NULL);
  return free_suffix (heddle_diagram_own_index (self), stem);
}

static const char *
choose_id (HeddleDiagram *self, const char *id, const char *prefix, const char *name)
{
  return id != NULL ? free_suffix (heddle_diagram_own_index (self), id)
                    : heddle_diagram_free_id (self, prefix, name);
}

/* --- building -------------------------------------------------------------------- */

HeddleAxis *
heddle_diagram_add_axis (HeddleDiagram *self, const char *id, const char *name, HeddleExpr *size)
{
  g_return_val_if_fail (self != NULL, NULL);
  HeddleAxis *axis = g_new0 (HeddleAxis, 1);
  g_atomic_ref_count_init (&axis->ref_count);
  axis->id = choose_id (self, id, "a", name);
  axis->name = g_strdup (name);
  axis->size = size;
  g_ptr_array_add (self->axes, axis);

  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  g_hash_table_insert (index->axes, (gpointer) axis->id, axis);
  if (index->names_valid && name != NULL && !g_hash_table_contains (index->axis_names, name))
    g_hash_table_insert (index->axis_names, axis->name, axis);
  g_clear_pointer (&index->labels, g_hash_table_unref);
  return axis;
}

HeddleValue *
heddle_diagram_add_value (HeddleDiagram *self, const char *id, const char *name, HeddleValueRole role,
    HeddleDtype dtype, const GArray *axes)
{
  g_return_val_if_fail (self != NULL, NULL);
  HeddleValue *value = g_new0 (HeddleValue, 1);
  g_atomic_ref_count_init (&value->ref_count);
  value->id = choose_id (self, id, "v", name);
  value->name = g_strdup (name);
  value->role = role;
  value->dtype = dtype;
  value->axes = heddle_ids_copy (axes);
  g_ptr_array_add (self->values, value);

  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  g_hash_table_insert (index->values, (gpointer) value->id, value);
  if (index->names_valid && name != NULL && !g_hash_table_contains (index->value_names, name))
    g_hash_table_insert (index->value_names, value->name, value);
  g_clear_pointer (&index->labels, g_hash_table_unref);
  return value;
}

HeddleOperation *
heddle_diagram_add_operation (HeddleDiagram *self, const char *id, const HeddleOperationKind *kind,
    const GArray *operands, const char *result, const GArray *axes, int position)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (kind != NULL, NULL);
  g_return_val_if_fail (result != NULL, NULL);
  const HeddleValue *value = heddle_diagram_get_value (self, result);
  HeddleOperation *operation = heddle_operation_new (kind, g_intern_string (result));
  operation->id = choose_id (self, id, "o", value != NULL ? value->name : NULL);
  if (operands != NULL)
    g_array_append_vals (operation->operands, operands->data, operands->len);
  if (axes != NULL)
    g_array_append_vals (operation->axes, axes->data, axes->len);
  g_ptr_array_insert (self->operations, position, operation);

  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  g_hash_table_insert (index->operations, (gpointer) operation->id, operation);
  if (!g_hash_table_contains (index->producers, operation->result))
    g_hash_table_insert (index->producers, (gpointer) operation->result, operation);
  heddle_diagram_index_operation_added (index, operation, position < 0 ? self->operations->len : 0);
  return operation;
}

/* --- changing -------------------------------------------------------------------- */

static void
replace_object (GPtrArray *objects, gpointer old, gpointer new)
{
  guint i;
  if (g_ptr_array_find (objects, old, &i))
    objects->pdata[i] = new;
}

HeddleAxis *
heddle_diagram_edit_axis (HeddleDiagram *self, const char *id)
{
  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  HeddleAxis *axis = g_hash_table_lookup (index->axes, id);
  if (axis == NULL)
    return NULL;
  heddle_diagram_index_names_changed (index);
  if (g_atomic_ref_count_compare (&axis->ref_count, 1))
    return axis;
  HeddleAxis *copy = g_new0 (HeddleAxis, 1);
  g_atomic_ref_count_init (&copy->ref_count);
  copy->id = axis->id;
  copy->name = g_strdup (axis->name);
  copy->size = axis->size != NULL ? heddle_expr_ref (axis->size) : NULL;
  replace_object (self->axes, axis, copy);
  g_hash_table_insert (index->axes, (gpointer) copy->id, copy);
  heddle_axis_unref (axis);
  return copy;
}

HeddleValue *
heddle_diagram_edit_value (HeddleDiagram *self, const char *id)
{
  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  HeddleValue *value = g_hash_table_lookup (index->values, id);
  if (value == NULL)
    return NULL;
  heddle_diagram_index_names_changed (index);
  if (g_atomic_ref_count_compare (&value->ref_count, 1))
    return value;
  HeddleValue *copy = g_new0 (HeddleValue, 1);
  *copy = *value;
  g_atomic_ref_count_init (&copy->ref_count);
  copy->name = g_strdup (value->name);
  copy->axes = heddle_ids_copy (value->axes);
  copy->comment = g_strdup (value->comment);
  replace_object (self->values, value, copy);
  g_hash_table_insert (index->values, (gpointer) copy->id, copy);
  heddle_value_unref (value);
  return copy;
}

HeddleOperation *
heddle_diagram_edit_operation (HeddleDiagram *self, const char *id)
{
  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  HeddleOperation *operation = g_hash_table_lookup (index->operations, id);
  if (operation == NULL)
    return NULL;
  heddle_diagram_index_graph_changed (index);
  if (g_atomic_ref_count_compare (&operation->ref_count, 1))
    return operation;
  HeddleOperation *copy = heddle_operation_copy (operation);
  replace_object (self->operations, operation, copy);
  g_hash_table_insert (index->operations, (gpointer) copy->id, copy);
  for (guint i = 0; i < heddle_operation_n_results (copy); i++)
    if (g_hash_table_lookup (index->producers, heddle_operation_get_result (copy, i)) == operation)
      g_hash_table_insert (index->producers, (gpointer) heddle_operation_get_result (copy, i), copy);
  heddle_operation_unref (operation);
  return copy;
}

static void
remove_id (GArray *ids, const char *id)
{
  for (int i; (i = heddle_ids_find (ids, id)) >= 0;)
    g_array_remove_index (ids, (guint) i);
}

/**
 * heddle_diagram_remove:
 * @id: of an axis, a value or an operation
 *
 * Removes the object alone; a value goes from the lists of outputs and arguments too. What refers to it is the caller's to mend.
 */
void
heddle_diagram_remove (HeddleDiagram *self, const char *id)
{
  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  gpointer object;
  if ((object = g_hash_table_lookup (index->axes, id)) != NULL)
    {
      g_hash_table_remove (index->axes, id);
      remove_id (self->arguments, id);
      g_ptr_array_remove (self->axes, object);
    }
  else if ((object = g_hash_table_lookup (index->values, id)) != NULL)
    {
      g_hash_table_remove (index->values, id);
      remove_id (self->outputs, id);
      remove_id (self->arguments, id);
      g_ptr_array_remove (self->values, object);
    }
  else if ((object = g_hash_table_lookup (index->operations, id)) != NULL)
    {
      g_hash_table_remove (index->operations, id);
      for (guint i = 0; i < heddle_operation_n_results (object); i++)
        if (g_hash_table_lookup (index->producers, heddle_operation_get_result (object, i)) == object)
          g_hash_table_remove (index->producers, heddle_operation_get_result (object, i));
      g_ptr_array_remove (self->operations, object);
    }
  else
    return;
  g_hash_table_remove_all (index->suffixes);
  heddle_diagram_index_names_changed (index);
  heddle_diagram_index_graph_changed (index);
}
