/* SPDX-License-Identifier: MIT */
#include "derive/index/interval.h"
#include "derive/program/guard.h"
#include "diagram/expression/tree.h"

#include <math.h>
#include <string.h>

#define LAST "last:"

/* Returns a new expression, the variable that stands for the last index of the tile or chunk of @axis. */
static HeddleExpr *
guard_last (const char *axis)
{
  g_autofree char *name = g_strconcat (LAST, axis, NULL);

  return heddle_expr_variable (g_intern_string (name));
}

const char *
heddle_guard_axis_of_last (const HeddleExpr *leaf)
{
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE
      || !g_str_has_prefix (heddle_expr_get_symbol (leaf), LAST))
    return NULL;
  return g_intern_string (heddle_expr_get_symbol (leaf) + strlen (LAST));
}

gboolean
heddle_guard_uses (const HeddleExpr *guard, const char *axis)
{
  g_autoptr (HeddleExpr) last = guard_last (axis);

  return heddle_expr_uses (guard, HEDDLE_EXPR_INDEX, axis)
         || heddle_expr_uses (guard, HEDDLE_EXPR_VARIABLE, heddle_expr_get_symbol (last));
}

/* --- bounds of whole numbers, linear in indices ------------------------------------------------- */

static HeddleExpr *bound (const HeddleExpr *expr, gboolean upper);

/* Returns whether the expression is known to be never below 0. */
static gboolean
is_positive (const HeddleExpr *expr)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_SIZE
         || (heddle_expr_get_kind (expr) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (expr) >= 0.);
}

static HeddleExpr *
bound_pair (HeddleExprKind kind, HeddleExpr *a, HeddleExpr *b)
{
  if (a != NULL && b != NULL)
    return heddle_expr_binary (kind, a, b);
  g_clear_pointer (&a, heddle_expr_unref);
  g_clear_pointer (&b, heddle_expr_unref);
  return NULL;
}

static HeddleExpr *
bound_product (const HeddleExpr *a, const HeddleExpr *b, gboolean upper)
{
  if (is_positive (a))
    return bound_pair (HEDDLE_EXPR_MUL, bound (a, upper), bound (b, upper));
  return is_positive (b) ? bound_pair (HEDDLE_EXPR_MUL, bound (a, upper), bound (b, upper)) : NULL;
}

/* Returns the least or the largest value that @expr may have; NULL if it is not known. */
static HeddleExpr *
bound (const HeddleExpr *expr, gboolean upper)
{
  guint n = heddle_expr_get_n_children (expr);
  const HeddleExpr *a = n > 0 ? heddle_expr_get_child (expr, 0) : NULL;
  const HeddleExpr *b = n > 1 ? heddle_expr_get_child (expr, 1) : NULL;
  HeddleExpr *negated;

  switch (heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      return isfinite (heddle_expr_get_number (expr)) ? heddle_expr_number (heddle_expr_get_number (expr))
                                                      : NULL;
    case HEDDLE_EXPR_SIZE:
      return heddle_expr_size (heddle_expr_get_symbol (expr));
    case HEDDLE_EXPR_INDEX:
      return upper ? guard_last (heddle_expr_get_symbol (expr))
                   : heddle_expr_index (heddle_expr_get_symbol (expr));
    case HEDDLE_EXPR_NEG:
      negated = bound (a, !upper);
      return negated != NULL ? heddle_expr_unary (HEDDLE_EXPR_NEG, negated) : NULL;
    case HEDDLE_EXPR_ADD:
      return bound_pair (HEDDLE_EXPR_ADD, bound (a, upper), bound (b, upper));
    case HEDDLE_EXPR_SUB:
      return bound_pair (HEDDLE_EXPR_SUB, bound (a, upper), bound (b, !upper));
    case HEDDLE_EXPR_MUL:
      return bound_product (a, b, upper);
    default:
      return NULL;
    }
}

/* --- conditions ------------------------------------------------------------------------------------ */

/* Returns whether a < b may hold somewhere (the least a is less than the largest b) or holds everywhere (the
 * largest a is less than the least b). */
static HeddleExpr *
compare (HeddleExprKind kind, const HeddleExpr *a, const HeddleExpr *b, gboolean somewhere)
{
  return bound_pair (kind, bound (a, !somewhere), bound (b, somewhere));
}

