/* SPDX-License-Identifier: MIT */
#include "derive/index/interval.h"
#include "derive/index/window-sum.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

#include <math.h>

static gboolean
is_constant (const HeddleExpr *expr)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL);
}

/* --- sums -------------------------------------------------------------------------------------- */

/* A sum while it is being computed: a factor per axis. */
typedef struct
{
  const GArray *axes;
  const HeddleSizes *sizes;
  double *factors, offset;
  double scale; /* of the current summand */
} Sum;

static HeddleSpan
no_axis (const char *axis, gpointer data)
{
  return (HeddleSpan){ 0, 1 };
}

/* Returns the value of an expression without an index; NaN if it has no single one. */
static double
value_of (const Sum *self, const HeddleExpr *expr)
{
  HeddleInterval value = heddle_window_bounds (expr, self->sizes, no_axis, NULL);

  return value.from == value.to ? value.from : NAN;
}

static gboolean add_scaled (Sum *self, const HeddleExpr *expr, double scale);

static gboolean
add_product (Sum *self, const HeddleExpr *a, const HeddleExpr *b)
{
  double scale = self->scale;

  if (is_constant (a))
    return add_scaled (self, b, scale * value_of (self, a));
  return is_constant (b) && add_scaled (self, a, scale * value_of (self, b));
}

static gboolean
add (Sum *self, const HeddleExpr *expr)
{
  guint n = heddle_expr_get_n_children (expr);
  const HeddleExpr *a = n > 0 ? heddle_expr_get_child (expr, 0) : NULL;
  const HeddleExpr *b = n > 1 ? heddle_expr_get_child (expr, 1) : NULL;

  if (is_constant (expr))
    {
      self->offset += self->scale * value_of (self, expr);
      return TRUE;
    }
  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_INDEX:
      self->factors[heddle_ids_find (self->axes, heddle_expr_get_symbol (expr))] += self->scale;
      return TRUE;
    case HEDDLE_EXPR_NEG:
      return add_scaled (self, a, -self->scale);
    case HEDDLE_EXPR_ADD:
      return add (self, a) && add (self, b);
    case HEDDLE_EXPR_SUB:
      return add (self, a) && add_scaled (self, b, -self->scale);
    case HEDDLE_EXPR_MUL:
      return add_product (self, a, b);
    default:
      return FALSE;
    }
}

static gboolean
add_scaled (Sum *self, const HeddleExpr *expr, double scale)
{
  double before = self->scale;
  gboolean result;

  self->scale = scale;
  result = add (self, expr);
  self->scale = before;
  return result;
}

/* Returns whether the number is whole, and small enough that lengths stay exact. */
static gboolean
is_whole (double number)
{
  return number == floor (number) && fabs (number) < 1e9;
}

static gboolean
sum_up (Sum *self, const HeddleExpr *expr)
{
  gboolean whole = TRUE;

  for (guint i = 0; i < self->axes->len; i++)
    self->factors[i] = 0.;
  self->offset = 0.;
  self->scale = 1.;
  if (!add (self, expr))
    return FALSE;
  for (guint i = 0; i < self->axes->len; i++)
    whole = whole && is_whole (self->factors[i]);
  return whole && is_whole (self->offset);
}

void
heddle_window_sum_free (HeddleWindowSum *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->axes);
  g_array_unref (self->factors);
  g_free (self);
}

