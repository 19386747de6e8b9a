/* SPDX-License-Identifier: MIT */
#include "derive/index/window.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"

#include <math.h>

/* A distance longer than any axis, but short enough that sums of some stay whole numbers. */
#define FAR (G_GINT64_CONSTANT (1) << 60)

typedef struct
{
  const HeddleSizes *sizes;
  HeddleWindowAxis spans;
  gpointer data;
} Look;

static HeddleInterval
look_at (const HeddleExpr *leaf, gpointer data)
{
  const Look *self = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  HeddleSpan span;
  double n;

  if (kind == HEDDLE_EXPR_SIZE)
    {
      n = (double) heddle_sizes_get (self->sizes, heddle_expr_get_symbol (leaf));
      return (HeddleInterval){ n, n };
    }
  if (kind != HEDDLE_EXPR_INDEX)
    return heddle_interval_all;
  span = self->spans (heddle_expr_get_symbol (leaf), self->data);
  return (HeddleInterval){ (double) span.from, (double) (span.to - 1) };
}

static gint64
to_index (double bound)
{
  return bound >= (double) FAR ? FAR : bound <= -(double) FAR ? -FAR : (gint64) bound;
}

HeddleInterval
heddle_window_bounds (
    const HeddleExpr *index, const HeddleSizes *sizes, HeddleWindowAxis spans, gpointer data)
{
  Look look = { sizes, spans, data };

  return heddle_interval_of (index, look_at, &look);
}

/* Widens the hull to the values that @index may have. */
static void
widen (HeddleSpan *hull, HeddleInterval index)
{
  hull->from = MIN (hull->from, to_index (ceil (index.from)));
  hull->to = MAX (hull->to, to_index (floor (index.to)) + 1);
}

HeddleSpan
heddle_window_hull (const GPtrArray *exprs, const HeddleSizes *sizes, HeddleWindowAxis spans, gpointer data)
{
  HeddleSpan hull = { FAR, -FAR };

  for (guint i = 0; i < exprs->len; i++)
    widen (&hull, heddle_window_bounds (g_ptr_array_index (exprs, i), sizes, spans, data));
  return hull;
}

HeddleSpan
heddle_window_span (
    const GPtrArray *exprs, const HeddleSizes *sizes, gint64 n, HeddleWindowAxis spans, gpointer data)
{
  HeddleSpan hull = heddle_window_hull (exprs, sizes, spans, data);
  gint64 from = CLAMP (hull.from, 0, n);

  return (HeddleSpan){ from, MAX (from, CLAMP (hull.to, 0, n)) };
}

typedef struct
{
  const HeddleSizes *sizes;
  HeddleWindowSlot slot;
  gpointer data;
} Slots;

static int
slot_of (const HeddleExpr *leaf, HeddleInterval *value, gpointer data)
{
  const Slots *self = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  int slot = kind == HEDDLE_EXPR_INDEX ? self->slot (heddle_expr_get_symbol (leaf), self->data) : -1;
  double n;

  if (slot >= 0 || (kind != HEDDLE_EXPR_SIZE && kind != HEDDLE_EXPR_INDEX))
    return slot;
  n = (double) heddle_sizes_get (self->sizes, heddle_expr_get_symbol (leaf));
  *value = kind == HEDDLE_EXPR_SIZE ? (HeddleInterval){ n, n } : (HeddleInterval){ 0., n - 1. };
  return -1;
}

GPtrArray *
heddle_window_compile (const GPtrArray *exprs, const HeddleSizes *sizes, HeddleWindowSlot slot, gpointer data)
{
  GPtrArray *programs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_interval_program_free);
  Slots slots = { sizes, slot, data };

  for (guint i = 0; i < exprs->len; i++)
    g_ptr_array_add (programs, heddle_interval_program_new (g_ptr_array_index (exprs, i), slot_of, &slots));
  return programs;
}

HeddleSpan
heddle_window_hull_of (const GPtrArray *programs, const HeddleInterval *slots)
{
  HeddleSpan hull = { FAR, -FAR };

  for (guint i = 0; i < programs->len; i++)
    widen (&hull, heddle_interval_program_run (g_ptr_array_index (programs, i), slots));
  return hull;
}

gint64
heddle_window_length (HeddleSpan hull, gint64 n)
{
  return MAX (CLAMP (hull.to, 0, n) - CLAMP (hull.from, 0, n), 0);
}

gboolean
heddle_window_uses (const GPtrArray *exprs, const char *axis)
{
  for (guint i = 0; i < exprs->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (exprs, i), HEDDLE_EXPR_INDEX, axis))
      return TRUE;
  return FALSE;
}

static gboolean
collect_axis (const HeddleExpr *node, gpointer data)
{
  GArray *axes = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX
      && !heddle_ids_contain (axes, heddle_expr_get_symbol (node)))
    heddle_ids_append (axes, heddle_expr_get_symbol (node));
  return TRUE;
}

