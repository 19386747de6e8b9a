/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/graph/diagram.h"
#include "diagram/graph/labels.h"
#include "diagram/graph/operation.h"
#include "diagram/graph/result-type.h"

/* --- objects --------------------------------------------------------------------- */

/* Drops a reference, from any thread; the last one frees the axis with its size. */
static void
axis_unref (HeddleAxis *axis)
{
  if (!g_atomic_ref_count_dec (&axis->ref_count))
    return;
  g_free (axis->name);
  g_clear_pointer (&axis->size, heddle_expr_unref);
  g_free (axis);
}

/* Drops a reference, from any thread; the last one frees the value. */
static void
value_unref (HeddleValue *value)
{
  if (!g_atomic_ref_count_dec (&value->ref_count))
    return;
  g_free (value->name);
  g_array_unref (value->axes);
  g_free (value->comment);
  g_free (value);
}

/* Adds a reference to an axis, a value or an operation: the reference count is the first field of all
 * three. */
static gpointer
ref_object (gconstpointer object, gpointer data)
{
  g_atomic_ref_count_inc ((gatomicrefcount *) object);
  return (gpointer) object;
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
  self->axes = g_ptr_array_new_with_free_func ((GDestroyNotify) axis_unref);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) value_unref);
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

static HeddleDiagramIndex *diagram_index (const HeddleDiagram *self);
static HeddleDiagramIndex *diagram_index_ref (HeddleDiagramIndex *index);

HeddleDiagram *
heddle_diagram_copy (const HeddleDiagram *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  HeddleDiagram *copy = g_new0 (HeddleDiagram, 1);
  copy->id = self->id;
  copy->name = g_strdup (self->name);
  copy->axes = copy_objects (self->axes, (GDestroyNotify) axis_unref);
  copy->values = copy_objects (self->values, (GDestroyNotify) value_unref);
  copy->operations = copy_objects (self->operations, (GDestroyNotify) heddle_operation_unref);
  copy->outputs = heddle_ids_copy (self->outputs);
  copy->arguments = heddle_ids_copy (self->arguments);
  copy->explicit_outputs = self->explicit_outputs;
  copy->comment = g_strdup (self->comment);
  copy->index = diagram_index_ref (diagram_index (self));
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

static void diagram_index_unref (HeddleDiagramIndex *index);

void
heddle_diagram_free (HeddleDiagram *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->index, diagram_index_unref);
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
  return id != NULL ? g_hash_table_lookup (diagram_index (self)->axes, id) : NULL;
}

const HeddleValue *
heddle_diagram_get_value (const HeddleDiagram *self, const char *id)
{
  return id != NULL ? g_hash_table_lookup (diagram_index (self)->values, id) : NULL;
}

const HeddleOperation *
heddle_diagram_get_operation (const HeddleDiagram *self, const char *id)
{
  return id != NULL ? g_hash_table_lookup (diagram_index (self)->operations, id) : NULL;
}

