/* SPDX-License-Identifier: MIT */
#include "diagram/graph/operation-table.h"
#include "files/onnx/sketch-private.h"
#include "files/onnx/sketch.h"
#include "files/onnx/tensor.h"

/* --- beginning and end ---------------------------------------------------------------------- */

static void
axis_free (HeddleSketchAxis *self)
{
  g_free (self->name);
  g_hash_table_unref (self->groups);
  g_free (self);
}

static void
value_free (HeddleSketchValue *self)
{
  g_array_unref (self->axes);
  g_free (self->raw);
  g_free (self->wish);
  g_clear_pointer (&self->numbers, heddle_array_unref);
  g_free (self);
}

static void
operation_free (HeddleSketchOperation *self)
{
  g_array_unref (self->operands);
  g_array_unref (self->results);
  g_array_unref (self->core);
  g_clear_pointer (&self->body, heddle_expr_unref);
  g_clear_pointer (&self->indices, g_ptr_array_unref);
  g_free (self->box);
  g_free (self->likeness);
  g_free (self->text);
  g_free (self);
}

HeddleSketch *
heddle_sketch_new (void)
{
  HeddleSketch *self = g_new0 (HeddleSketch, 1);

  self->axes = g_ptr_array_new_with_free_func ((GDestroyNotify) axis_free);
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) value_free);
  self->operations = g_ptr_array_new_with_free_func ((GDestroyNotify) operation_free);
  return self;
}

void
heddle_sketch_free (HeddleSketch *self)
{
  g_ptr_array_unref (self->axes);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->operations);
  g_clear_pointer (&self->reshaped, g_hash_table_unref);
  g_free (self);
}

void
heddle_sketch_keep_unrolled (HeddleSketch *self)
{
  self->unrolled = TRUE;
}

/* --- axes ------------------------------------------------------------------------------------- */

static HeddleSketchAxis *
axis_at (HeddleSketch *self, int axis)
{
  return g_ptr_array_index (self->axes, axis);
}

int
heddle_sketch_add_axis (HeddleSketch *self, gint64 size, const char *name, guint rank)
{
  HeddleSketchAxis *axis = g_new0 (HeddleSketchAxis, 1);

  axis->parent = (int) self->axes->len;
  axis->size = size;
  axis->name = g_strdup (name);
  axis->rank = rank;
  axis->groups = g_hash_table_new (NULL, NULL);
  g_ptr_array_add (self->axes, axis);
  return axis->parent;
}

int
heddle_sketch_find (HeddleSketch *self, int axis)
{
  int first = axis;

  while (axis_at (self, first)->parent != first)
    first = axis_at (self, first)->parent;
  while (axis != first)
    {
      int next = axis_at (self, axis)->parent;

      axis_at (self, axis)->parent = first;
      axis = next;
    }
  return first;
}

gint64
heddle_sketch_size (HeddleSketch *self, int axis)
{
  return axis_at (self, heddle_sketch_find (self, axis))->size;
}

int
heddle_sketch_add_like (HeddleSketch *self, int axis)
{
  const HeddleSketchAxis *like = axis_at (self, heddle_sketch_find (self, axis));

  return heddle_sketch_add_axis (self, like->size, like->name, like->rank + 1);
}

static gboolean
are_apart (const HeddleSketchAxis *a, const HeddleSketchAxis *b)
{
  GHashTableIter iter;
  gpointer group;

  g_hash_table_iter_init (&iter, a->groups);
  while (g_hash_table_iter_next (&iter, &group, NULL))
    if (g_hash_table_contains (b->groups, group))
      return TRUE;
  return FALSE;
}

/* Lets one axis absorb another: the one in fewer groups goes into the other. */
static void
absorb (HeddleSketchAxis *into, int into_number, HeddleSketchAxis *gone)
{
  GHashTableIter iter;
  gpointer group;

  g_hash_table_iter_init (&iter, gone->groups);
  while (g_hash_table_iter_next (&iter, &group, NULL))
    g_hash_table_add (into->groups, group);
  g_hash_table_remove_all (gone->groups);
  gone->parent = into_number;
  if (gone->rank < into->rank)
    {
      g_free (into->name);
      into->name = g_strdup (gone->name);
      into->rank = gone->rank;
    }
}

gboolean
heddle_sketch_merge (HeddleSketch *self, int a, int b)
{
  HeddleSketchAxis *one, *other;

  a = heddle_sketch_find (self, a);
  b = heddle_sketch_find (self, b);
  if (a == b)
    return TRUE;
  one = axis_at (self, a);
  other = axis_at (self, b);
  if (g_hash_table_size (one->groups) > g_hash_table_size (other->groups))
    {
      HeddleSketchAxis *smaller = other;

      other = one;
      one = smaller;
      b = a;
    }
  if (one->size != other->size || are_apart (one, other))
    return FALSE;
  absorb (other, b, one);
  return TRUE;
}

