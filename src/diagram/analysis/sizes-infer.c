/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "diagram/analysis/merge.h"
#include "diagram/analysis/sizes-infer.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* Sizes that follow from reads:
 *
 *   X[s z + d w - p]   z goes as far as windows are inside: floor ((x + 2 p - d (w - 1) - 1) / s) + 1, with as much padding after
 *                      the array as there is before it (p), the convention of convolutions
 *   X[(h u)]           u is x / h
 *   Y[(h u)] = …       the merged axis is h u
 *   concat[f](…)       f is the sum of what is joined */

/* An index that is a sum of other axes' indices, each times something, and of something else. */
typedef struct
{
  GPtrArray *coefficients; /* of HeddleExpr */
  GArray *axes; /* ids */
  HeddleExpr *rest; /* NULL: 0 */
} Linear;

static HeddleExpr *
plus (HeddleExpr *sum, HeddleExpr *term)
{
  return sum != NULL ? heddle_expr_binary (HEDDLE_EXPR_ADD, sum, term) : term;
}

static HeddleExpr *
times (const HeddleExpr *scale, HeddleExpr *value)
{
  if (scale == NULL)
    return value;
  return heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref ((HeddleExpr *) scale), value);
}

static gboolean collect (Linear *self, HeddleExpr *expr, HeddleExpr *scale);

static gboolean
collect_negative (Linear *self, HeddleExpr *expr, HeddleExpr *scale)
{
  g_autoptr (HeddleExpr) negative = times (scale, heddle_expr_number (-1.));

  return collect (self, expr, negative);
}

static gboolean
collect_product (Linear *self, HeddleExpr *a, HeddleExpr *b, HeddleExpr *scale)
{
  gboolean is_first = heddle_expr_uses (a, HEDDLE_EXPR_INDEX, NULL);
  g_autoptr (HeddleExpr) scaled = times (scale, heddle_expr_ref (is_first ? b : a));

  return !heddle_expr_uses (is_first ? b : a, HEDDLE_EXPR_INDEX, NULL)
         && collect (self, is_first ? a : b, scaled);
}

static gboolean
collect (Linear *self, HeddleExpr *expr, HeddleExpr *scale)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  HeddleExpr *a = heddle_expr_get_n_children (expr) > 0 ? heddle_expr_get_child (expr, 0) : NULL;
  HeddleExpr *b = heddle_expr_get_n_children (expr) > 1 ? heddle_expr_get_child (expr, 1) : NULL;

  if (heddle_expr_count (expr, HEDDLE_EXPR_ARGUMENT) > 0)
    return FALSE;
  if (!heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL))
    {
      self->rest = plus (self->rest, times (scale, heddle_expr_ref (expr)));
      return TRUE;
    }
  if (kind == HEDDLE_EXPR_INDEX)
    {
      g_ptr_array_add (self->coefficients, times (scale, heddle_expr_number (1.)));
      heddle_ids_append (self->axes, heddle_expr_get_symbol (expr));
      return TRUE;
    }
  if (kind == HEDDLE_EXPR_ADD || kind == HEDDLE_EXPR_SUB)
    return collect (self, a, scale)
           && (kind == HEDDLE_EXPR_ADD ? collect (self, b, scale) : collect_negative (self, b, scale));
  if (kind == HEDDLE_EXPR_NEG)
    return collect_negative (self, a, scale);
  return kind == HEDDLE_EXPR_MUL && collect_product (self, a, b, scale);
}

static Linear *
linear_new (HeddleExpr *index)
{
  Linear *self = g_new0 (Linear, 1);

  self->coefficients = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  self->axes = heddle_ids_new ();
  if (!collect (self, index, NULL))
    g_array_set_size (self->axes, 0);
  return self;
}

static void
linear_free (Linear *self)
{
  g_ptr_array_unref (self->coefficients);
  g_array_unref (self->axes);
  g_clear_pointer (&self->rest, heddle_expr_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Linear, linear_free)

/* --- what follows ------------------------------------------------------------------------ */

typedef struct
{
  const HeddleDiagram *diagram;
  HeddleSizesKnown known;
  HeddleSizesInferred inferred;
  gpointer data;
} Inference;

static gboolean
is_known (const Inference *self, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, axis_id);

  return axis == NULL || self->known (axis, self->data);
}

/* Returns the one axis whose size is not given; -1 if there is none, or several. */
static int
find_open (const Inference *self, const GArray *axes)
{
  int open = -1;

  for (guint i = 0; i < axes->len; i++)
    {
      if (is_known (self, heddle_ids_index (axes, i)))
        continue;
      if (open >= 0)
        return -1;
      open = (int) i;
    }
  return open;
}

static gboolean
is_positive (const HeddleExpr *coefficient)
{
  double value;

  return !heddle_expr_evaluate (coefficient, NULL, NULL, &value, NULL) || value > 0.;
}

/* Returns how much of the array there is for windows to begin in: its size, less what comes before the first,
 * or with padding on both sides. */
static HeddleExpr *
room (const Linear *linear, const char *operand_axis)
{
  HeddleExpr *size = heddle_expr_size (operand_axis);
  HeddleExpr *rest = linear->rest;
  double value = NAN;

  if (rest == NULL)
    return size;
  if (heddle_expr_evaluate (rest, NULL, NULL, &value, NULL))
    return heddle_expr_binary (HEDDLE_EXPR_SUB, size, heddle_expr_number (value < 0. ? 2. * value : value));
  size = heddle_expr_binary (HEDDLE_EXPR_SUB, size, heddle_expr_ref (rest));
  return heddle_expr_binary (HEDDLE_EXPR_ADD, size,
      heddle_expr_binary (HEDDLE_EXPR_MAX, heddle_expr_unary (HEDDLE_EXPR_NEG, heddle_expr_ref (rest)),
          heddle_expr_number (0.)));
}

