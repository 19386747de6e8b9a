/* SPDX-License-Identifier: MIT */
#include "diagram/base/array.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "files/onnx/flow-places.h"
#include "files/onnx/sketch-emit.h"

/* This file treats arrays that depend only on the places of their numbers, such as a causal mask: their
 * readers compute them. */

/* The length of an expression beyond which it is kept as an array. */
#define LONGEST 24
/* The size of an array beyond which its numbers are not examined one by one. */
#define MOST_LOOKED_AT 4096

/* --- choices by choices --------------------------------------------------------------------------- */

static HeddleExpr *
child (const HeddleExpr *self, guint i)
{
  return heddle_expr_ref (heddle_expr_get_child (self, i));
}

/* Returns the opposite of @predicate, which it steals. */
static HeddleExpr *
opposite (HeddleExpr *predicate)
{
  static const HeddleExprKind pairs[][2] = {
    { HEDDLE_EXPR_LT, HEDDLE_EXPR_GE },
    { HEDDLE_EXPR_LE, HEDDLE_EXPR_GT },
    { HEDDLE_EXPR_EQ, HEDDLE_EXPR_NE },
  };
  g_autoptr (HeddleExpr) owned = predicate;

  if (heddle_expr_get_kind (owned) == HEDDLE_EXPR_NOT)
    return child (owned, 0);
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    for (guint j = 0; j < 2; j++)
      if (heddle_expr_get_kind (owned) == pairs[i][j])
        return heddle_expr_binary (pairs[i][1 - j], child (owned, 0), child (owned, 1));
  return heddle_expr_unary (HEDDLE_EXPR_NOT, g_steal_pointer (&owned));
}

/* Returns p of "where (p, 1, 0) != 0". Returns NULL if it is something else. */
static HeddleExpr *
predicate_of (const HeddleExpr *self)
{
  gboolean differs = heddle_expr_get_kind (self) == HEDDLE_EXPR_NE;
  const HeddleExpr *choice;

  if ((!differs && heddle_expr_get_kind (self) != HEDDLE_EXPR_EQ)
      || !heddle_expr_is_number (heddle_expr_get_child (self, 1), 0.))
    return NULL;
  choice = heddle_expr_get_child (self, 0);
  if (heddle_expr_get_kind (choice) != HEDDLE_EXPR_WHERE)
    return NULL;
  if (heddle_expr_is_number (heddle_expr_get_child (choice, 1), 1.)
      && heddle_expr_is_number (heddle_expr_get_child (choice, 2), 0.))
    return differs ? child (choice, 0) : opposite (child (choice, 0));
  if (heddle_expr_is_number (heddle_expr_get_child (choice, 1), 0.)
      && heddle_expr_is_number (heddle_expr_get_child (choice, 2), 1.))
    return differs ? opposite (child (choice, 0)) : child (choice, 0);
  return NULL;
}

/* Returns p of "1 and p" or "p or 0". Returns NULL if it is something else. */
static HeddleExpr *
without_constant (const HeddleExpr *self)
{
  const gboolean both = heddle_expr_get_kind (self) == HEDDLE_EXPR_AND;

  if (!both && heddle_expr_get_kind (self) != HEDDLE_EXPR_OR)
    return NULL;
  for (guint i = 0; i < 2; i++)
    if (heddle_expr_is_number (heddle_expr_get_child (self, i), both ? 1. : 0.))
      return child (self, 1 - i);
  return NULL;
}

/* Returns @self with fewer choices of choices; steals it. */
static HeddleExpr *
settle (HeddleExpr *self)
{
  guint n = heddle_expr_get_n_children (self);
  g_autoptr (HeddleExpr) owned = self;
  g_autoptr (HeddleExpr) made = NULL;
  HeddleExpr *children[3], *found;

  if (n == 0)
    return g_steal_pointer (&owned);
  for (guint i = 0; i < n; i++)
    children[i] = settle (child (owned, i));
  made = heddle_expr_node (heddle_expr_get_kind (owned), children, n);
  found = predicate_of (made);
  if (found == NULL)
    found = without_constant (made);
  return found != NULL ? found : g_steal_pointer (&made);
}

HeddleExpr *
heddle_flow_tidy (HeddleExpr *body)
{
  g_autoptr (HeddleExpr) settled = settle (body);

  return heddle_expr_tidy (settled);
}

/* --- values that are places ------------------------------------------------------------------------- */

typedef struct
{
  HeddleSketch *sketch;
  const HeddleLabelled *operand;
  const HeddleLabelling *labelling;
  gboolean whole; /* every place was found */
} Places;

static gboolean
is_short (const HeddleExpr *node, gpointer data)
{
  return ++*(guint *) data <= LONGEST;
}

