/* SPDX-License-Identifier: MIT */
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/flatten/copy.h"
#include "diagram/flatten/expansion.h"
#include "diagram/flatten/linear.h"
#include "diagram/flatten/names.h"
#include "diagram/flatten/values.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/operation.h"

/* --- linear expressions -------------------------------------------------------------------- */

/* An expression as factor * operand + term, with neither of the two reading the operand; NULL is 0. */
typedef struct
{
  HeddleExpr *factor, *term;
} Linear;

static void
linear_clear (Linear *self)
{
  g_clear_pointer (&self->factor, heddle_expr_unref);
  g_clear_pointer (&self->term, heddle_expr_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Linear, linear_clear)

static HeddleExpr *
ref_or_zero (HeddleExpr *expr)
{
  return expr != NULL ? heddle_expr_ref (expr) : heddle_expr_number (0.);
}

/* Returns @a + @b or @a - @b of two parts that may be 0. */
static HeddleExpr *
add_parts (HeddleExprKind kind, HeddleExpr *a, HeddleExpr *b)
{
  if (b == NULL)
    return a != NULL ? heddle_expr_ref (a) : NULL;
  if (a == NULL)
    return kind == HEDDLE_EXPR_ADD ? heddle_expr_ref (b)
                                   : heddle_expr_unary (HEDDLE_EXPR_NEG, heddle_expr_ref (b));
  return heddle_expr_binary (kind, heddle_expr_ref (a), heddle_expr_ref (b));
}

static HeddleExpr *
scale_part (HeddleExprKind kind, HeddleExpr *part, HeddleExpr *by)
{
  return part != NULL ? heddle_expr_binary (kind, heddle_expr_ref (part), heddle_expr_ref (by)) : NULL;
}

static HeddleExpr *
choose_part (HeddleExpr *predicate, HeddleExpr *a, HeddleExpr *b)
{
  if (a == NULL && b == NULL)
    return NULL;
  return heddle_expr_where (heddle_expr_ref (predicate), ref_or_zero (a), ref_or_zero (b));
}

static gboolean split (HeddleExpr *expr, guint operand, Linear *result);

/* Splits a sum, a difference or a negation. */
static gboolean
split_sum (HeddleExpr *expr, guint operand, Linear *result)
{
  const HeddleExprKind kind = heddle_expr_get_kind (expr);
  g_auto (Linear) a = { NULL }, b = { NULL };
  if (kind == HEDDLE_EXPR_NEG)
    {
      if (!split (heddle_expr_get_child (expr, 0), operand, &b))
        return FALSE;
      *result = (Linear){ add_parts (HEDDLE_EXPR_SUB, NULL, b.factor),
        add_parts (HEDDLE_EXPR_SUB, NULL, b.term) };
      return TRUE;
    }
  if (!split (heddle_expr_get_child (expr, 0), operand, &a)
      || !split (heddle_expr_get_child (expr, 1), operand, &b))
    return FALSE;
  *result = (Linear){ add_parts (kind, a.factor, b.factor), add_parts (kind, a.term, b.term) };
  return TRUE;
}

/* Splits a product or a quotient, of which one side alone may read the operand. */
static gboolean
split_product (HeddleExpr *expr, guint operand, Linear *result)
{
  const HeddleExprKind kind = heddle_expr_get_kind (expr);
  HeddleExpr *left = heddle_expr_get_child (expr, 0), *right = heddle_expr_get_child (expr, 1);
  g_auto (Linear) part = { NULL };
  if (kind == HEDDLE_EXPR_MUL && !heddle_expr_uses_argument (left, operand))
    {
      HeddleExpr *other = left;
      left = right;
      right = other;
    }
  if (heddle_expr_uses_argument (right, operand) || !split (left, operand, &part))
    return FALSE;
  *result = (Linear){ scale_part (kind, part.factor, right), scale_part (kind, part.term, right) };
  return TRUE;
}

static gboolean
split_choice (HeddleExpr *expr, guint operand, Linear *result)
{
  HeddleExpr *predicate = heddle_expr_get_child (expr, 0);
  g_auto (Linear) a = { NULL }, b = { NULL };
  if (heddle_expr_uses_argument (predicate, operand) || !split (heddle_expr_get_child (expr, 1), operand, &a)
      || !split (heddle_expr_get_child (expr, 2), operand, &b))
    return FALSE;
  *result = (Linear){ choose_part (predicate, a.factor, b.factor), choose_part (predicate, a.term, b.term) };
  return TRUE;
}

/* Splits an expression that is linear in an operand. FALSE means that it is not, as far as this sees. */
static gboolean
split (HeddleExpr *expr, guint operand, Linear *result)
{
  if (!heddle_expr_uses_argument (expr, operand))
    {
      *result = (Linear){ NULL, heddle_expr_ref (expr) };
      return TRUE;
    }
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_ARGUMENT:
      *result = (Linear){ heddle_expr_number (1.), NULL };
      return TRUE;
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
    case HEDDLE_EXPR_NEG:
      return split_sum (expr, operand, result);
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_DIV:
      return split_product (expr, operand, result);
    case HEDDLE_EXPR_WHERE:
      return split_choice (expr, operand, result);
    default:
      return FALSE;
    }
}

/* --- linear steps --------------------------------------------------------------------------- */

/* Returns how often an operation reads the value. */
static guint
count_reads (const HeddleOperation *operation, const char *value)
{
  guint n = 0;
  for (guint i = 0; i < operation->operands->len; i++)
    n += heddle_ids_index (operation->operands, i) == value;
  return n;
}