static HeddleExpr *
size_of_windows (const Linear *linear, guint open, const char *operand_axis)
{
  HeddleExpr *size = room (linear, operand_axis);

  for (guint i = 0; i < linear->axes->len; i++)
    if (i != open)
      size = heddle_expr_binary (HEDDLE_EXPR_SUB, size,
          times (g_ptr_array_index (linear->coefficients, i),
              heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_size (heddle_ids_index (linear->axes, i)),
                  heddle_expr_number (1.))));
  size = heddle_expr_binary (HEDDLE_EXPR_SUB, size, heddle_expr_number (1.));
  size = heddle_expr_unary (
      HEDDLE_EXPR_FLOOR, heddle_expr_binary (HEDDLE_EXPR_DIV, size,
                             heddle_expr_ref (g_ptr_array_index (linear->coefficients, open))));
  return heddle_expr_binary (HEDDLE_EXPR_ADD, size, heddle_expr_number (1.));
}

static void
infer_windows (const Inference *self, HeddleExpr *index, const char *operand_axis)
{
  g_autoptr (Linear) linear = linear_new (index);
  int open = find_open (self, linear->axes);

  if (open < 0)
    return;
  for (guint i = 0; i < linear->axes->len; i++)
    if (!is_positive (g_ptr_array_index (linear->coefficients, i)))
      return;
  self->inferred (heddle_ids_index (linear->axes, open), size_of_windows (linear, (guint) open, operand_axis),
      self->data);
}

/* Infers the size of h or u from X[(h u)] where one of them is open: it is what is left of x. */
static gboolean
infer_split (const Inference *self, const HeddleExpr *index, const char *operand_axis)
{
  g_autoptr (GArray) axes = heddle_merge_match (index);
  HeddleExpr *size = heddle_expr_size (operand_axis);
  int open = axes != NULL ? find_open (self, axes) : -1;

  for (guint i = 0; open >= 0 && i < axes->len; i++)
    if (i != (guint) open)
      size = heddle_expr_binary (HEDDLE_EXPR_DIV, size, heddle_expr_size (heddle_ids_index (axes, i)));
  if (open >= 0)
    self->inferred (heddle_ids_index (axes, open), size, self->data);
  else
    heddle_expr_unref (size);
  return axes != NULL;
}

HeddleExpr *
heddle_sizes_of_merge (const HeddleValue *operand, const HeddleOperation *operation, const char *merged)
{
  g_autoptr (GArray) axes
      = merged != NULL ? heddle_merge_find (operand->axes, operation->indices, merged) : NULL;
  HeddleExpr *size = NULL;

  for (guint i = 0; axes != NULL && i < axes->len; i++)
    {
      HeddleExpr *own = heddle_expr_size (heddle_ids_index (axes, i));

      size = size != NULL ? heddle_expr_binary (HEDDLE_EXPR_MUL, size, own) : own;
    }
  return size;
}

static void
infer_from_read (const Inference *self, const HeddleOperation *operation)
{
  const HeddleValue *operand
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, 0));
  const HeddleValue *result = heddle_diagram_get_value (self->diagram, operation->result);

  if (operand == NULL || result == NULL || operand->axes->len != operation->indices->len)
    return;
  for (guint i = 0; i < operation->indices->len; i++)
    {
      HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      const char *axis = heddle_ids_index (operand->axes, i);

      if (index != NULL && heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          && !infer_split (self, index, axis))
        infer_windows (self, index, axis);
    }
  for (guint i = 0; i < result->axes->len; i++)
    {
      const char *axis = heddle_ids_index (result->axes, i);
      HeddleExpr *size = is_known (self, axis) ? NULL : heddle_sizes_of_merge (operand, operation, axis);

      if (size != NULL)
        self->inferred (axis, size, self->data);
    }
}

HeddleExpr *
heddle_sizes_of_concat (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *result = heddle_diagram_get_value (diagram, operation->result);
  HeddleExpr *size = NULL;

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const HeddleValue *operand
          = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, i));
      const char *own = result != NULL && operand != NULL ? heddle_concat_own_axis (result, operand) : NULL;

      if (own == NULL)
        {
          g_clear_pointer (&size, heddle_expr_unref);
          return NULL;
        }
      size = plus (size, heddle_expr_size (own));
    }
  return size;
}

static void
infer_from_concat (const Inference *self, const HeddleOperation *operation)
{
  const char *along = operation->axes->len == 1 ? heddle_ids_index (operation->axes, 0) : NULL;
  HeddleExpr *size
      = along != NULL && !is_known (self, along) ? heddle_sizes_of_concat (self->diagram, operation) : NULL;

  if (size != NULL)
    self->inferred (along, size, self->data);
}

void
heddle_sizes_infer (
    const HeddleDiagram *diagram, HeddleSizesKnown known, HeddleSizesInferred inferred, gpointer data)
{
  Inference self = { diagram, known, inferred, data };

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->kind != NULL && operation->kind->form == HEDDLE_FORM_CONCAT)
        infer_from_concat (&self, operation);
      else if (operation->indices != NULL && operation->operands->len > 0)
        infer_from_read (&self, operation);
    }
}
