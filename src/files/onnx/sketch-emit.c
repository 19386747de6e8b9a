/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/snapshot.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/onnx/fold.h"
#include "files/onnx/model.h"
#include "files/onnx/name-results.h"
#include "files/onnx/names.h"
#include "files/onnx/recognise.h"
#include "files/onnx/sketch-emit.h"
#include "files/onnx/tensor.h"

/* The size of arrays up to which they are written into the diagram as a choice by their indices. */
#define MOST_WRITTEN 64
/* The name of the axis that runs through a model, and the least number of arrays that have it. */
#define WIDTH "m"
#define FEWEST_OF_WIDTH 6
/* The limits of the work for computing one number, in elements of arrays, and for all numbers, in visited
 * parts of the sketch. */
#define MOST_WORK (1 << 24)
#define MOST_LOOKED_AT (1 << 29)

/* --- what is needed ---------------------------------------------------------------------- */

/* Returns whether the diagram holds the numbers of a value instead of what makes it. */
static gboolean
is_cut (const HeddleSketchValue *value, gboolean for_numbers)
{
  return value->producer < 0
         || (value->numbers != NULL && (for_numbers || value->numbers->n_elements <= MOST_WRITTEN));
}

/* Returns which operations and values @wanted needs, to be cleared with sketch_reach_clear (). */
static HeddleSketchReach
sketch_reach (HeddleSketch *self, const GArray *wanted, gboolean for_numbers)
{
  HeddleSketchReach reach
      = { g_new0 (guint8, self->values->len + 1), g_new0 (guint8, self->operations->len + 1) };

  for (guint i = 0; i < wanted->len; i++)
    reach.values[g_array_index (wanted, int, i)] = TRUE;
  for (guint i = self->operations->len; i-- > 0;)
    {
      const HeddleSketchOperation *operation = g_ptr_array_index (self->operations, i);

      for (guint j = 0; j < operation->results->len; j++)
        {
          int result = g_array_index (operation->results, int, j);

          reach.operations[i]
              |= reach.values[result] && !is_cut (heddle_sketch_get_value (self, result), for_numbers);
        }
      for (guint j = 0; reach.operations[i] && j < operation->operands->len; j++)
        reach.values[g_array_index (operation->operands, int, j)] = TRUE;
      for (guint j = 0; reach.operations[i] && j < operation->results->len; j++)
        reach.values[g_array_index (operation->results, int, j)] = TRUE;
    }
  return reach;
}

/* Frees the bytes of a reach, but not itself. */
static void
sketch_reach_clear (HeddleSketchReach *self)
{
  g_free (self->values);
  g_free (self->operations);
}

void
heddle_sketch_visit_inputs (
    HeddleSketch *self, int value, void (*visit) (const char *raw, gpointer data), gpointer data)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (int));
  HeddleSketchReach reach;

  g_array_append_val (wanted, value);
  reach = sketch_reach (self, wanted, TRUE);
  for (guint i = 0; i < self->values->len; i++)
    {
      const HeddleSketchValue *source = heddle_sketch_get_value (self, (int) i);

      if (reach.values[i] && source->role == HEDDLE_ROLE_INPUT && source->raw != NULL)
        visit (source->raw, data);
    }
  sketch_reach_clear (&reach);
}

/* --- parts of the diagram ------------------------------------------------------------------ */

/* Returns the id of an axis in the diagram, to which it is added at first. */
static const char *
sketch_emit_axis (HeddleSketchEmission *self, int axis)
{
  int first = heddle_sketch_find (self->sketch, axis);
  const HeddleSketchAxis *object = g_ptr_array_index (self->sketch->axes, first);

  if (self->axis_ids[first] == NULL)
    {
      g_autofree char *name = heddle_sketch_choose_name (self->names, object->name);

      self->axis_ids[first]
          = heddle_diagram_add_axis (self->diagram, NULL, name, heddle_expr_number ((double) object->size))
                ->id;
    }
  return self->axis_ids[first];
}

