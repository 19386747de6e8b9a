/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "files/onnx/context.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch-emit.h"
#include "files/onnx/sketch.h"
#include "files/onnx/tensor.h"

/* This file has what the rows of the tables of operators use. */

gboolean
heddle_import_refuse (HeddleImport *self, const char *format, ...)
{
  va_list arguments;

  if (self->why != NULL)
    return FALSE;
  va_start (arguments, format);
  self->why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

gboolean
heddle_import_check_indices (HeddleImport *self, const HeddleFlow *indices)
{
  return indices->type == HEDDLE_ONNX_INT64 || indices->type == HEDDLE_ONNX_INT32
         || heddle_import_refuse (self, _ ("the indices are not whole numbers (i64 or i32)"));
}

guint
heddle_import_n_inputs (HeddleImport *self)
{
  guint n = self->node->inputs->len;

  while (n > 0 && *(const char *) g_ptr_array_index (self->node->inputs, n - 1) == '\0')
    n--;
  return n;
}

const HeddleFlow *
heddle_import_input (HeddleImport *self, guint i)
{
  const char *name;

  if (i >= self->node->inputs->len)
    return NULL;
  name = g_ptr_array_index (self->node->inputs, i);
  return *name != '\0' ? g_hash_table_lookup (self->flows, name) : NULL;
}

gboolean
heddle_import_has_output (HeddleImport *self, guint i)
{
  return i < self->node->outputs->len && *(const char *) g_ptr_array_index (self->node->outputs, i) != '\0';
}

gboolean
heddle_import_give (HeddleImport *self, guint i, const HeddleFlow *flow)
{
  if (heddle_import_has_output (self, i))
    g_hash_table_replace (
        self->flows, g_strdup (g_ptr_array_index (self->node->outputs, i)), g_memdup2 (flow, sizeof *flow));
  return TRUE;
}

static void
want (const char *raw, gpointer data)
{
  g_hash_table_add (((HeddleImport *) data)->wants, g_strdup (raw));
}

HeddleArray *
heddle_import_constant (HeddleImport *self, guint i)
{
  const HeddleFlow *flow = heddle_import_input (self, i);
  g_autoptr (GError) error = NULL;
  HeddleArray *numbers;

  if (flow == NULL)
    heddle_import_refuse (self, _ ("input %u is missing"), i);
  else if (!heddle_sketch_is_known (self->sketch, flow->value))
    {
      heddle_sketch_visit_inputs (self->sketch, flow->value, want, self);
      heddle_import_refuse (self, _ ("“%s” would have to be known (--constant)"),
          (const char *) g_ptr_array_index (self->node->inputs, i));
    }
  else
    {
      numbers = heddle_flow_numbers (self->sketch, flow, &error);
      if (numbers != NULL)
        return numbers;
      heddle_import_refuse (self, "%s", error->message);
    }
  return NULL;
}

gboolean
heddle_import_ints (HeddleImport *self, int input, const char *attribute, GArray **ints, gboolean *found)
{
  const GArray *given = attribute != NULL ? heddle_onnx_node_ints (self->node, attribute) : NULL;
  g_autoptr (HeddleArray) numbers = NULL;

  *ints = g_array_new (FALSE, FALSE, sizeof (gint64));
  *found = FALSE;
  if (input >= 0 && heddle_import_input (self, (guint) input) != NULL)
    {
      numbers = heddle_import_constant (self, (guint) input);
      if (numbers == NULL)
        return FALSE;
      for (gint64 i = 0; i < numbers->n_elements; i++)
        {
          gint64 number = (gint64) CLAMP (numbers->data[i], -9e18, 9e18);
          g_array_append_val (*ints, number);
        }
      *found = TRUE;
    }
  else if (given != NULL)
    {
      g_array_append_vals (*ints, given->data, given->len);
      *found = TRUE;
    }
  return TRUE;
}

gboolean
heddle_import_number (HeddleImport *self, guint input, double otherwise, double *number)
{
  g_autoptr (HeddleArray) numbers = NULL;

  *number = otherwise;
  if (heddle_import_input (self, input) == NULL)
    return TRUE;
  numbers = heddle_import_constant (self, input);
  if (numbers == NULL)
    return FALSE;
  if (numbers->n_elements != 1)
    return heddle_import_refuse (self, _ ("input %u is not one number"), input);
  *number = numbers->data[0];
  return TRUE;
}

gboolean
heddle_import_axis (HeddleImport *self, gint64 axis, guint rank, guint *found)
{
  gint64 from_start = axis < 0 ? axis + rank : axis;

  *found = (guint) MAX (from_start, 0);
  if (from_start >= 0 && from_start < rank)
    return TRUE;
  return heddle_import_refuse (self, _ ("there is no axis %" PRId64 " among %u dimensions"), axis, rank);
}

typedef struct
{
  double numbers[3];
} Letters;

static HeddleExpr *
replace_letter (const HeddleExpr *leaf, gpointer data)
{
  const Letters *self = data;
  const char *name;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE)
    return NULL;
  name = heddle_expr_get_symbol (leaf);
  g_assert (name[0] >= 'a' && name[0] <= 'c' && name[1] == '\0');
  return heddle_expr_number (self->numbers[name[0] - 'a']);
}

HeddleExpr *
heddle_import_expr (const char *text, double a, double b, double c)
{
  g_autoptr (HeddleExpr) expr = heddle_expr_literal (text);
  Letters letters = { { a, b, c } };

  return heddle_expr_substitute (expr, replace_letter, &letters);
}

/* Applies NumPy's broadcasting if some input has no elements. Returns %FALSE if all have some, or if the
 * shapes do not fit together. */