const HeddleOperation *
heddle_diagram_get_producer (const HeddleDiagram *self, const char *value_id)
{
  return value_id != NULL ? g_hash_table_lookup (diagram_index (self)->producers, value_id) : NULL;
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

/* The longest name in an id. Longer names are cut, since ids only have to be distinct. */
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

/* Returns an id of the shape "prefix.name" not yet in the diagram. */
static const char *
diagram_free_id (HeddleDiagram *self, const char *prefix, const char *name)
{
  g_autofree char *part = heddle_id_from_name (name != NULL ? name : "");
  g_autofree char *stem = g_strconcat (prefix, ".", part, NULL);
  return free_suffix (heddle_diagram_own_index (self), stem);
}

static const char *
choose_id (HeddleDiagram *self, const char *id, const char *prefix, const char *name)
{
  return id != NULL ? free_suffix (heddle_diagram_own_index (self), id)
                    : diagram_free_id (self, prefix, name);
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

static void diagram_index_operation_added (
    HeddleDiagramIndex *index, HeddleOperation *operation, guint count);

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
  diagram_index_operation_added (index, operation, position < 0 ? self->operations->len : 0);
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
  axis_unref (axis);
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
  value_unref (value);
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

/* The lock of what is built on demand. One lock serves all diagrams: it is held briefly and rarely. */
static GMutex build_lock;

static HeddleDiagramIndex *
index_new (const HeddleDiagram *self)
{
  HeddleDiagramIndex *index = g_new0 (HeddleDiagramIndex, 1);
  g_atomic_ref_count_init (&index->ref_count);
  index->axes = g_hash_table_new (NULL, NULL);
  index->values = g_hash_table_new (NULL, NULL);
  index->operations = g_hash_table_new (NULL, NULL);
  index->producers = g_hash_table_new (NULL, NULL);
  index->suffixes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  index->axis_names = g_hash_table_new (g_str_hash, g_str_equal);
  index->value_names = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->axes->len; i++)
    {
      HeddleAxis *axis = g_ptr_array_index (self->axes, i);
      g_hash_table_insert (index->axes, (gpointer) axis->id, axis);
    }
  for (guint i = 0; i < self->values->len; i++)
    {
      HeddleValue *value = g_ptr_array_index (self->values, i);
      g_hash_table_insert (index->values, (gpointer) value->id, value);
    }
  for (guint i = 0; i < self->operations->len; i++)
    {
      HeddleOperation *operation = g_ptr_array_index (self->operations, i);
      g_hash_table_insert (index->operations, (gpointer) operation->id, operation);
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        {
          const char *result = heddle_operation_get_result (operation, j);
          if (result != NULL && !g_hash_table_contains (index->producers, result))
            g_hash_table_insert (index->producers, (gpointer) result, operation);
        }
    }
  return index;
}

/* Adds a reference, from any thread, and returns @index. */
static HeddleDiagramIndex *
diagram_index_ref (HeddleDiagramIndex *index)
{
  g_atomic_ref_count_inc (&index->ref_count);
  return index;
}

/* Drops a reference, from any thread; the last one frees the index. */
static void
diagram_index_unref (HeddleDiagramIndex *index)
{
  if (!g_atomic_ref_count_dec (&index->ref_count))
    return;
  g_hash_table_unref (index->axes);
  g_hash_table_unref (index->values);
  g_hash_table_unref (index->operations);
  g_hash_table_unref (index->producers);
  g_hash_table_unref (index->suffixes);
  g_hash_table_unref (index->axis_names);
  g_hash_table_unref (index->value_names);
  heddle_diagram_index_graph_changed (index);
  g_clear_pointer (&index->labels, g_hash_table_unref);
  g_free (index);
}

/* Returns the index of the diagram, which owns it, and builds it at the first call; any thread may call
 * it. */
static HeddleDiagramIndex *
diagram_index (const HeddleDiagram *self)
{
  HeddleDiagramIndex **place = &((HeddleDiagram *) self)->index;
  HeddleDiagramIndex *index = g_atomic_pointer_get (place);
  if (index != NULL)
    return index;
  g_mutex_lock (&build_lock);
  if (*place == NULL)
    g_atomic_pointer_set (place, index_new (self));
  index = *place;
  g_mutex_unlock (&build_lock);
  return index;
}

HeddleDiagramIndex *
heddle_diagram_own_index (HeddleDiagram *self)
{
  HeddleDiagramIndex *index = diagram_index (self);
  if (g_atomic_ref_count_compare (&index->ref_count, 1))
    return index;
  self->index = index_new (self);
  diagram_index_unref (index);
  return self->index;
}

void
heddle_diagram_index_names_changed (HeddleDiagramIndex *index)
{
  g_atomic_int_set (&index->names_valid, FALSE);
  g_clear_pointer (&index->labels, g_hash_table_unref);
  g_clear_pointer (&index->statements, g_hash_table_unref);
  g_clear_pointer (&index->dtypes, g_hash_table_unref);
}

void
heddle_diagram_index_graph_changed (HeddleDiagramIndex *index)
{
  g_clear_pointer (&index->readers, g_hash_table_unref);
  g_clear_pointer (&index->positions, g_hash_table_unref);
  g_clear_pointer (&index->after_reads, g_hash_table_unref);
  g_clear_pointer (&index->statements, g_hash_table_unref);
  g_clear_pointer (&index->dtypes, g_hash_table_unref);
}

static void
add_reader (GHashTable *readers, HeddleOperation *operation)
{
  for (guint j = 0; j < operation->operands->len; j++)
    {
      const char *operand = heddle_ids_index (operation->operands, j);
      GPtrArray *list = g_hash_table_lookup (readers, operand);
      if (list == NULL)
        g_hash_table_insert (readers, (gpointer) operand, list = g_ptr_array_new ());
      if (list->len == 0 || g_ptr_array_index (list, list->len - 1) != operation)
        g_ptr_array_add (list, operation);
    }
}

/* Records who reads what and, if the operation is the last of @count, the positions; a @count of 0 says that
 * it was put in between. */
static void
diagram_index_operation_added (HeddleDiagramIndex *index, HeddleOperation *operation, guint count)
{
  if (count == 0)
    {
      heddle_diagram_index_graph_changed (index);
      return;
    }
  if (index->readers != NULL)
    add_reader (index->readers, operation);
  if (index->positions != NULL)
    g_hash_table_insert (index->positions, (gpointer) operation->id, GUINT_TO_POINTER (count));
  g_clear_pointer (&index->after_reads, g_hash_table_unref);
  g_clear_pointer (&index->statements, g_hash_table_unref);
  g_clear_pointer (&index->dtypes, g_hash_table_unref);
}

/* Returns the table at @place, which @build makes the first time and which is stored once it is complete. */
static GHashTable *
built (const HeddleDiagram *self, GHashTable **place, GHashTable *(*build) (const HeddleDiagram *self))
{
  GHashTable *table = g_atomic_pointer_get (place);
  if (table != NULL)
    return table;
  /* outside the lock, for it may need other tables; of two built at once one is dropped */
  table = build (self);
  g_mutex_lock (&build_lock);
  if (*place == NULL)
    g_atomic_pointer_set (place, table);
  else
    g_hash_table_unref (table);
  table = *place;
  g_mutex_unlock (&build_lock);
  return table;
}

/* --- names ----------------------------------------------------------------------- */

static void
index_names (const HeddleDiagram *self, HeddleDiagramIndex *index)
{
  g_hash_table_remove_all (index->axis_names);
  g_hash_table_remove_all (index->value_names);
  for (guint i = self->axes->len; i-- > 0;)
    {
      HeddleAxis *axis = g_ptr_array_index (self->axes, i);
      if (axis->name != NULL)
        g_hash_table_replace (index->axis_names, axis->name, axis);
    }
  for (guint i = self->values->len; i-- > 0;)
    {
      HeddleValue *value = g_ptr_array_index (self->values, i);
      if (value->name != NULL)
        g_hash_table_replace (index->value_names, value->name, value);
    }
}

static HeddleDiagramIndex *
index_with_names (const HeddleDiagram *self)
{
  HeddleDiagramIndex *index = diagram_index (self);
  if (g_atomic_int_get (&index->names_valid))
    return index;
  g_mutex_lock (&build_lock);
  if (!index->names_valid)
    index_names (self, index);
  g_atomic_int_set (&index->names_valid, TRUE);
  g_mutex_unlock (&build_lock);
  return index;
}

const HeddleAxis *
heddle_diagram_find_axis (const HeddleDiagram *self, const char *name)
{
  return name != NULL ? g_hash_table_lookup (index_with_names (self)->axis_names, name) : NULL;
}

const HeddleValue *
heddle_diagram_find_value (const HeddleDiagram *self, const char *name)
{
  return name != NULL ? g_hash_table_lookup (index_with_names (self)->value_names, name) : NULL;
}

static GHashTable *
build_labels (const HeddleDiagram *self)
{
  const HeddleDiagramIndex *index = index_with_names (self);
  return heddle_label_values (self->values, index->value_names, index->axis_names);
}

char *
heddle_diagram_value_label (const HeddleDiagram *self, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (self, value_id);
  if (value == NULL)
    return g_strdup (value_id != NULL ? value_id : "");
  if (value->name != NULL)
    return g_strdup (value->name);
  GHashTable *labels = built (self, &diagram_index (self)->labels, build_labels);
  return g_strdup (g_hash_table_lookup (labels, value_id));
}

/* --- graph ----------------------------------------------------------------------- */

static GHashTable *
build_readers (const HeddleDiagram *self)
{
  GHashTable *readers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < self->operations->len; i++)
    add_reader (readers, g_ptr_array_index (self->operations, i));
  return readers;
}