static GArray *
emit_axes (HeddleSketchEmission *self, const GArray *axes)
{
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    heddle_ids_append (ids, sketch_emit_axis (self, g_array_index (axes, int, i)));
  return ids;
}

static HeddleExpr *
replace_symbol (const HeddleExpr *leaf, gpointer data)
{
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const char *id;

  if (kind != HEDDLE_EXPR_INDEX && kind != HEDDLE_EXPR_SIZE)
    return NULL;
  id = sketch_emit_axis (data, atoi (heddle_expr_get_symbol (leaf) + 1));
  return kind == HEDDLE_EXPR_INDEX ? heddle_expr_index (id) : heddle_expr_size (id);
}

static HeddleExpr *
emit_expr (HeddleSketchEmission *self, HeddleExpr *expr)
{
  return heddle_expr_substitute (expr, replace_symbol, self);
}

static HeddleValue *
add_value (HeddleSketchEmission *self, int value, HeddleValueRole role)
{
  const HeddleSketchValue *object = heddle_sketch_get_value (self->sketch, value);
  g_autoptr (GArray) axes = emit_axes (self, object->axes);
  g_autofree char *name = NULL;
  HeddleValue *made;

  if (self->for_numbers)
    name = g_strdup_printf ("k%d", value);
  else if (object->raw != NULL || role != HEDDLE_ROLE_INTERMEDIATE)
    name = heddle_sketch_choose_name (self->names, object->raw != NULL ? object->raw : "c");
  else if (object->wish != NULL)
    name = heddle_sketch_choose_name_beside (self->names, self->kept, object->wish);
  made = heddle_diagram_add_value (self->diagram, NULL, name, role, object->dtype, axes);
  self->value_ids[value] = made->id;
  if (name != NULL && object->raw != NULL && !self->for_numbers && !g_str_equal (name, object->raw))
    made->comment = heddle_onnx_comment (object->raw);
  return made;
}

/* Adds a value to the diagram and returns its id. */
static const char *
sketch_emit_value (HeddleSketchEmission *self, int value)
{
  return add_value (self, value, HEDDLE_ROLE_INTERMEDIATE)->id;
}

/* --- numbers that are known ------------------------------------------------------------------ */

static gboolean
is_written (const HeddleSketchValue *value)
{
  return value->numbers != NULL && value->role == HEDDLE_ROLE_INTERMEDIATE
         && value->numbers->n_elements <= MOST_WRITTEN;
}

/* Returns the number at each place of an array, as a choice by the indices of its axes. */
static HeddleExpr *
choose (HeddleSketchEmission *self, const GArray *axes, const HeddleArray *numbers, guint dim, gint64 *at)
{
  HeddleExpr *all = NULL;
  gint64 first = *at;

  if (dim == axes->len)
    return heddle_expr_number (numbers->data[(*at)++]);
  *at = first + numbers->n_elements;
  for (gint64 i = numbers->shape[dim]; i-- > 0;)
    {
      gint64 stride = 1, place;
      HeddleExpr *part;

      for (guint j = dim + 1; j < numbers->n_dims; j++)
        stride *= numbers->shape[j];
      place = first + i * stride;
      part = choose (self, axes, numbers, dim + 1, &place);
      if (all == NULL)
        all = part;
      else if (heddle_expr_equal (all, part))
        heddle_expr_unref (part);
      else
        all = heddle_expr_where (
            heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_index (heddle_ids_index (axes, dim)),
                heddle_expr_number ((double) i)),
            part, all);
    }
  return all;
}