static HeddleExpr *holds (const HeddleExpr *condition, gboolean somewhere);

static HeddleExpr *
equals (const HeddleExpr *a, const HeddleExpr *b, gboolean somewhere)
{
  return bound_pair (
      HEDDLE_EXPR_AND, compare (HEDDLE_EXPR_LE, a, b, somewhere), compare (HEDDLE_EXPR_LE, b, a, somewhere));
}

static HeddleExpr *
negate (HeddleExpr *condition)
{
  return condition != NULL ? heddle_expr_unary (HEDDLE_EXPR_NOT, condition) : NULL;
}

/* Joins two conditions. For a conjunction one known side is enough to know that they never hold together; for
 * a disjunction both must be known. */
static HeddleExpr *
join (HeddleExprKind kind, const HeddleExpr *a, const HeddleExpr *b, gboolean somewhere)
{
  HeddleExpr *first = holds (a, somewhere), *second = holds (b, somewhere);

  if ((kind == HEDDLE_EXPR_AND) == somewhere && (first == NULL || second == NULL))
    return first != NULL ? first : second;
  return bound_pair (kind, first, second);
}

/* Returns the predicate that the condition may hold somewhere in the box, or holds everywhere; NULL if it is
 * not known, which means yes or no, respectively. */
static HeddleExpr *
holds (const HeddleExpr *condition, gboolean somewhere)
{
  HeddleExprKind kind = heddle_expr_get_kind (condition);
  guint n = heddle_expr_get_n_children (condition);
  const HeddleExpr *a = n > 0 ? heddle_expr_get_child (condition, 0) : NULL;
  const HeddleExpr *b = n > 1 ? heddle_expr_get_child (condition, 1) : NULL;

  switch (kind)
    {
    case HEDDLE_EXPR_LT:
    case HEDDLE_EXPR_LE:
      return compare (kind, a, b, somewhere);
    case HEDDLE_EXPR_GT:
      return compare (HEDDLE_EXPR_LT, b, a, somewhere);
    case HEDDLE_EXPR_GE:
      return compare (HEDDLE_EXPR_LE, b, a, somewhere);
    case HEDDLE_EXPR_EQ:
      return equals (a, b, somewhere);
    case HEDDLE_EXPR_NE:
      return negate (equals (a, b, !somewhere));
    case HEDDLE_EXPR_NOT:
      return negate (holds (a, !somewhere));
    case HEDDLE_EXPR_AND:
    case HEDDLE_EXPR_OR:
      return join (kind, a, b, somewhere);
    default:
      return NULL;
    }
}

HeddleExpr *
heddle_guard_new (const HeddleExpr *condition)
{
  return holds (condition, TRUE);
}

/* The sizes of all axes, and the number of steps, with which it is tested along which axes more steps run. */
#define LENGTHENS_SIZE 4096
#define LENGTHENS_STEPS 32

typedef struct
{
  const char *axis;
  double here, elsewhere; /* the index along that axis, and along each other one */
} Point;

static HeddleInterval
leaf_at (const HeddleExpr *leaf, gpointer data)
{
  const Point *point = data;
  const char *of_last = heddle_guard_axis_of_last (leaf);
  const char *axis = of_last != NULL ? of_last : heddle_expr_get_symbol (leaf);
  const double value = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE ? LENGTHENS_SIZE
                       : g_strcmp0 (axis, point->axis) == 0            ? point->here
                                                                       : point->elsewhere;

  return (HeddleInterval){ value, value };
}

static guint
count_steps (const HeddleExpr *guard, const char *axis, double here)
{
  guint n = 0;

  for (guint i = 0; i < LENGTHENS_STEPS; i++)
    {
      Point point = { axis, here, (double) i * (LENGTHENS_SIZE - 1) / (LENGTHENS_STEPS - 1) };

      n += heddle_interval_of (guard, leaf_at, &point).to != 0.;
    }
  return n;
}

gboolean
heddle_guard_lengthens (const HeddleExpr *guard, const char *axis)
{
  return heddle_guard_uses (guard, axis)
         && count_steps (guard, axis, LENGTHENS_SIZE - 1) > count_steps (guard, axis, 0);
}