GHashTable *
heddle_diagram_readers (const HeddleDiagram *self)
{
  return built (self, &diagram_index (self)->readers, build_readers);
}

static GHashTable *
build_positions (const HeddleDiagram *self)
{
  GHashTable *positions = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);
      g_hash_table_insert (positions, (gpointer) operation->id, GUINT_TO_POINTER (i + 1));
    }
  return positions;
}

int
heddle_diagram_index_of_operation (const HeddleDiagram *self, const char *id)
{
  GHashTable *positions = built (self, &diagram_index (self)->positions, build_positions);
  return (int) GPOINTER_TO_UINT (g_hash_table_lookup (positions, id)) - 1;
}

static void
add_results (const HeddleOperation *operation, GHashTable *values, GPtrArray *new)
{
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    {
      const char *result = heddle_operation_get_result (operation, i);
      if (result != NULL && g_hash_table_add (values, (gpointer) result))
        g_ptr_array_add (new, (gpointer) result);
    }
}

static GHashTable *
build_after_reads (const HeddleDiagram *self)
{
  GHashTable *values = g_hash_table_new (NULL, NULL);
  GHashTable *all_readers = heddle_diagram_readers (self);
  g_autoptr (GPtrArray) new = g_ptr_array_new (); /* of const char *: whose readers are to be looked at */
  for (guint i = 0; i < self->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);
      if (operation->kind->form == HEDDLE_FORM_REINDEX)
        add_results (operation, values, new);
    }
  while (new->len > 0)
    {
      const GPtrArray *readers
          = g_hash_table_lookup (all_readers, g_ptr_array_steal_index_fast (new, new->len - 1));
      for (guint i = 0; readers != NULL && i < readers->len; i++)
        add_results (g_ptr_array_index (readers, i), values, new);
    }
  return values;
}