/* Returns 3, 5, 7 … as an expression of the index; NULL if the numbers do not progress so. */
static HeddleExpr *
progress (const GArray *axes, const HeddleArray *numbers)
{
  double step;
  g_autoptr (HeddleExpr) made = NULL;

  if (axes->len != 1 || numbers->n_elements < 3)
    return NULL;
  step = numbers->data[1] - numbers->data[0];
  for (gint64 i = 0; i < numbers->n_elements; i++)
    if (numbers->data[i] != numbers->data[0] + (double) i * step || step != rint (step))
      return NULL;
  made = heddle_expr_binary (HEDDLE_EXPR_ADD,
      heddle_expr_binary (
          HEDDLE_EXPR_MUL, heddle_expr_number (step), heddle_expr_index (heddle_ids_index (axes, 0))),
      heddle_expr_number (numbers->data[0]));
  return heddle_expr_tidy (made);
}

static void
write_numbers (HeddleSketchEmission *self, int value)
{
  const HeddleSketchValue *object = heddle_sketch_get_value (self->sketch, value);
  HeddleValue *made = add_value (self, value, HEDDLE_ROLE_INTERMEDIATE);
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleExpr *body = progress (made->axes, object->numbers);
  HeddleOperation *operation;
  gint64 at = 0;

  if (body == NULL)
    body = choose (self, made->axes, object->numbers, 0, &at);
  operation = heddle_diagram_add_operation (
      self->diagram, NULL, heddle_operation_kind ("map"), operands, made->id, NULL, -1);
  operation->body = body;
  heddle_diagram_dtype_of_next (self->diagram, self->dtypes, operation);
}

/* Emits a value that nothing makes. */
static void
emit_leaf (HeddleSketchEmission *self, int value)
{
  const HeddleSketchValue *object = heddle_sketch_get_value (self->sketch, value);

  if (self->for_numbers)
    add_value (self, value, HEDDLE_ROLE_INPUT);
  else if (is_written (object))
    write_numbers (self, value);
  else
    add_value (self, value, object->role == HEDDLE_ROLE_INPUT ? HEDDLE_ROLE_INPUT : HEDDLE_ROLE_PARAMETER);
}

/* --- operations -------------------------------------------------------------------------------- */

static void
emit_operation (HeddleSketchEmission *self, const HeddleSketchOperation *operation)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) core = emit_axes (self, operation->core);
  int result = g_array_index (operation->results, int, 0);
  HeddleOperation *made;
  HeddleValue *value;
  HeddleDtype dtype;

  for (guint i = 0; i < operation->operands->len; i++)
    heddle_ids_append (operands, self->value_ids[g_array_index (operation->operands, int, i)]);
  value = add_value (self, result, HEDDLE_ROLE_INTERMEDIATE);
  dtype = value->dtype;
  value->dtype = HEDDLE_DTYPE_UNSET;
  made = heddle_diagram_add_operation (self->diagram, NULL, operation->kind, operands, value->id, core, -1);
  if (operation->module != NULL)
    g_hash_table_insert (self->modules, (gpointer) made->id, (gpointer) operation->module);
  if (operation->source != NULL && !self->for_numbers)
    value->comment = heddle_onnx_comment_on_source (value->comment, operation->source);
  made->options[0] = operation->option;
  if (operation->body != NULL)
    made->body = emit_expr (self, operation->body);
  if (operation->indices != NULL)
    made->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; operation->indices != NULL && i < operation->indices->len; i++)
    g_ptr_array_add (made->indices, emit_expr (self, g_ptr_array_index (operation->indices, i)));
  /* a type that follows from the operands is not declared */
  if (dtype != heddle_diagram_dtype_of_next (self->diagram, self->dtypes, made))
    value->dtype = dtype;
}

/* Keeps the names that the model itself gives to what is made, such as its results: nothing else gets
 * them. */
static void
keep_names (HeddleSketchEmission *self)
{
  self->kept = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->sketch->values->len; i++)
    {
      const HeddleSketchValue *value = heddle_sketch_get_value (self->sketch, (int) i);

      if (self->reach.values[i] && value->raw != NULL && value->role == HEDDLE_ROLE_INTERMEDIATE)
        g_hash_table_add (self->kept, value->raw);
    }
}

