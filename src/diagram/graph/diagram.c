/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-build.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"

/* --- objects --------------------------------------------------------------------- */

void
heddle_axis_unref (HeddleAxis *axis)
{
  if (!g_atomic_ref_count_dec (&axis->ref_count))
    return;
  g_free (axis->name);
  g_clear_pointer (&axis->size, heddle_expr_unref);
  g_free (axis);
}

void
heddle_value_unref (HeddleValue *value)
{
  if (!g_atomic_ref_count_dec (&value->ref_count))
    return;
  g_free (value->name);
  g_array_unref (value->axes);
  g_free (value->comment);
  g_free (value);
}

/* The ref counts are the first field of all three. */
static gpointer
ref_object (gconstpointer object, gpointer data)
{
  g_atomic_ref_count_inc ((gatomicrefcount *) object);
  return (gpointer) object;
}

/* --- ids ------------------------------------------------------------------------- */

GArray *
heddle_ids_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (const char *));
}

GArray *
heddle_ids_copy (const GArray *ids)
{
  GArray *copy = heddle_ids_new ();
  if (ids != NULL && ids->len > 0)
    g_array_append_vals (copy, ids->data, ids->len);
  return copy;
}

void
heddle_ids_append (GArray *ids, const char *id)
{
  g_array_append_val (ids, id);
}

int
heddle_ids_find (const GArray *ids, const char *id)
{
  for (guint i = 0; i < ids->len; i++)
    if (heddle_ids_index (ids, i) == id)
      return (int) i;
  return -1;
}

gboolean
heddle_ids_equal (const GArray *a, const GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (const char *)) == 0);
}

/* --- the diagram ----------------------------------------------------------------- */

HeddleDiagram *
heddle_diagram_new (const char *name)
{
  HeddleDiagram *self = g_new0 (HeddleDiagram, 1);
  g_autofree char *part = heddle_id_from_name (name != NULL ? name : "");
  g_autofree char *id = g_strconcat ("d.", part, NULL);
  self->id = (char *) g_intern_string (id);
  self->name = g_strdup (name != NULL ? name : "");
  self->axes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_axis_unref);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_value_unref);
  self->operations = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_operation_unref);
  self->outputs = heddle_ids_new ();
  self->arguments = heddle_ids_new ();
  return self;
}

static GPtrArray *
copy_objects (GPtrArray *objects, GDestroyNotify unref)
{
  GPtrArray *copy = g_ptr_array_copy (objects, ref_object, NULL);
  g_ptr_array_set_free_func (copy, unref);
  return copy;
}

HeddleDiagram *
heddle_diagram_copy (const HeddleDiagram *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  HeddleDiagram *copy = g_new0 (HeddleDiagram, 1);
  copy->id = self->id;
  copy->name = g_strdup (self->name);
  copy->axes = copy_objects (self->axes, (GDestroyNotify) heddle_axis_unref);
  copy->values = copy_objects (self->values, (GDestroyNotify) heddle_value_unref);
  copy->operations = copy_objects (self->operations, (GDestroyNotify) heddle_operation_unref);
  copy->outputs = heddle_ids_copy (self->outputs);
  copy->arguments = heddle_ids_copy (self->arguments);
  copy->explicit_outputs = self->explicit_outputs;
  copy->comment = g_strdup (self->comment);
  copy->index = heddle_diagram_index_ref (heddle_diagram_index (self));
  return copy;
}

static gboolean
hold_same (const GPtrArray *a, const GPtrArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->pdata, b->pdata, a->len * sizeof *a->pdata) == 0);
}

gboolean
heddle_diagram_is_copy (const HeddleDiagram *a, const HeddleDiagram *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);
  return a->id == b->id && g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (a->comment, b->comment) == 0
         && a->explicit_outputs == b->explicit_outputs && hold_same (a->axes, b->axes)
         && hold_same (a->values, b->values) && hold_same (a->operations, b->operations)
         && heddle_ids_equal (a->outputs, b->outputs) && heddle_ids_equal (a->arguments, b->arguments);
}

void
heddle_diagram_free (HeddleDiagram *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->index, heddle_diagram_index_unref);
  g_free (self->name);
  g_ptr_array_unref (self->axes);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->operations);
  g_array_unref (self->outputs);
  g_array_unref (self->arguments);
  g_free (self->comment);
  g_free (self);
}

/* --- looking --------------------------------------------------------------------- */

const HeddleAxis *
heddle_diagram_get_axis (const HeddleDiagram *self, const char *id)
{
  return id != NULL ? g_hash_table_lookup (heddle_diagram_index (self)->axes, id) : NULL;
}

const HeddleValue *
heddle_diagram_get_value (const HeddleDiagram *self, const char *id)
{
  return id != NULL ? g_hash_table_lookup (heddle_diagram_index (self)->values, id) : NULL;
}

const HeddleOperation *
heddle_diagram_get_operation (const HeddleDiagram *self, const char *id)
{
  return id != NULL ? g_hash_table_lookup (heddle_diagram_index (self)->operations, id) : NULL;
}

const HeddleOperation *
heddle_diagram_get_producer (const HeddleDiagram *self, const char *value_id)
{
  return value_id != NULL ? g_hash_table_lookup (heddle_diagram_index (self)->producers, value_id) : NULL;
}

GPtrArray *
heddle_diagram_get_readers (const HeddleDiagram *self, const char *value_id)
{
  GPtrArray *readers = g_ptr_array_new ();
  const GPtrArray *known = g_hash_table_lookup (heddle_diagram_readers (self), value_id);
  if (known != NULL)
    g_ptr_array_extend (readers, (GPtrArray *) known, NULL, NULL);
  return readers;
}

guint
heddle_diagram_count_readers (const HeddleDiagram *self, const char *value_id)
{
  const GPtrArray *readers = g_hash_table_lookup (heddle_diagram_readers (self), value_id);
  guint n = 0;
  for (guint i = 0; readers != NULL && i < readers->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (readers, i);
      for (guint j = 0; j < operation->operands->len; j++)
        n += heddle_ids_index (operation->operands, j) == value_id;
    }
  return n;
}

gboolean
heddle_diagram_is_output (const HeddleDiagram *self, const char *value_id)
{
  if (self->explicit_outputs)
    return heddle_ids_contain (self->outputs, value_id);
  return heddle_diagram_get_producer (self, value_id) != NULL
         && !g_hash_table_contains (heddle_diagram_readers (self), value_id);
}

GArray *
heddle_diagram_get_outputs (const HeddleDiagram *self)
{
  if (self->explicit_outputs)
    return heddle_ids_copy (self->outputs);
  GArray *outputs = heddle_ids_new ();
  for (guint i = 0; i < self->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->values, i);
      if (heddle_diagram_is_output (self, value->id))
        heddle_ids_append (outputs, value->id);
    }
  return outputs;
}

GArray *
heddle_diagram_get_inputs (const HeddleDiagram *self)
{
  GArray *inputs = heddle_ids_new ();
  for (guint i = 0; i < self->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->values, i);
      if (value->role != HEDDLE_ROLE_INTERMEDIATE)
        heddle_ids_append (inputs, value->id);
    }
  return inputs;
}
