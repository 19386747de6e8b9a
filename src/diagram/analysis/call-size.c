/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/call-size.h"
#include "diagram/analysis/call.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/operation.h"

/* The limits of sizes in terms of other sizes: nobody means a size that exceeds them. */
#define DEEPEST 16
#define LARGEST 200

typedef struct
{
  const HeddleDiagram *diagram, *callee;
  const HeddleOperation *call;
  guint depth;
  gboolean unknown;
} Sizing;

/* Returns the caller's axis that the call binds @axis to, or NULL. */
static const char *
bound_to (const Sizing *self, const char *axis)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (self->callee);
  for (guint i = 0; i < MIN (formals->len, self->call->operands->len); i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (self->callee, heddle_ids_index (formals, i));
      const HeddleValue *operand
          = heddle_diagram_get_value (self->diagram, heddle_ids_index (self->call->operands, i));
      int place = heddle_ids_find (formal->axes, axis);
      if (place >= 0 && operand != NULL && operand->axes->len >= formal->axes->len)
        return heddle_ids_index (operand->axes, operand->axes->len - formal->axes->len + (guint) place);
    }
  return NULL;
}

/* Returns the size that the call gives to @axis, or NULL. */
static HeddleExpr *
given_to (const Sizing *self, const char *axis)
{
  guint n = self->call->sizes != NULL ? self->call->sizes->len : 0;
  for (guint i = 0, next = 0; i < self->callee->arguments->len && next < n; i++)
    {
      const char *argument = heddle_ids_index (self->callee->arguments, i);
      if (heddle_diagram_get_axis (self->callee, argument) == NULL)
        continue;
      if (argument == axis)
        return g_ptr_array_index (self->call->sizes, next);
      next++;
    }
  return NULL;
}

static HeddleExpr *outside (Sizing *self, const char *axis);

static HeddleExpr *
replace_leaf (const HeddleExpr *leaf, gpointer data)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE ? outside (data, heddle_expr_get_symbol (leaf))
                                                         : NULL;
}

/* Returns the size of an axis of the callee in terms of the caller's axes; where there is none, sets @unknown
 * and returns a number. */
static HeddleExpr *
outside (Sizing *self, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->callee, axis_id);
  const char *bound = bound_to (self, axis_id);
  HeddleExpr *given = given_to (self, axis_id), *size = NULL;
  if (bound != NULL)
    return heddle_expr_size (bound);
  if (given != NULL)
    return heddle_expr_ref (given);
  if (axis != NULL && axis->size != NULL && self->depth < DEEPEST && !self->unknown)
    {
      self->depth++;
      size = heddle_expr_substitute (axis->size, replace_leaf, self);
      self->depth--;
    }
  self->unknown |= size == NULL || heddle_expr_count (size, HEDDLE_EXPR_SIZE) > LARGEST;
  return size != NULL ? size : heddle_expr_number (1.);
}

HeddleExpr *
heddle_call_result_size (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleOperation *call, guint result, guint position)
{
  Sizing self = { diagram, heddle_call_callee (snapshot, call), call, 0, FALSE };
  if (self.callee == NULL)
    return NULL;
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self.callee);
  const HeddleValue *output = result < outputs->len
                                  ? heddle_diagram_get_value (self.callee, heddle_ids_index (outputs, result))
                                  : NULL;
  const HeddleValue *value = heddle_diagram_get_value (diagram, heddle_operation_get_result (call, result));
  guint leading = output != NULL ? value->axes->len - output->axes->len : 0;
  if (output == NULL || value->axes->len < output->axes->len || position < leading)
    return NULL;
  g_autoptr (HeddleExpr) size = outside (&self, heddle_ids_index (output->axes, position - leading));
  const char *own = heddle_ids_index (value->axes, position);
  gboolean itself = heddle_expr_uses (size, HEDDLE_EXPR_SIZE, own);
  return self.unknown || itself ? NULL : heddle_expr_ref (size);
}
