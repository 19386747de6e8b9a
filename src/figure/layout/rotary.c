/* SPDX-License-Identifier: MIT */
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "figure/layout/rotary.h"

/* A rotary embedding: pairs of numbers turned by an angle. As operations it is two reads of the pair, of the one number and of the other,
 * and a function of four arrays; it is drawn as one, a circle with chirps on the wire of the pair, which the angles join. */

static gboolean
is_kind (const HeddleExpr *expr, HeddleExprKind kind)
{
  return heddle_expr_get_kind (expr) == kind;
}

static gboolean
is_number (const HeddleExpr *expr, double number)
{
  return is_kind (expr, HEDDLE_EXPR_NUMBER) && heddle_expr_get_number (expr) == number;
}

/* Returns the operand of @kind of one argument, or -1. */
static int
argument_of (const HeddleExpr *expr, HeddleExprKind kind)
{
  const HeddleExpr *child = is_kind (expr, kind) ? heddle_expr_get_child (expr, 0) : NULL;

  return child != NULL && is_kind (child, HEDDLE_EXPR_ARGUMENT) ? (int) heddle_expr_get_operand (child) : -1;
}

/* Operands by what they are, and the axis of the pair. */
typedef struct
{
  guint pair, first, second;
  const char *axis;
} Turn;

/* Matches pair cos (angle) + where (axis == 0, -second, first) sin (angle). */
static gboolean
match_body (const HeddleExpr *body, Turn *turn)
{
  if (body == NULL || !is_kind (body, HEDDLE_EXPR_ADD)
      || !is_kind (heddle_expr_get_child (body, 0), HEDDLE_EXPR_MUL)
      || !is_kind (heddle_expr_get_child (body, 1), HEDDLE_EXPR_MUL))
    return FALSE;
  const HeddleExpr *kept = heddle_expr_get_child (heddle_expr_get_child (body, 0), 0),
                   *cosine = heddle_expr_get_child (heddle_expr_get_child (body, 0), 1),
                   *choice = heddle_expr_get_child (heddle_expr_get_child (body, 1), 0),
                   *sine = heddle_expr_get_child (heddle_expr_get_child (body, 1), 1);
  const int angle = argument_of (cosine, HEDDLE_EXPR_COS);
  if (!is_kind (kept, HEDDLE_EXPR_ARGUMENT) || angle < 0 || argument_of (sine, HEDDLE_EXPR_SIN) != angle
      || !is_kind (choice, HEDDLE_EXPR_WHERE))
    return FALSE;
  const HeddleExpr *when = heddle_expr_get_child (choice, 0), *other = heddle_expr_get_child (choice, 2);
  const int second = argument_of (heddle_expr_get_child (choice, 1), HEDDLE_EXPR_NEG);
  if (!is_kind (when, HEDDLE_EXPR_EQ) || !is_kind (heddle_expr_get_child (when, 0), HEDDLE_EXPR_INDEX)
      || !is_number (heddle_expr_get_child (when, 1), 0.) || second < 0
      || !is_kind (other, HEDDLE_EXPR_ARGUMENT))
    return FALSE;
  *turn = (Turn){ heddle_expr_get_operand (kept), heddle_expr_get_operand (other), second,
    heddle_expr_get_symbol (heddle_expr_get_child (when, 0)) };
  return TRUE;
}

/* Returns whether the value is @of where @axis is @number, made for @reader alone and in the same region. */
static gboolean
is_element (const HeddleLayout *self, const HeddleOperation *reader, const char *value, const HeddleValue *of,
    const char *axis, double number)
{
  const HeddleOperation *read = heddle_diagram_get_producer (self->diagram, value);

  if (read == NULL || read->kind->form != HEDDLE_FORM_REINDEX || read->operands->len != 1
      || heddle_ids_index (read->operands, 0) != of->id || read->indices == NULL
      || read->indices->len != of->axes->len || heddle_diagram_count_readers (self->diagram, value) != 1
      || g_hash_table_contains (self->outputs, value)
      || g_hash_table_lookup (self->region_of, read->id) != g_hash_table_lookup (self->region_of, reader->id))
    return FALSE;
  for (guint i = 0; i < of->axes->len; i++)
    {
      const HeddleExpr *index = read->indices->pdata[i];
      const char *own = heddle_ids_index (of->axes, i);
      if (own == axis ? !is_number (index, number)
                      : !is_kind (index, HEDDLE_EXPR_INDEX) || heddle_expr_get_symbol (index) != own)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_pair (const HeddleLayout *self, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, axis_id);
  double size = 0.;

  return axis != NULL && axis->size != NULL && heddle_expr_evaluate (axis->size, NULL, NULL, &size, NULL)
         && size == 2.;
}

const char *
heddle_layout_turns (const HeddleLayout *self, const HeddleOperation *operation, const char *within[2])
{
  Turn turn;

  if (operation->kind->form != HEDDLE_FORM_MAP || operation->operands->len != 4
      || !match_body (operation->body, &turn) || turn.pair == turn.first || turn.pair == turn.second
      || turn.first == turn.second || !is_pair (self, turn.axis))
    return NULL;
  const HeddleValue *pair
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, turn.pair));
  within[0] = heddle_ids_index (operation->operands, turn.first);
  within[1] = heddle_ids_index (operation->operands, turn.second);
  if (!heddle_ids_contain (pair->axes, turn.axis)
      || !is_element (self, operation, within[0], pair, turn.axis, 0.)
      || !is_element (self, operation, within[1], pair, turn.axis, 1.))
    return NULL;
  return turn.axis;
}
