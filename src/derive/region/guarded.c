/* SPDX-License-Identifier: MIT */
#include "derive/index/interval.h"
#include "derive/region/guarded.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

/* The most indices that are bounded at a time. */
#define MOST_BOUNDS 8

typedef struct
{
  const char *axis;
  double from, to;
} Bound;

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  const HeddleOperation *read;
  guint operand; /* as which the map at hand reads it */
  Bound bounds[MOST_BOUNDS]; /* what the conditions on the way say of indices */
  guint n;
} Guarded;

static HeddleInterval
bound_of (const HeddleExpr *leaf, gpointer data)
{
  const Guarded *self = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  HeddleInterval bounds;
  double n;

  if (kind != HEDDLE_EXPR_SIZE && kind != HEDDLE_EXPR_INDEX)
    return heddle_interval_all;
  n = (double) heddle_sizes_get (self->sizes, heddle_expr_get_symbol (leaf));
  bounds = kind == HEDDLE_EXPR_SIZE ? (HeddleInterval){ n, n } : (HeddleInterval){ 0., n - 1. };
  for (guint i = 0; kind == HEDDLE_EXPR_INDEX && i < self->n; i++)
    if (self->bounds[i].axis == heddle_expr_get_symbol (leaf))
      bounds
          = (HeddleInterval){ MAX (bounds.from, self->bounds[i].from), MIN (bounds.to, self->bounds[i].to) };
  return bounds;
}

/* Returns whether the read is inside its array at all indices within the bounds. */
static gboolean
is_inside (Guarded *self)
{
  const HeddleValue *array
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (self->read->operands, 0));

  for (guint i = 0; i < self->read->indices->len; i++)
    {
      HeddleInterval range = heddle_interval_of (g_ptr_array_index (self->read->indices, i), bound_of, self);
      double n = (double) heddle_sizes_get (self->sizes, heddle_ids_index (array->axes, i));

      if (!(range.from >= 0. && range.to <= n - 1.))
        return FALSE;
    }
  return TRUE;
}

static void
add_bound (Guarded *self, const char *axis, double from, double to)
{
  if (self->n < MOST_BOUNDS)
    self->bounds[self->n++] = (Bound){ axis, from, to };
}

/* Adds what follows from the comparison of an index with a number, or (@fails) from its contrary. */
static void
add_condition (Guarded *self, const HeddleExpr *condition, gboolean fails)
{
  HeddleExprKind kind = heddle_expr_get_kind (condition);
  const HeddleExpr *index;
  double number;
  gboolean below, equal;

  if (kind != HEDDLE_EXPR_LT && kind != HEDDLE_EXPR_LE && kind != HEDDLE_EXPR_GT && kind != HEDDLE_EXPR_GE)
    return;
  index = heddle_expr_get_child (condition, 0);
  if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
      || heddle_expr_uses (heddle_expr_get_child (condition, 1), HEDDLE_EXPR_INDEX, NULL)
      || !heddle_expr_evaluate (
          heddle_expr_get_child (condition, 1), heddle_sizes_lookup, (gpointer) self->sizes, &number, NULL))
    return;
  below = (kind == HEDDLE_EXPR_LT || kind == HEDDLE_EXPR_LE) != fails;
  equal = (kind == HEDDLE_EXPR_LE || kind == HEDDLE_EXPR_GE) != fails;
  if (below)
    add_bound (self, heddle_expr_get_symbol (index), 0., equal ? number : number - 1.);
  else
    add_bound (self, heddle_expr_get_symbol (index), equal ? number : number + 1., G_MAXDOUBLE);
}

/* Returns whether the expression takes the operand only where the read is inside. */
static gboolean
takes_inside (Guarded *self, const HeddleExpr *expr)
{
  const guint n = self->n;

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_get_operand (expr) != self->operand || is_inside (self);
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    {
      gboolean good;

      if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_WHERE && i > 0)
        add_condition (self, heddle_expr_get_child (expr, 0), i == 2);
      good = takes_inside (self, heddle_expr_get_child (expr, i));
      self->n = n;
      if (!good)
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_read_is_guarded (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *read)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, read->result);
  Guarded self = { diagram, sizes, read };

  if (heddle_diagram_is_output (diagram, read->result))
    return FALSE;
  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);

      if (reader->kind->form != HEDDLE_FORM_MAP)
        return FALSE;
      for (self.operand = 0; self.operand < reader->operands->len; self.operand++)
        if (heddle_ids_index (reader->operands, self.operand) == read->result
            && !takes_inside (&self, reader->body))
          return FALSE;
    }
  return readers->len > 0;
}