/* Replaces a place: that along an axis of the value is the place along what has its label. */
static HeddleExpr *
replace_place (const HeddleExpr *leaf, gpointer data)
{
  Places *self = data;
  int axis;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_INDEX)
    return NULL;
  axis = heddle_sketch_axis_of (self->sketch, heddle_expr_get_symbol (leaf));
  for (guint i = 0; i < self->operand->flow->rank; i++)
    {
      const HeddleDim *dim = &self->operand->flow->dims[i];
      int to = self->labelling->axes[self->operand->labels[i]];

      if (dim->axis >= 0 && heddle_sketch_find (self->sketch, dim->axis) == axis
          && (dim->size > 1 || self->labelling->sizes[self->operand->labels[i]] == 1) && to >= 0)
        return heddle_sketch_index (self->sketch, to);
    }
  self->whole = FALSE;
  return NULL;
}

HeddleExpr *
heddle_flow_places (HeddleSketch *sketch, const HeddleLabelled *operand, const HeddleLabelling *labelling)
{
  HeddleExpr *body = heddle_sketch_body_of_places (sketch, operand->flow->value);
  Places places = { sketch, operand, labelling, TRUE };
  HeddleExpr *found;
  guint n = 0;

  if (body == NULL || !heddle_expr_walk (body, is_short, &n))
    return NULL;
  found = heddle_expr_substitute (body, replace_place, &places);
  if (places.whole)
    return found;
  heddle_expr_unref (found);
  return NULL;
}

/* --- reading them ------------------------------------------------------------------------------------- */

typedef struct
{
  HeddleSketch *sketch;
  const GArray *axes; /* of the value that is read */
  HeddleExpr *const *indices;
} Reading;

static HeddleExpr *
replace_index (const HeddleExpr *leaf, gpointer data)
{
  const Reading *self = data;
  int axis;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_INDEX)
    return NULL;
  axis = heddle_sketch_axis_of (self->sketch, heddle_expr_get_symbol (leaf));
  for (guint i = 0; i < self->axes->len; i++)
    if (g_array_index (self->axes, int, i) == axis)
      return heddle_expr_ref (self->indices[i]);
  return NULL;
}

/* Returns whether @index is a place along an axis of @size, whatever the values are of which it is made. */
static gboolean
is_inside (HeddleSketch *sketch, const HeddleExpr *index, gint64 size)
{
  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX)
    return heddle_sketch_size (sketch, heddle_sketch_axis_of (sketch, heddle_expr_get_symbol (index)))
           <= size;
  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_NUMBER)
    return heddle_expr_get_number (index) >= 0. && heddle_expr_get_number (index) < (double) size;
  return FALSE;
}

static gboolean
has_no_size (const HeddleExpr *node, gpointer data)
{
  return heddle_expr_get_kind (node) != HEDDLE_EXPR_SIZE;
}

int
heddle_flow_read_places (
    HeddleSketch *sketch, int value, HeddleExpr *const *indices, const int *axes, guint n_axes)
{
  HeddleExpr *body = heddle_sketch_body_of_places (sketch, value);
  Reading reading = { sketch, heddle_sketch_axes (sketch, value), indices };
  g_autoptr (HeddleExpr) made = NULL;
  guint n = 0;

  if (body == NULL || !heddle_expr_walk (body, is_short, &n) || !heddle_expr_walk (body, has_no_size, NULL))
    return -1;
  for (guint i = 0; i < reading.axes->len; i++)
    if (!is_inside (sketch, indices[i], heddle_sketch_size (sketch, g_array_index (reading.axes, int, i))))
      return -1;
  made = heddle_expr_substitute (body, replace_index, &reading);
  return heddle_sketch_map (
      sketch, NULL, 0, axes, n_axes, heddle_expr_tidy (made), heddle_sketch_dtype (sketch, value));
}

/* --- one number everywhere --------------------------------------------------------------------------------- */

gboolean
heddle_flow_is_uniform (HeddleSketch *sketch, int value, double *number)
{
  const GArray *axes = heddle_sketch_axes (sketch, value);
  const HeddleArray *numbers;
  gint64 count = 1;

  if (!heddle_sketch_is_free (sketch, value))
    return FALSE;
  for (guint i = 0; i < axes->len && count <= MOST_LOOKED_AT; i++)
    count *= heddle_sketch_size (sketch, g_array_index (axes, int, i));
  if (count < 1 || count > MOST_LOOKED_AT || (numbers = heddle_sketch_numbers (sketch, value, NULL)) == NULL)
    return FALSE;
  for (gint64 i = 1; i < numbers->n_elements; i++)
    if (numbers->data[i] != numbers->data[0])
      return FALSE;
  *number = numbers->data[0];
  return numbers->n_elements > 0;
}