void
heddle_sketch_keep_apart (HeddleSketch *self, const int *axes, guint n)
{
  gpointer group = GINT_TO_POINTER (++self->n_groups);

  for (guint i = 0; n > 1 && i < n; i++)
    g_hash_table_add (axis_at (self, heddle_sketch_find (self, axes[i]))->groups, group);
}

const char *
heddle_sketch_symbol (HeddleSketch *self, int axis)
{
  g_autofree char *symbol = g_strdup_printf ("@%d", heddle_sketch_find (self, axis));

  return g_intern_string (symbol);
}

int
heddle_sketch_axis_of (HeddleSketch *self, const char *symbol)
{
  return heddle_sketch_find (self, atoi (symbol + 1));
}

HeddleExpr *
heddle_sketch_index (HeddleSketch *self, int axis)
{
  return heddle_expr_index (heddle_sketch_symbol (self, axis));
}

/* --- values ------------------------------------------------------------------------------------- */

int
heddle_sketch_add_value (
    HeddleSketch *self, HeddleValueRole role, HeddleDtype dtype, const int *axes, guint n_axes)
{
  HeddleSketchValue *value = g_new0 (HeddleSketchValue, 1);

  value->role = role;
  value->dtype = dtype;
  value->producer = -1;
  value->axes = g_array_new (FALSE, FALSE, sizeof (int));
  for (guint i = 0; i < n_axes; i++)
    {
      int axis = heddle_sketch_find (self, axes[i]);

      g_array_append_val (value->axes, axis);
    }
  heddle_sketch_keep_apart (self, axes, n_axes);
  g_ptr_array_add (self->values, value);
  return (int) self->values->len - 1;
}

void
heddle_sketch_set_name (HeddleSketch *self, int value, const char *raw)
{
  HeddleSketchValue *object = heddle_sketch_get_value (self, value);

  g_free (object->raw);
  object->raw = g_strdup (raw);
}

gboolean
heddle_sketch_can_be_called (HeddleSketch *self, int value, const char *raw)
{
  const HeddleSketchValue *object = heddle_sketch_get_value (self, value);

  return object->producer >= 0 && (object->raw == NULL || g_str_equal (object->raw, raw));
}

const GArray *
heddle_sketch_axes (HeddleSketch *self, int value)
{
  GArray *axes = heddle_sketch_get_value (self, value)->axes;

  for (guint i = 0; i < axes->len; i++)
    g_array_index (axes, int, i) = heddle_sketch_find (self, g_array_index (axes, int, i));
  return axes;
}

HeddleDtype
heddle_sketch_dtype (HeddleSketch *self, int value)
{
  return heddle_sketch_get_value (self, value)->dtype;
}

HeddleExpr *
heddle_sketch_body_of_places (HeddleSketch *self, int value)
{
  const HeddleSketchValue *object = heddle_sketch_get_value (self, value);
  const HeddleSketchOperation *operation;

  if (object->producer < 0 || object->raw != NULL)
    return NULL;
  operation = g_ptr_array_index (self->operations, object->producer);
  return operation->operands->len == 0 ? operation->body : NULL;
}

void
heddle_sketch_set_numbers (HeddleSketch *self, int value, HeddleArray *numbers)
{
  HeddleSketchValue *object = heddle_sketch_get_value (self, value);

  g_clear_pointer (&object->numbers, heddle_array_unref);
  object->numbers = heddle_array_ref (numbers);
  object->known = object->is_free = TRUE;
}

void
heddle_sketch_set_tensor (HeddleSketch *self, int value, const HeddleOnnxTensor *tensor, const char *folder)
{
  HeddleSketchValue *object = heddle_sketch_get_value (self, value);

  object->tensor = tensor;
  object->folder = folder;
  object->known = TRUE;
  /* whole numbers are places and sizes, which a model has no other way to say */
  object->is_free = heddle_onnx_dtype (tensor->type) == HEDDLE_DTYPE_I64;
}

gboolean
heddle_sketch_is_known (HeddleSketch *self, int value)
{
  return heddle_sketch_get_value (self, value)->known;
}

gboolean
heddle_sketch_is_free (HeddleSketch *self, int value)
{
  return heddle_sketch_get_value (self, value)->is_free;
}

/* --- operations ----------------------------------------------------------------------------------- */