static void sketch_emit_box (HeddleSketchEmission *self, const HeddleSketchOperation *operation);

/* Adds what @wanted (value numbers) needs to the diagram. */
static void
sketch_emit (HeddleSketchEmission *self, const GArray *wanted)
{
  HeddleSketch *sketch = self->sketch;

  self->snapshot = heddle_snapshot_new ();
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  heddle_sketch_take_name (self->names, self->diagram->name, 1);
  self->modules = g_hash_table_new (NULL, NULL);
  self->dtypes = g_hash_table_new (NULL, NULL);
  self->boxes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->axis_ids = g_new0 (const char *, sketch->axes->len + 1);
  self->value_ids = g_new0 (const char *, sketch->values->len + 1);
  self->reach = sketch_reach (sketch, wanted, self->for_numbers);
  if (!self->for_numbers)
    heddle_sketch_name_results (sketch, &self->reach);
  keep_names (self);
  for (guint i = 0; i < sketch->values->len; i++)
    {
      const HeddleSketchValue *value = heddle_sketch_get_value (sketch, (int) i);

      if ((self->reach.values[i] || (value->role == HEDDLE_ROLE_INPUT && !self->for_numbers))
          && is_cut (value, self->for_numbers))
        emit_leaf (self, (int) i);
    }
  for (guint i = 0; i < sketch->operations->len; i++)
    {
      const HeddleSketchOperation *operation = g_ptr_array_index (sketch->operations, i);

      if (!self->reach.operations[i])
        continue;
      if (operation->box != NULL)
        sketch_emit_box (self, operation);
      else
        emit_operation (self, operation);
    }
}

/* Frees what an emission holds, but not its diagram. */
static void
sketch_emission_clear (HeddleSketchEmission *self)
{
  g_clear_pointer (&self->snapshot, heddle_snapshot_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->kept, g_hash_table_unref);
  g_clear_pointer (&self->modules, g_hash_table_unref);
  g_clear_pointer (&self->dtypes, g_hash_table_unref);
  g_clear_pointer (&self->boxes, g_hash_table_unref);
  g_clear_pointer (&self->axis_ids, g_free);
  g_clear_pointer (&self->value_ids, g_free);
  sketch_reach_clear (&self->reach);
}

/* Names the width of the model, the axis that most arrays have, if only parameters have named it. */
static void
name_width (HeddleSketch *self)
{
  g_autofree guint *counts = g_new0 (guint, self->axes->len + 1);
  HeddleSketchAxis *width = NULL;
  guint most = FEWEST_OF_WIDTH - 1;

  for (guint i = 0; i < self->values->len; i++)
    {
      const GArray *axes = heddle_sketch_axes (self, (int) i);

      for (guint j = 0; j < axes->len; j++)
        counts[g_array_index (axes, int, j)]++;
    }
  for (guint i = 0; i < self->axes->len; i++)
    {
      HeddleSketchAxis *axis = g_ptr_array_index (self->axes, i);

      if (axis->parent == (int) i && axis->rank <= 1 && g_str_equal (axis->name, WIDTH))
        return;
      if (axis->parent == (int) i && axis->rank == 2 && counts[i] > most)
        {
          most = counts[i];
          width = axis;
        }
    }
  if (width == NULL)
    return;
  g_free (width->name);
  width->name = g_strdup (WIDTH);
}

