/* SPDX-License-Identifier: MIT */
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/forms.h"
#include "diagram/differentiate/rules.h"
#include "diagram/expression/derivative.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tidy.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* --- concatenation: each part gets its own back ---------------------------------------------- */

/* Returns the part of the cotangent where the operand lies, which begins at @start. */
static const char *
read_part (HeddleReverse *self, const HeddleOperation *operation, const char *operand, HeddleExpr *start,
    const char *cotangent)
{
  const HeddleValue *value = heddle_reverse_value (self, operand);
  const char *own = heddle_concat_own_axis (heddle_reverse_value (self, operation->result), value);
  const GArray *axes = heddle_reverse_value (self, cotangent)->axes;
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      HeddleExpr *index = heddle_expr_index (axis == heddle_ids_index (operation->axes, 0) ? own : axis);

      /* an index by itself would say that the axes are of one size */
      if (axis == heddle_ids_index (operation->axes, 0))
        index = heddle_expr_binary (HEDDLE_EXPR_ADD, index, heddle_expr_ref (start));
      g_ptr_array_add (indices, index);
    }
  return heddle_reverse_reindex (self, value->axes, cotangent, indices);
}

void
heddle_reverse_concat_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  const HeddleValue *result = heddle_reverse_value (self, operation->result);
  g_autoptr (HeddleExpr) start = heddle_expr_number (0.);

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      HeddleExpr *size = heddle_expr_size (heddle_concat_own_axis (result, heddle_reverse_value (self, id)));

      if (heddle_reverse_is_active (self, id))
        heddle_reverse_contribute (self, id, read_part (self, operation, id, start, cotangent), TRUE);
      start = i == 0 ? (heddle_expr_unref (start), size) : heddle_expr_binary (HEDDLE_EXPR_ADD, start, size);
    }
}

/* --- scans: h_t = a_t h_{t-1} + b_t goes back as g_t = dy_t + a_{t+1} g_{t+1}, a scan from the end ---- */

typedef struct
{
  HeddleReverse *reverse;
  const HeddleOperation *operation;
  const char *along;
  const GArray *axes; /* of the result */
} Scan;

/* Returns the last index along the axis, less @expr. */
static HeddleExpr *
from_end (const Scan *self, HeddleExpr *expr)
{
  HeddleExpr *last
      = heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_size (self->along), heddle_expr_number (1.));

  return heddle_expr_binary (HEDDLE_EXPR_SUB, last, expr);
}

/* Returns @value read at @index (taken) along the axis. */
static const char *
read_along (const Scan *self, const char *value, HeddleExpr *index)
{
  const GArray *axes = heddle_reverse_value (self->reverse, value)->axes;
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_autoptr (HeddleExpr) own = index;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      g_ptr_array_add (indices, axis == self->along ? heddle_expr_ref (own) : heddle_expr_index (axis));
    }
  return heddle_reverse_reindex (self->reverse, axes, value, indices);
}

static const char *
reversed (const Scan *self, const char *value)
{
  return read_along (self, value, from_end (self, heddle_expr_index (self->along)));
}

/* Returns the factor after each point, from the end on; the factor of the state before the first point does
 * not matter. */
static const char *
next_factor (const Scan *self, const char *factor)
{
  HeddleExpr *before = heddle_expr_binary (HEDDLE_EXPR_MAX,
      heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_index (self->along), heddle_expr_number (1.)),
      heddle_expr_number (0.));

  return read_along (self, factor, from_end (self, before));
}

/* Returns the state before each point, 0 at the first. It is read only where it is inside, so that nothing is
 * left out of a sum. */
static const char *
state_before (const Scan *self)
{
  HeddleExpr *before = heddle_expr_binary (HEDDLE_EXPR_MAX,
      heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_index (self->along), heddle_expr_number (1.)),
      heddle_expr_number (0.));
  const char *shifted = read_along (self, self->operation->result, before);
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleExpr *first
      = heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_index (self->along), heddle_expr_number (0.));

  heddle_ids_append (operands, shifted);
  return heddle_reverse_map (self->reverse, self->axes,
      heddle_expr_where (first, heddle_expr_number (0.), heddle_expr_argument (0)), operands);
}

/* Returns the cotangent of the state at each point. */
static const char *
state_cotangent (const Scan *self, const HeddleExpr *factor, const char *cotangent)
{
  gboolean is_sum = heddle_expr_get_kind (factor) == HEDDLE_EXPR_NUMBER;
  g_autoptr (GArray) operands = heddle_ids_new ();
  const char *scanned;

  if (!is_sum)
    {
      g_assert (heddle_expr_get_kind (factor) == HEDDLE_EXPR_ARGUMENT);
      heddle_ids_append (operands,
          next_factor (self, heddle_ids_index (self->operation->operands, heddle_expr_get_operand (factor))));
    }
  heddle_ids_append (operands, reversed (self, cotangent));
  scanned = heddle_reverse_scan (
      self->reverse, is_sum ? "cumsum" : "recurrence", self->axes, operands, self->operation->axes);
  return reversed (self, scanned);
}

void
heddle_reverse_scan_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  const HeddleScanRow *row = &operation->kind->scan;
  g_autoptr (HeddleExpr) factor = heddle_expr_literal (row->factor);
  g_autoptr (HeddleExpr) term = heddle_expr_literal (row->term);
  Scan scan = { self, operation, heddle_ids_index (operation->axes, 0),
    heddle_reverse_value (self, operation->result)->axes };
  guint n = operation->operands->len;
  g_autoptr (HeddleExpr) dstate = heddle_expr_argument (n + 1);
  g_autoptr (HeddleExpr) step = heddle_expr_binary (HEDDLE_EXPR_ADD,
      heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (factor), heddle_expr_argument (n)),
      heddle_expr_ref (term));
  g_autoptr (GArray) operands = heddle_ids_copy (operation->operands);

  heddle_ids_append (operands, state_before (&scan));
  heddle_ids_append (operands, state_cotangent (&scan, factor, cotangent));
  for (guint i = 0; i < n; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      g_autoptr (HeddleExpr) raw = heddle_expr_pull_back (step, i, dstate);
      g_autoptr (HeddleExpr) body = heddle_expr_tidy (raw);

      if (heddle_reverse_taken (self, id, operation->axes) != NULL)
        heddle_reverse_fail_outside (self, id);
      if (heddle_reverse_is_active (self, id))
        heddle_reverse_contribute_body (self, id, scan.axes, body, operands);
    }
}