gboolean
heddle_diagram_follows_read (const HeddleDiagram *self, const char *value_id)
{
  return g_hash_table_contains (
      built (self, &diagram_index (self)->after_reads, build_after_reads), value_id);
}

/* --- statements ------------------------------------------------------------------ */

static gboolean
is_inline (const HeddleDiagram *self, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (self, value_id);
  return value != NULL && value->name == NULL && heddle_diagram_count_readers (self, value_id) == 1
         && !(self->explicit_outputs && heddle_ids_contain (self->outputs, value_id));
}

/* Maps each operation to its statement. It is walked backwards, because readers come later. */
static GHashTable *
build_statements (const HeddleDiagram *self)
{
  GHashTable *statements = g_hash_table_new (NULL, NULL);
  GHashTable *all_readers = heddle_diagram_readers (self);
  for (guint i = self->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);
      const char *statement = operation->result;
      if (heddle_operation_n_results (operation) == 1 && is_inline (self, operation->result))
        {
          const GPtrArray *readers = g_hash_table_lookup (all_readers, operation->result);
          const HeddleOperation *reader = g_ptr_array_index (readers, 0);
          statement = g_hash_table_lookup (statements, reader->id);
        }
      if (statement == NULL) /* only where operations are out of order */
        statement = operation->result;
      g_hash_table_insert (statements, (gpointer) operation->id, (gpointer) statement);
    }
  return statements;
}

static GHashTable *
get_statements (const HeddleDiagram *self)
{
  return built (self, &diagram_index (self)->statements, build_statements);
}

const char *
heddle_diagram_statement_of (const HeddleDiagram *self, const char *operation_id)
{
  return g_hash_table_lookup (get_statements (self), operation_id);
}

static int
compare_positions (gconstpointer a, gconstpointer b, gpointer diagram)
{
  const HeddleOperation *left = *(const HeddleOperation **) a, *right = *(const HeddleOperation **) b;
  return heddle_diagram_index_of_operation (diagram, left->id)
         - heddle_diagram_index_of_operation (diagram, right->id);
}

GPtrArray *
heddle_diagram_statement_operations (const HeddleDiagram *self, const char *value_id)
{
  GPtrArray *operations = g_ptr_array_new ();
  const HeddleOperation *producer = heddle_diagram_get_producer (self, value_id);
  if (producer == NULL || heddle_diagram_statement_of (self, producer->id) != value_id)
    return operations; /* of several results the first has the statement */
  g_ptr_array_add (operations, (gpointer) producer);
  for (guint i = 0; i < operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (operations, i);
      for (guint j = 0; j < operation->operands->len; j++)
        {
          const HeddleOperation *feeder
              = heddle_diagram_get_producer (self, heddle_ids_index (operation->operands, j));
          if (feeder != NULL && feeder != producer && heddle_operation_n_results (feeder) == 1
              && is_inline (self, feeder->result))
            g_ptr_array_add (operations, (gpointer) feeder);
        }
    }
  g_ptr_array_sort_with_data (operations, compare_positions, (gpointer) self);
  return operations;
}

/* --- data types ------------------------------------------------------------------ */

/* A flag for a type that depends on the fallback, which is not known yet, because a value below has no
 * declared type. */
#define NEEDS_FALLBACK 0x100

/* Returns the type of what is computed, and not only moved, where @packed is the widest type that it is
 * computed from. Of elements of 8 bits it is stored in 16: 3 bits of fraction, or 2, are a choice for what is
 * read often, and a softmax over some hundred of them would be stored as zeros. Of integers it is real where
 * it may have fractions: half of 3 is 1.5. */