HeddleSnapshot *
heddle_sketch_finish (HeddleSketch *self, const char *name, const GArray *outputs, GError **error)
{
  g_autofree char *chosen = NULL;
  HeddleSketchEmission emission = { .sketch = self };
  g_autoptr (GHashTable) none = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  HeddleSnapshot *snapshot;

  heddle_sketch_recognise (self);
  name_width (self);
  chosen = heddle_sketch_choose_name (none, name);
  emission.diagram = heddle_diagram_new (chosen);
  sketch_emit (&emission, outputs);
  emission.diagram->explicit_outputs = TRUE;
  for (guint i = 0; i < outputs->len; i++)
    heddle_ids_append (emission.diagram->outputs, emission.value_ids[g_array_index (outputs, int, i)]);
  g_ptr_array_insert (emission.snapshot->diagrams, 0, emission.diagram);
  if (!self->unrolled)
    heddle_sketch_fold (&emission);
  snapshot = g_steal_pointer (&emission.snapshot);
  sketch_emission_clear (&emission);
  return snapshot;
}

/* --- numbers --------------------------------------------------------------------------------------- */

static gboolean
is_too_much (HeddleSketchEmission *self, HeddleSizes *sizes)
{
  gint64 work = 0;

  for (guint i = 0; i < self->diagram->values->len && work <= MOST_WORK; i++)
    work += MIN (
        heddle_sizes_elements (sizes, g_ptr_array_index (self->diagram->values, i)), (gint64) MOST_WORK + 1);
  return work > MOST_WORK;
}

/* Reads the numbers of an array of the model, without its sizes of 1. */
static gboolean
load (HeddleSketch *self, int value, GError **error)
{
  HeddleSketchValue *object = heddle_sketch_get_value (self, value);
  gint64 shape[HEDDLE_ONNX_MAX_RANK];

  if (object->numbers != NULL)
    return TRUE;
  if (heddle_onnx_tensor_count (object->tensor) > MOST_WORK)
    {
      g_set_error_literal (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT,
          _ ("computing a constant takes too much work"));
      return FALSE;
    }
  g_autoptr (HeddleArray) read = heddle_onnx_tensor_read (object->tensor, object->folder, error);
  if (read == NULL)
    return FALSE;
  for (guint i = 0; i < object->axes->len; i++)
    shape[i] = heddle_sketch_size (self, g_array_index (object->axes, int, i));
  object->numbers = heddle_array_new (read->dtype, object->axes->len, shape, error);
  for (gint64 i = 0; object->numbers != NULL && i < read->n_elements; i++)
    object->numbers->data[i] = read->data[i];
  return object->numbers != NULL;
}

static gboolean
load_leaves (HeddleSketchEmission *self, GHashTable *inputs, GError **error)
{
  for (guint i = 0; i < self->sketch->values->len; i++)
    {
      const HeddleSketchValue *value = heddle_sketch_get_value (self->sketch, (int) i);

      if (self->value_ids[i] == NULL || (value->numbers == NULL && value->tensor == NULL))
        continue;
      if (!load (self->sketch, (int) i, error))
        return FALSE;
      g_hash_table_insert (inputs, g_strdup_printf ("k%u", i), value->numbers);
    }
  return TRUE;
}

static HeddleArray *
work_out (HeddleSketchEmission *self, int value, GError **error)
{
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (self->diagram, NULL, error);
  g_autoptr (GHashTable) inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) values = NULL;
  g_autoptr (GArray) wanted = heddle_ids_new ();
  HeddleArray *found;

  if (sizes == NULL)
    return NULL;
  if (is_too_much (self, sizes))
    {
      g_set_error_literal (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT,
          _ ("computing a constant takes too much work"));
      return NULL;
    }
  if (!load_leaves (self, inputs, error))
    return NULL;
  heddle_ids_append (wanted, self->value_ids[value]);
  values = heddle_evaluate_wanted (self->diagram, sizes, inputs, wanted, HEDDLE_PRECISION_F64, NULL, error);
  found = values != NULL ? g_hash_table_lookup (values, self->value_ids[value]) : NULL;
  return found != NULL ? heddle_array_ref (found) : NULL;
}