HeddleWindowSum *
heddle_window_sum_new (const GPtrArray *exprs, const HeddleSizes *sizes)
{
  g_autoptr (HeddleWindowSum) self = g_new0 (HeddleWindowSum, 1);
  g_autofree double *factors = NULL, *first = NULL;
  Sum sum;
  gint64 most;

  self->axes = heddle_window_axes (exprs);
  self->factors = g_array_new (FALSE, FALSE, sizeof (gint64));
  factors = g_new0 (double, MAX (self->axes->len, 1));
  sum = (Sum){ self->axes, sizes, factors };
  for (guint i = 0; i < exprs->len; i++)
    {
      if (!sum_up (&sum, g_ptr_array_index (exprs, i)))
        return NULL;
      for (guint k = 0; k < self->axes->len; k++)
        {
          gint64 factor = (gint64) factors[k];

          if (i == 0)
            g_array_append_val (self->factors, factor);
          else if (factor != g_array_index (self->factors, gint64, k))
            return NULL;
        }
      most = i == 0 ? (gint64) sum.offset : MAX (self->offset + self->spread, (gint64) sum.offset);
      self->offset = i == 0 ? most : MIN (self->offset, (gint64) sum.offset);
      self->spread = most - self->offset;
    }
  return g_steal_pointer (&self);
}

/* --- what is held at most ---------------------------------------------------------------------------- */

/* The greatest number of combinations of tiles that are tried; beyond it the window may be all of the
 * axis. */
#define MAX_PARTS (1 << 16)

typedef struct
{
  const GArray *axes;
  gint64 *n, *size,
      *at; /* per axis: its length, that of its tiles or chunks, the first index of the current one */
} Parts;

static int
slot_of_axis (const char *axis, gpointer data)
{
  const Parts *self = data;

  return heddle_ids_find (self->axes, axis);
}

static void
take_part (const Parts *self, guint i, HeddleInterval *slots)
{
  slots[i].from = (double) self->at[i];
  slots[i].to = (double) (MIN (self->at[i] + self->size[i], self->n[i]) - 1);
}

static gboolean
next_part (Parts *self, HeddleInterval *slots)
{
  for (guint i = self->axes->len; i-- > 0;)
    {
      gboolean more = self->n[i] - self->at[i] > self->size[i];

      self->at[i] = more ? self->at[i] + self->size[i] : 0;
      take_part (self, i, slots);
      if (more)
        return TRUE;
    }
  return FALSE;
}

static gint64
most_of_parts (Parts *self, const GPtrArray *exprs, const HeddleSizes *sizes, gint64 n)
{
  g_autoptr (GPtrArray) programs = NULL;
  g_autofree HeddleInterval *slots = g_new0 (HeddleInterval, MAX (self->axes->len, 1));
  double count = 1.;
  gint64 most = 0;

  for (guint i = 0; i < self->axes->len; i++)
    {
      count *= ceil ((double) self->n[i] / (double) self->size[i]);
      take_part (self, i, slots);
    }
  if (count > MAX_PARTS)
    return n;
  programs = heddle_window_compile (exprs, sizes, slot_of_axis, self);
  do
    most = MAX (most, heddle_window_length (heddle_window_hull_of (programs, slots), n));
  while (next_part (self, slots));
  return most;
}

gint64
heddle_window_most (
    const GPtrArray *exprs, const HeddleSizes *sizes, gint64 n, HeddleWindowPart part, gpointer data)
{
  g_autoptr (HeddleWindowSum) sum = heddle_window_sum_new (exprs, sizes);
  g_autoptr (GArray) axes = heddle_window_axes (exprs);
  g_autofree gint64 *lengths = g_new0 (gint64, MAX (3 * axes->len, 1));
  Parts parts = { axes, lengths, lengths + axes->len, lengths + 2 * axes->len };
  gint64 most;

  for (guint i = 0; i < axes->len; i++)
    {
      parts.n[i] = heddle_sizes_get (sizes, heddle_ids_index (axes, i));
      parts.size[i] = MIN (part (heddle_ids_index (axes, i), data), parts.n[i]);
    }
  if (sum == NULL)
    return most_of_parts (&parts, exprs, sizes, n);
  most = sum->spread + 1;
  for (guint i = 0; i < axes->len; i++)
    if (__builtin_mul_overflow (ABS (g_array_index (sum->factors, gint64, i)), parts.size[i] - 1, &lengths[i])
        || __builtin_add_overflow (most, lengths[i], &most))
      return n;
  return MIN (most, n);
}