GArray *
heddle_window_axes (const GPtrArray *exprs)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < exprs->len; i++)
    heddle_expr_walk (g_ptr_array_index (exprs, i), collect_axis, axes);
  return axes;
}

static gboolean
is_constant (const HeddleExpr *expr)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL);
}

/* --- which way it goes ------------------------------------------------------------------------------- */

/* Returns how the sum of two indices moves. */
static HeddleWindowWay
join (HeddleWindowWay a, HeddleWindowWay b)
{
  if (a == HEDDLE_WINDOW_STILL || b == HEDDLE_WINDOW_STILL)
    return a == HEDDLE_WINDOW_STILL ? b : a;
  return a == b ? a : HEDDLE_WINDOW_UNKNOWN;
}

static HeddleWindowWay
turned (HeddleWindowWay way)
{
  return way == HEDDLE_WINDOW_UP ? HEDDLE_WINDOW_DOWN : way == HEDDLE_WINDOW_DOWN ? HEDDLE_WINDOW_UP : way;
}

/* Returns how an index that moves in @way does when multiplied or divided by @by, which has no index. */
static HeddleWindowWay
scaled (HeddleWindowWay way, const HeddleExpr *by)
{
  gboolean negative = heddle_expr_get_kind (by) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (by) < 0.;

  if (way == HEDDLE_WINDOW_STILL)
    return way;
  if (heddle_expr_get_kind (by) != HEDDLE_EXPR_NUMBER && heddle_expr_get_kind (by) != HEDDLE_EXPR_SIZE)
    return HEDDLE_WINDOW_UNKNOWN;
  return negative ? turned (way) : way;
}

HeddleWindowWay
heddle_window_way (const HeddleExpr *index, const char *axis)
{
  guint n = heddle_expr_get_n_children (index);
  const HeddleExpr *a = n > 0 ? heddle_expr_get_child (index, 0) : NULL;
  const HeddleExpr *b = n > 1 ? heddle_expr_get_child (index, 1) : NULL;

  switch (heddle_expr_get_kind (index))
    {
    case HEDDLE_EXPR_NUMBER:
    case HEDDLE_EXPR_SIZE:
      return HEDDLE_WINDOW_STILL;
    case HEDDLE_EXPR_INDEX:
      return heddle_expr_get_symbol (index) == axis ? HEDDLE_WINDOW_UP : HEDDLE_WINDOW_STILL;
    case HEDDLE_EXPR_NEG:
      return turned (heddle_window_way (a, axis));
    case HEDDLE_EXPR_FLOOR:
    case HEDDLE_EXPR_CEIL:
      return heddle_window_way (a, axis);
    case HEDDLE_EXPR_ADD:
      return join (heddle_window_way (a, axis), heddle_window_way (b, axis));
    case HEDDLE_EXPR_SUB:
      return join (heddle_window_way (a, axis), turned (heddle_window_way (b, axis)));
    case HEDDLE_EXPR_MUL:
      return is_constant (a)   ? scaled (heddle_window_way (b, axis), a)
             : is_constant (b) ? scaled (heddle_window_way (a, axis), b)
                               : HEDDLE_WINDOW_UNKNOWN;
    case HEDDLE_EXPR_DIV:
      return is_constant (b) ? scaled (heddle_window_way (a, axis), b) : HEDDLE_WINDOW_UNKNOWN;
    default:
      return HEDDLE_WINDOW_UNKNOWN;
    }
}

gboolean
heddle_window_is_bounded (const HeddleExpr *index)
{
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_expr_walk (index, collect_axis, axes);
  if (axes->len == 0)
    return heddle_window_way (index, NULL) != HEDDLE_WINDOW_UNKNOWN;
  for (guint i = 0; i < axes->len; i++)
    if (heddle_window_way (index, heddle_ids_index (axes, i)) == HEDDLE_WINDOW_UNKNOWN)
      return FALSE;
  return TRUE;
}

gboolean
heddle_window_is_shifted (const HeddleExpr *a, const HeddleExpr *b)
{
  g_autoptr (HeddleExpr) between = heddle_expr_binary (
      HEDDLE_EXPR_SUB, heddle_expr_ref ((HeddleExpr *) a), heddle_expr_ref ((HeddleExpr *) b));
  g_autoptr (HeddleExpr) simple = heddle_expr_simplify (between);

  return heddle_expr_equal (a, b) || heddle_expr_get_kind (simple) == HEDDLE_EXPR_NUMBER;
}

/* --- what buffers hold --------------------------------------------------------------------------- */

/* --- windows that stay ---------------------------------------------------------------------------------- */

HeddleSpan
heddle_window_whole_axis (const char *axis, gpointer sizes)
{
  return (HeddleSpan){ 0, heddle_sizes_get (sizes, axis) };
}