const HeddleArray *
heddle_sketch_numbers (HeddleSketch *self, int value, GError **error)
{
  HeddleSketchEmission emission = { .sketch = self, .for_numbers = TRUE };
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (HeddleArray) numbers = NULL;

  g_return_val_if_fail (heddle_sketch_is_known (self, value), NULL);
  if (heddle_sketch_get_value (self, value)->tensor != NULL && !load (self, value, error))
    return NULL;
  if (heddle_sketch_get_value (self, value)->numbers != NULL)
    return heddle_sketch_get_value (self, value)->numbers;
  self->work += self->values->len + self->operations->len + self->axes->len;
  if (self->work > MOST_LOOKED_AT)
    {
      g_set_error_literal (
          error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT, _ ("computing constants takes too much work"));
      return NULL;
    }
  g_array_append_val (wanted, value);
  emission.diagram = heddle_diagram_new ("numbers");
  sketch_emit (&emission, wanted);
  numbers = work_out (&emission, value, error);
  heddle_diagram_free (emission.diagram);
  sketch_emission_clear (&emission);
  if (numbers != NULL)
    heddle_sketch_set_numbers (self, value, numbers);
  return heddle_sketch_get_value (self, value)->numbers;
}

/* This part emits calls of unknown functions: a definition whose results are declared and made by nothing. */

typedef struct
{
  HeddleSketchEmission *emission;
  HeddleDiagram *definition;
  GHashTable *names; /* taken within the definition */
  GHashTable *axes; /* axis of the sketch + 1 -> id within the definition */
} Box;

static GArray *
axes_within (Box *self, int value)
{
  HeddleSketch *sketch = self->emission->sketch;
  const GArray *axes = heddle_sketch_axes (sketch, value);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    {
      int axis = g_array_index (axes, int, i);
      const char *id = g_hash_table_lookup (self->axes, GINT_TO_POINTER (axis + 1));

      if (id == NULL)
        {
          const HeddleSketchAxis *object = g_ptr_array_index (sketch->axes, axis);
          g_autofree char *name = heddle_sketch_choose_name (self->names, object->name);

          id = heddle_diagram_add_axis (
              self->definition, NULL, name, heddle_expr_number ((double) object->size))
                   ->id;
          g_hash_table_insert (self->axes, GINT_TO_POINTER (axis + 1), (gpointer) id);
        }
      heddle_ids_append (ids, id);
    }
  return ids;
}

static const char *
add_within (Box *self, int value, HeddleValueRole role, const char *name)
{
  g_autoptr (GArray) axes = axes_within (self, value);
  g_autofree char *chosen = heddle_sketch_choose_name (self->names, name);

  return heddle_diagram_add_value (self->definition, NULL, chosen, role,
      heddle_sketch_get_value (self->emission->sketch, value)->dtype, axes)
      ->id;
}

/* Defines a box. Axes come before the arrays, so that names are the same however often the definition is
 * written and read. */
static HeddleDiagram *
define (HeddleSketchEmission *emission, const HeddleSketchOperation *operation)
{
  g_autofree char *name = heddle_sketch_choose_name (emission->names, operation->box);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) axes = g_hash_table_new (NULL, NULL);
  Box self = { emission, heddle_diagram_new (name), names, axes };

  for (guint i = 0; i < operation->operands->len; i++)
    add_within (&self, g_array_index (operation->operands, int, i), HEDDLE_ROLE_INPUT, "X");
  self.definition->explicit_outputs = TRUE;
  for (guint i = 0; i < operation->results->len; i++)
    heddle_ids_append (self.definition->outputs,
        add_within (&self, g_array_index (operation->results, int, i), HEDDLE_ROLE_INTERMEDIATE, "Y"));
  return heddle_snapshot_add_diagram (emission->snapshot, self.definition);
}

/* --- one definition for all that are alike --------------------------------------------------------- */