static GArray *
numbers_new (const int *from, guint n)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (int));

  g_array_append_vals (numbers, from, n);
  return numbers;
}

static gboolean
is_empty (HeddleSketch *self, int value)
{
  const GArray *axes = heddle_sketch_axes (self, value);

  for (guint i = 0; i < axes->len; i++)
    if (heddle_sketch_size (self, g_array_index (axes, int, i)) == 0)
      return TRUE;
  return FALSE;
}

static HeddleSketchOperation *
add_operation (HeddleSketch *self, const char *kind, const int *operands, guint n_operands,
    const int *results, guint n_results)
{
  HeddleSketchOperation *operation = g_new0 (HeddleSketchOperation, 1);
  gboolean known = TRUE, is_free = TRUE;

  operation->kind = heddle_operation_kind (kind);
  operation->module = self->module;
  operation->source = self->source;
  g_assert (operation->kind != NULL);
  operation->operands = numbers_new (operands, n_operands);
  operation->results = numbers_new (results, n_results);
  operation->core = numbers_new (NULL, 0);
  for (guint i = 0; i < n_operands; i++)
    {
      known = known && heddle_sketch_is_known (self, operands[i]);
      is_free = is_free && heddle_sketch_is_free (self, operands[i]);
      self->n_empty += is_empty (self, operands[i]);
    }
  for (guint i = 0; i < n_results; i++)
    {
      heddle_sketch_get_value (self, results[i])->producer = (int) self->operations->len;
      heddle_sketch_get_value (self, results[i])->known = known;
      heddle_sketch_get_value (self, results[i])->is_free = known && is_free;
    }
  g_ptr_array_add (self->operations, operation);
  return operation;
}

int
heddle_sketch_map (HeddleSketch *self, const int *operands, guint n_operands, const int *axes, guint n_axes,
    HeddleExpr *body, HeddleDtype dtype)
{
  int result = heddle_sketch_add_value (self, HEDDLE_ROLE_INTERMEDIATE, dtype, axes, n_axes);

  add_operation (self, "map", operands, n_operands, &result, 1)->body = body;
  return result;
}

int
heddle_sketch_reindex (HeddleSketch *self, const int *operands, guint n_operands, const int *axes,
    guint n_axes, HeddleExpr **indices, HeddleDtype dtype)
{
  int result = heddle_sketch_add_value (self, HEDDLE_ROLE_INTERMEDIATE, dtype, axes, n_axes);
  HeddleSketchOperation *operation = add_operation (self, "reindex", operands, n_operands, &result, 1);

  operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < heddle_sketch_get_value (self, operands[0])->axes->len; i++)
    g_ptr_array_add (operation->indices, indices[i]);
  return result;
}

int
heddle_sketch_operate (HeddleSketch *self, const char *kind, const int *operands, guint n_operands,
    const int *core, guint n_core, const int *axes, guint n_axes, double option, HeddleDtype dtype)
{
  int result = heddle_sketch_add_value (self, HEDDLE_ROLE_INTERMEDIATE, dtype, axes, n_axes);
  HeddleSketchOperation *operation = add_operation (self, kind, operands, n_operands, &result, 1);

  g_array_append_vals (operation->core, core, n_core);
  operation->option = option;
  return result;
}

void
heddle_sketch_box (HeddleSketch *self, const char *name, const char *likeness, const int *operands,
    guint n_operands, const int *results, guint n_results)
{
  HeddleSketchOperation *operation = add_operation (self, "call", operands, n_operands, results, n_results);

  operation->box = g_strdup (name);
  operation->likeness = g_strdup (likeness);
  for (guint i = 0; i < n_results; i++)
    heddle_sketch_get_value (self, results[i])->known = heddle_sketch_get_value (self, results[i])->is_free
        = FALSE;
}

void
heddle_sketch_scan (HeddleSketch *self, const char *name, const char *text, int axis, const int *operands,
    guint n_operands, const int *results, guint n_results)
{
  heddle_sketch_box (self, name, text, operands, n_operands, results, n_results);
  HeddleSketchOperation *operation = self->operations->pdata[self->operations->len - 1];

  operation->text = g_strdup (text);
  g_array_append_val (operation->core, axis);
}

guint
heddle_sketch_count_empty (const HeddleSketch *self)
{
  return self->n_empty;
}

void
heddle_sketch_set_module (HeddleSketch *self, const char *path)
{
  self->module = path != NULL ? g_intern_string (path) : NULL;
}

void
heddle_sketch_set_source (HeddleSketch *self, const char *source)
{
  self->source = source;
}
