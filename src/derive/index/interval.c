/* SPDX-License-Identifier: MIT */
#include "derive/index/interval.h"

#include <math.h>

const HeddleInterval heddle_interval_all = { -INFINITY, INFINITY };

static HeddleInterval
truth (gboolean may_be_false, gboolean may_be_true)
{
  return (HeddleInterval){ may_be_false ? 0. : 1., may_be_true ? 1. : 0. };
}

static HeddleInterval
multiply (HeddleInterval a, HeddleInterval b)
{
  double p = a.from * b.from, q = a.from * b.to, r = a.to * b.from, s = a.to * b.to;

  if (isnan (p) || isnan (q) || isnan (r) || isnan (s))
    return heddle_interval_all;
  return (HeddleInterval){ fmin (fmin (p, q), fmin (r, s)), fmax (fmax (p, q), fmax (r, s)) };
}

/* Divides by one positive number; indices are divided by nothing else. */
static HeddleInterval
divide (HeddleInterval a, HeddleInterval b)
{
  return b.from == b.to && b.from > 0. ? (HeddleInterval){ a.from / b.from, a.to / b.from }
                                       : heddle_interval_all;
}

static HeddleInterval
remainder_of (HeddleInterval a, HeddleInterval b)
{
  double n = b.from;

  if (b.from != b.to || !(n > 0.))
    return heddle_interval_all;
  if (floor (a.from / n) == floor (a.to / n))
    return (HeddleInterval){ a.from - n * floor (a.from / n), a.to - n * floor (a.to / n) };
  return (HeddleInterval){ 0., n - 1. };
}

/* Returns the interval of a node whose children have the intervals @a and @b; nothing is known of a leaf. */
static HeddleInterval
interval_of_node (const HeddleExpr *expr, HeddleInterval a, HeddleInterval b)
{
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      return (HeddleInterval){ heddle_expr_get_number (expr), heddle_expr_get_number (expr) };
    case HEDDLE_EXPR_NEG:
      return (HeddleInterval){ -a.to, -a.from };
    case HEDDLE_EXPR_ADD:
      return (HeddleInterval){ a.from + b.from, a.to + b.to };
    case HEDDLE_EXPR_SUB:
      return (HeddleInterval){ a.from - b.to, a.to - b.from };
    case HEDDLE_EXPR_MUL:
      return multiply (a, b);
    case HEDDLE_EXPR_DIV:
      return divide (a, b);
    case HEDDLE_EXPR_FLOOR:
      return (HeddleInterval){ floor (a.from), floor (a.to) };
    case HEDDLE_EXPR_CEIL:
      return (HeddleInterval){ ceil (a.from), ceil (a.to) };
    case HEDDLE_EXPR_MOD:
      return remainder_of (a, b);
    case HEDDLE_EXPR_MIN:
      return (HeddleInterval){ fmin (a.from, b.from), fmin (a.to, b.to) };
    case HEDDLE_EXPR_MAX:
      return (HeddleInterval){ fmax (a.from, b.from), fmax (a.to, b.to) };
    case HEDDLE_EXPR_LT:
      return truth (a.to >= b.from, a.from < b.to);
    case HEDDLE_EXPR_LE:
      return truth (a.to > b.from, a.from <= b.to);
    case HEDDLE_EXPR_NOT:
      return (HeddleInterval){ 1. - a.to, 1. - a.from };
    case HEDDLE_EXPR_AND:
      return (HeddleInterval){ fmin (a.from, b.from), fmin (a.to, b.to) };
    case HEDDLE_EXPR_OR:
      return (HeddleInterval){ fmax (a.from, b.from), fmax (a.to, b.to) };
    default:
      return heddle_interval_all;
    }
}

static gboolean
is_leaf (const HeddleExpr *expr)
{
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_VARIABLE:
    case HEDDLE_EXPR_ARGUMENT:
      return TRUE;
    default:
      return FALSE;
    }
}

HeddleInterval
heddle_interval_of (const HeddleExpr *expr, HeddleIntervalLeaf leaf, gpointer data)
{
  guint n = heddle_expr_get_n_children (expr);
  HeddleInterval a = heddle_interval_all, b = heddle_interval_all;

  if (is_leaf (expr))
    return leaf (expr, data);
  if (n > 0)
    a = heddle_interval_of (heddle_expr_get_child (expr, 0), leaf, data);
  if (n > 1)
    b = heddle_interval_of (heddle_expr_get_child (expr, 1), leaf, data);
  return interval_of_node (expr, a, b);
}

/* --- for many parts ------------------------------------------------------------------------------------ */

/* A node, its children before it: a known interval, that of a slot, or what comes of its children. */
typedef struct
{
  const HeddleExpr *expr; /* NULL: no node */
  int slot; /* -1: none */
  guint a, b;
  HeddleInterval value;
} Step;

struct _HeddleIntervalProgram
{
  HeddleExpr *expr;
  GArray *steps; /* of Step */
};

/* Returns the number of the step that gives @expr. */
static guint
compile (HeddleIntervalProgram *self, const HeddleExpr *expr, HeddleIntervalSlot slot, gpointer data)
{
  guint n = heddle_expr_get_n_children (expr), children[2] = { 0 };
  Step step = { .slot = -1, .value = heddle_interval_all };
  gboolean known = TRUE;

  for (guint i = 0; i < MIN (n, G_N_ELEMENTS (children)); i++)
    {
      const Step *child;

      children[i] = compile (self, heddle_expr_get_child (expr, i), slot, data);
      child = &g_array_index (self->steps, Step, children[i]);
      known = known && child->expr == NULL && child->slot < 0;
    }
  step.a = children[0];
  step.b = children[1];
  if (is_leaf (expr))
    step.slot = slot (expr, &step.value, data);
  else if (!known)
    step.expr = expr;
  else
    step.value = interval_of_node (expr,
        n > 0 ? g_array_index (self->steps, Step, step.a).value : heddle_interval_all,
        n > 1 ? g_array_index (self->steps, Step, step.b).value : heddle_interval_all);
  g_array_append_val (self->steps, step);
  return self->steps->len - 1;
}

HeddleIntervalProgram *
heddle_interval_program_new (const HeddleExpr *expr, HeddleIntervalSlot slot, gpointer data)
{
  HeddleIntervalProgram *self = g_new0 (HeddleIntervalProgram, 1);

  self->expr = heddle_expr_ref ((HeddleExpr *) expr);
  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  compile (self, expr, slot, data);
  return self;
}

void
heddle_interval_program_free (HeddleIntervalProgram *self)
{
  heddle_expr_unref (self->expr);
  g_array_unref (self->steps);
  g_free (self);
}

HeddleInterval
heddle_interval_program_run (const HeddleIntervalProgram *self, const HeddleInterval *slots)
{
  const Step *steps = (const Step *) self->steps->data;
  guint n = self->steps->len;
  HeddleInterval *values = g_newa (HeddleInterval, n);

  for (guint i = 0; i < n; i++)
    values[i] = steps[i].expr != NULL
                    ? interval_of_node (steps[i].expr, values[steps[i].a], values[steps[i].b])
                : steps[i].slot >= 0 ? slots[steps[i].slot]
                                     : steps[i].value;
  return values[n - 1];
}