/* Returns whether @operation makes its result as a linear function of @state, which nothing else reads. */
static gboolean
is_linear (const HeddleDiagram *callee, const HeddleOperation *operation, const char *state)
{
  g_auto (Linear) parts = { NULL };
  if (operation == NULL || operation->kind == NULL || operation->kind->form != HEDDLE_FORM_MAP
      || operation->body == NULL || count_reads (operation, state) != 1)
    return FALSE;
  for (guint i = 0; i < callee->operations->len; i++)
    {
      const HeddleOperation *other = g_ptr_array_index (callee->operations, i);
      if (other != operation && count_reads (other, state) > 0)
        return FALSE;
    }
  return split (operation->body, (guint) heddle_ids_find (operation->operands, state), &parts)
         && parts.factor != NULL;
}

GHashTable *
heddle_linear_steps (const HeddleDiagram *callee)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (callee);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (callee);
  g_autoptr (GHashTable) steps = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < outputs->len; i++)
    {
      if (i >= formals->len)
        return NULL;
      const char *state = heddle_ids_index (formals, i);
      const HeddleOperation *operation = heddle_diagram_get_producer (callee, heddle_ids_index (outputs, i));
      if (!is_linear (callee, operation, state)
          || !g_hash_table_insert (steps, (gpointer) operation->id, (gpointer) state))
        return NULL;
    }
  return g_steal_pointer (&steps);
}

/* --- recurrences ------------------------------------------------------------------------------ */

/* A step being written as a recurrence. */
typedef struct
{
  HeddleFlattener *flattener;
  HeddleExpansion *frame;
  const HeddleOperation *operation;
  GArray *operands; /* flat values: those of the step, the state as it is at first */
  GArray *axes; /* of the states after all steps */
  GArray *read; /* those of @operands that are read so far by what is being made */
} Recur;

/* Returns what a leaf of the step's body is in the flat diagram, as a HeddleExprReplace. */
static HeddleExpr *
replace_leaf (const HeddleExpr *leaf, gpointer data)
{
  Recur *self = data;
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return heddle_expansion_leaf (leaf, self->frame);
  const char *operand = heddle_ids_index (self->operands, heddle_expr_get_operand (leaf));
  if (!heddle_ids_contain (self->read, operand))
    heddle_ids_append (self->read, operand);
  return heddle_expr_argument ((guint) heddle_ids_find (self->read, operand));
}

static HeddleOperation *
add_operation (const Recur *self, const char *suffix, const char *kind, const GArray *operands,
    const char *result, const GArray *axes)
{
  g_autofree char *own = heddle_flatten_join (self->frame->ids, self->operation->id);
  g_autofree char *id = g_strconcat (own, suffix, NULL);
  return heddle_flatten_add_operation (self->flattener, self->frame, self->operation->id,
      heddle_flatten_id (self->flattener, id), heddle_operation_kind (kind), operands, result, axes);
}

/* Adds a map with the axes of the states that computes @expr, an expression like the step's body, and returns
 * its result. */
static const char *
add_map (Recur *self, const char *suffix, HeddleExpr *expr)
{
  g_autoptr (GArray) read = heddle_ids_new ();
  g_autoptr (HeddleExpr) tidy = heddle_expr_tidy (expr);
  g_autofree char *own = heddle_flatten_join (self->frame->ids, self->operation->result);
  g_autofree char *id = g_strconcat (own, suffix, NULL);
  self->read = read;
  HeddleExpr *body = heddle_expr_substitute (tidy, replace_leaf, self);
  const char *made = heddle_diagram_add_value (self->flattener->flat, heddle_flatten_id (self->flattener, id),
      NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, self->axes)
                         ->id;
  add_operation (self, suffix, "map", read, made, NULL)->body = body;
  return made;
}

/* Returns what is added at each place: the term, and at the first the factor times the first state. */
static HeddleExpr *
with_first (const Linear *parts, guint operand, const char *axis)
{
  HeddleExpr *first
      = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (parts->factor), heddle_expr_argument (operand));
  HeddleExpr *is_first
      = heddle_expr_binary (HEDDLE_EXPR_EQ, heddle_expr_index (axis), heddle_expr_number (0.));
  HeddleExpr *there = heddle_expr_where (is_first, first, heddle_expr_number (0.));
  return parts->term != NULL ? heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_ref (parts->term), there)
                             : there;
}

void
heddle_flatten_recur (HeddleFlattener *self, HeddleExpansion *frame, const HeddleOperation *operation)
{
  const char *axis = frame->binding->scan_axis;
  const char *state = g_hash_table_lookup (frame->binding->recurrences, operation->id);
  const guint operand = (guint) heddle_ids_find (operation->operands, state);
  g_autoptr (GArray) operands = heddle_expansion_operands (frame, operation), given = heddle_ids_new (),
                     along = heddle_ids_new ();
  g_autoptr (GArray) woven = heddle_expansion_woven (self, frame, operation);
  g_auto (Linear) parts = { NULL };
  if (!split (operation->body, operand, &parts))
    return;
  if (!heddle_ids_contain (woven, axis))
    heddle_ids_append (woven, axis);
  const char *result = heddle_expansion_make (self, frame, operation->result, woven);
  g_autoptr (GArray) axes = heddle_ids_copy (heddle_flatten_value (self, result)->axes);
  Recur recur = { self, frame, operation, operands, axes, NULL };
  g_autoptr (HeddleExpr) term = with_first (&parts, operand, axis);
  heddle_ids_append (given, add_map (&recur, ".factor", parts.factor));
  heddle_ids_append (given, add_map (&recur, ".term", term));
  heddle_ids_append (along, axis);
  add_operation (&recur, "", "recurrence", given, result, along);
}