static void
add_type (GString *key, HeddleSketch *sketch, int value, GArray *met)
{
  const GArray *axes = heddle_sketch_axes (sketch, value);

  g_string_append_printf (
      key, " %s[", heddle_dtype_to_string (heddle_sketch_get_value (sketch, value)->dtype));
  for (guint i = 0; i < axes->len; i++)
    {
      int axis = g_array_index (axes, int, i);
      guint at = 0;

      while (at < met->len && g_array_index (met, int, at) != axis)
        at++;
      if (at == met->len)
        g_array_append_val (met, axis);
      g_string_append_printf (key, " %u=%" G_GINT64_FORMAT, at, heddle_sketch_size (sketch, axis));
    }
  g_string_append_c (key, ']');
}

/* Returns a key of what is done and of the types of what it reads and makes, whatever their axes are
 * called. */
static char *
key_of (HeddleSketch *sketch, const HeddleSketchOperation *operation)
{
  GString *key = g_string_new (operation->likeness);
  g_autoptr (GArray) met = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < operation->operands->len; i++)
    add_type (key, sketch, g_array_index (operation->operands, int, i), met);
  g_string_append (key, " ->");
  for (guint i = 0; i < operation->results->len; i++)
    add_type (key, sketch, g_array_index (operation->results, int, i), met);
  return g_string_free (key, FALSE);
}

/* Reads what is scanned. */
static HeddleDiagram *
read_definition (HeddleSketchEmission *self, const HeddleSketchOperation *operation)
{
  g_autofree char *name = heddle_sketch_choose_name (self->names, operation->box);
  g_autofree char *text = g_strdup_printf ("def %s%s\nX : [u=1]\n", name, operation->text);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) read = heddle_equations_read (text, -1, name, problems);

  g_assert (read != NULL && read->diagrams->len == 2); /* a text of ours */
  return heddle_snapshot_add_diagram (
      self->snapshot, heddle_diagram_copy (g_ptr_array_index (read->diagrams, 1)));
}

static const HeddleDiagram *
definition_of (HeddleSketchEmission *self, const HeddleSketchOperation *operation)
{
  g_autofree char *key
      = operation->text != NULL ? g_strdup (operation->text) : key_of (self->sketch, operation);
  HeddleDiagram *definition = g_hash_table_lookup (self->boxes, key);

  if (definition == NULL)
    {
      definition = operation->text != NULL ? read_definition (self, operation) : define (self, operation);
      g_hash_table_insert (self->boxes, g_steal_pointer (&key), definition);
    }
  return definition;
}

/* Emits an operation as a call of a box, or as a scan. */
static void
sketch_emit_box (HeddleSketchEmission *self, const HeddleSketchOperation *operation)
{
  g_autoptr (GArray) operands = heddle_ids_new (), core = emit_axes (self, operation->core);
  const HeddleDiagram *definition = definition_of (self, operation);
  HeddleOperation *call = NULL;

  for (guint i = 0; i < operation->operands->len; i++)
    heddle_ids_append (operands, self->value_ids[g_array_index (operation->operands, int, i)]);
  for (guint i = 0; i < operation->results->len; i++)
    {
      int result = g_array_index (operation->results, int, i);
      const char *id = sketch_emit_value (self, result);

      if (call == NULL)
        call = heddle_diagram_add_operation (self->diagram, NULL, operation->kind, operands, id, core, -1);
      else
        heddle_diagram_add_result (self->diagram, call, id);
    }
  call->callee = definition->id;
  const HeddleDtype dtype = heddle_diagram_dtype_of_next (self->diagram, self->dtypes, call);
  for (guint i = 0; operation->text != NULL && i < operation->results->len; i++)
    { /* a type that follows from the operands is not declared */
      HeddleValue *made = heddle_diagram_edit_value (self->diagram, heddle_operation_get_result (call, i));
      made->dtype = made->dtype != dtype ? made->dtype : HEDDLE_DTYPE_UNSET;
    }
  if (operation->module != NULL)
    g_hash_table_insert (self->modules, (gpointer) call->id, (gpointer) operation->module);
}