static guint
computed_dtype (const HeddleOperation *operation, guint packed)
{
  const HeddleOperationForm form = operation->kind != NULL ? operation->kind->form : HEDDLE_FORM_CALL;
  const HeddleDtype dtype = packed & 0xff;

  if (form == HEDDLE_FORM_CALL || form == HEDDLE_FORM_REINDEX || form == HEDDLE_FORM_CONCAT)
    return packed;
  if (heddle_dtype_is_real (dtype))
    return heddle_dtype_bytes (dtype) == 1 ? HEDDLE_DTYPE_F16 | (packed & NEEDS_FALLBACK) : packed;
  if (packed & NEEDS_FALLBACK)
    return packed;
  const HeddleDtype whole = heddle_operation_dtype_of_integers (operation, dtype);
  return whole != HEDDLE_DTYPE_UNSET ? whole : NEEDS_FALLBACK;
}

static guint
packed_dtype (const HeddleDiagram *self, GHashTable *known, const char *id)
{
  const HeddleValue *value = heddle_diagram_get_value (self, id);
  if (value != NULL && value->dtype != HEDDLE_DTYPE_UNSET)
    return value->dtype;
  gpointer packed;
  return g_hash_table_lookup_extended (known, id, NULL, &packed) ? GPOINTER_TO_UINT (packed) : NEEDS_FALLBACK;
}

static guint
widest_operand (const HeddleDiagram *self, GHashTable *known, const HeddleOperation *operation)
{
  guint dtype = HEDDLE_DTYPE_UNSET, flag = operation->operands->len == 0 ? NEEDS_FALLBACK : 0;
  /* a gather has what it reads, whatever its indices are stored as */
  const guint n = operation->indices != NULL ? MIN (operation->operands->len, 1) : operation->operands->len;
  for (guint j = 0; j < n; j++)
    {
      guint packed = packed_dtype (self, known, heddle_ids_index (operation->operands, j));
      dtype = heddle_dtype_widest (dtype, packed & 0xff);
      flag |= packed & NEEDS_FALLBACK;
    }
  return dtype | flag;
}

static void
add_dtypes (const HeddleDiagram *self, GHashTable *known, const HeddleOperation *operation)
{
  guint result;
  if (operation->kind != NULL && operation->kind->whole)
    {
      g_hash_table_insert (known, (gpointer) operation->result, GUINT_TO_POINTER (HEDDLE_DTYPE_I64));
      return;
    }
  result = computed_dtype (operation, widest_operand (self, known, operation));
  for (guint j = 0; j < heddle_operation_n_results (operation); j++)
    g_hash_table_insert (
        known, (gpointer) heddle_operation_get_result (operation, j), GUINT_TO_POINTER (result));
}

static GHashTable *
build_dtypes (const HeddleDiagram *self)
{
  GHashTable *known = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->operations->len; i++)
    add_dtypes (self, known, g_ptr_array_index (self->operations, i));
  return known;
}

static HeddleDtype
unpack_dtype (guint packed, HeddleDtype fallback)
{
  return packed & NEEDS_FALLBACK ? heddle_dtype_widest (packed & 0xff, fallback) : packed & 0xff;
}

HeddleDtype
heddle_diagram_dtype (const HeddleDiagram *self, const char *value_id, HeddleDtype fallback)
{
  GHashTable *known = built (self, &diagram_index (self)->dtypes, build_dtypes);
  return unpack_dtype (packed_dtype (self, known, value_id), fallback);
}

HeddleDtype
heddle_diagram_dtype_of_next (const HeddleDiagram *self, GHashTable *known, const HeddleOperation *operation)
{
  add_dtypes (self, known, operation);
  return unpack_dtype (packed_dtype (self, known, operation->result), HEDDLE_DTYPE_F32);
}

void
heddle_diagram_add_result (HeddleDiagram *self, HeddleOperation *operation, const char *result)
{
  g_return_if_fail (self != NULL && operation != NULL && result != NULL);
  HeddleDiagramIndex *index = heddle_diagram_own_index (self);
  if (operation->more_results == NULL)
    operation->more_results = heddle_ids_new ();
  result = g_intern_string (result);
  heddle_ids_append (operation->more_results, result);
  if (!g_hash_table_contains (index->producers, result))
    g_hash_table_insert (index->producers, (gpointer) result, operation);
  heddle_diagram_index_graph_changed (index);
}