static gboolean
broadcast_empty (const HeddleFlow *const *inputs, guint n, HeddleFlow *empty)
{
  *empty = (HeddleFlow){ 0 };
  for (guint i = 0; i < n; i++)
    empty->rank = MAX (empty->rank, inputs[i]->rank);
  for (guint d = 0; d < empty->rank; d++)
    {
      HeddleDim *dim = &empty->dims[d];

      *dim = (HeddleDim){ 1, -1 };
      for (guint i = 0; i < n; i++)
        {
          guint missing = empty->rank - inputs[i]->rank;
          gint64 size = d >= missing ? inputs[i]->dims[d - missing].size : 1;

          if (size != 1 && dim->size != 1 && size != dim->size)
            return FALSE;
          dim->size = size != 1 ? size : dim->size;
        }
    }
  return heddle_flow_count (empty) == 0;
}

gboolean
heddle_import_map (
    HeddleImport *self, guint output, const HeddleFlow *const *inputs, guint n, HeddleExpr *body, int type)
{
  HeddleFlow result;

  for (guint i = 0; i < n; i++)
    if (inputs[i] == NULL)
      {
        heddle_expr_unref (body);
        return heddle_import_refuse (self, _ ("an input is missing"));
      }
  if (broadcast_empty (inputs, n, &result))
    {
      heddle_expr_unref (body);
      result.type = type;
      return heddle_import_give_empty (self, output, &result);
    }
  if (!heddle_flow_map (self->sketch, inputs, n, body, type, &result))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  return heddle_import_give (self, output, &result);
}

gboolean
heddle_import_fill (
    HeddleImport *self, HeddleExpr *body, const HeddleDim *dims, guint rank, int type, HeddleFlow *flow)
{
  g_autoptr (HeddleExpr) owned = body;
  HeddleExpr *tidy;
  int axes[HEDDLE_ONNX_MAX_RANK];
  guint n = 0;

  *flow = (HeddleFlow){ .type = type, .rank = rank };
  for (guint i = 0; i < rank; i++)
    {
      flow->dims[i] = dims[i];
      if (dims[i].axis >= 0)
        axes[n++] = dims[i].axis;
    }
  tidy = heddle_expr_tidy (owned);
  flow->value = heddle_sketch_map (self->sketch, NULL, 0, axes, n, tidy, heddle_onnx_dtype (type));
  return TRUE;
}

HeddleFlow
heddle_import_known (HeddleImport *self, HeddleArray *numbers, int type)
{
  HeddleFlow flow = { .type = type, .rank = numbers->n_dims };
  int axes[HEDDLE_ONNX_MAX_RANK];
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  g_autoptr (HeddleArray) squeezed = NULL;
  guint n = 0;

  for (guint i = 0; i < numbers->n_dims; i++)
    {
      flow.dims[i] = heddle_dim_new (self->sketch, numbers->shape[i], "i");
      if (flow.dims[i].axis < 0)
        continue;
      shape[n] = numbers->shape[i];
      axes[n++] = flow.dims[i].axis;
    }
  flow.value
      = heddle_sketch_add_value (self->sketch, HEDDLE_ROLE_INTERMEDIATE, heddle_onnx_dtype (type), axes, n);
  squeezed = heddle_array_new (numbers->dtype, n, shape, NULL);
  for (gint64 i = 0; squeezed != NULL && i < numbers->n_elements; i++)
    squeezed->data[i] = numbers->data[i];
  if (squeezed != NULL)
    heddle_sketch_set_numbers (self->sketch, flow.value, squeezed);
  return flow;
}

HeddleFlow
heddle_import_empty (HeddleImport *self, const HeddleFlow *like)
{
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  g_autoptr (HeddleArray) empty = NULL;

  for (guint i = 0; i < like->rank; i++)
    shape[i] = like->dims[i].size;
  empty = heddle_array_new (HEDDLE_DTYPE_F64, like->rank, shape, NULL);
  g_assert (empty != NULL);
  return heddle_import_known (self, empty, like->type);
}

gboolean
heddle_import_give_empty (HeddleImport *self, guint i, const HeddleFlow *like)
{
  const HeddleFlow empty = heddle_import_empty (self, like);

  return heddle_import_give (self, i, &empty);
}

HeddleFlow
heddle_import_known_ints (HeddleImport *self, const gint64 *numbers, guint n)
{
  gint64 size = n;
  g_autoptr (HeddleArray) array = heddle_array_new (HEDDLE_DTYPE_I64, 1, &size, NULL);

  g_assert (array != NULL);
  for (guint i = 0; i < n; i++)
    array->data[i] = (double) numbers[i];
  return heddle_import_known (self, array, HEDDLE_ONNX_INT64);
}

gboolean
heddle_import_check_lengths (HeddleImport *self, const GArray *lengths)
{
  for (guint i = 0; lengths != NULL && i < lengths->len; i++)
    {
      const gint64 length = g_array_index (lengths, gint64, i);

      if (length < -G_MAXINT32 || length > G_MAXINT32)
        return heddle_import_refuse (self, _ ("a size of %" PRId64), length);
    }
  return TRUE;
}

gboolean
heddle_import_has_negative (HeddleImport *self, const HeddleFlow *flow)
{
  g_autoptr (HeddleArray) numbers = NULL;

  if (!heddle_sketch_is_known (self->sketch, flow->value)
      || (numbers = heddle_flow_numbers (self->sketch, flow, NULL)) == NULL)
    return TRUE;
  for (gint64 i = 0; i < numbers->n_elements; i++)
    if (numbers->data[i] < 0.)
      return TRUE;
  return FALSE;
}
