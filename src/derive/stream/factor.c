/* SPDX-License-Identifier: MIT */
#include "derive/stream/factor-centre.h"
#include "derive/stream/factor-exponent.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/factor.h"
#include "derive/stream/plan.h"
#include "diagram/expression/tree.h"

#include <math.h>

/* The algebra of cascaded reductions ("body (x, r) = g (x) * h (r)"): a body that reads reductions over the
 * streamed axis is split into a sum of parts, each a factor that can be computed chunk by chunk and one that
 * waits for the reductions to be complete. An exponential of a difference keeps the reduction so far inside
 * (exp (a - m) stays in range, exp (a) would not) and is rescaled. A difference of a chunk and a reduction, a
 * - r, is kept as a - c, with c near to r, and - (r - c) waits: a sum of squares of such does not cancel
 * away. */

/* The limits of factors of factors: a chain of squares would have twice as many at each step. */
#define MAX_NODES 4096
#define MAX_RUNNING 64

static GPtrArray *
one_part (HeddleSummand *part)
{
  GPtrArray *parts = heddle_parts_new ();

  g_ptr_array_add (parts, part);
  return parts;
}

/* --- products ------------------------------------------------------------------------------ */

static GPtrArray *
factor_leaf (const HeddleStreamPlan *plan, HeddleExpr *body)
{
  const HeddleStreaming *streaming = heddle_stream_plan_get (plan, heddle_expr_get_operand (body));
  HeddleSummand self = { body, streaming->deferred, streaming->running };
  GPtrArray *parts;

  if (streaming->parts == NULL)
    return one_part (heddle_part_copy (&self));
  parts = heddle_parts_new ();
  for (guint i = 0; i < streaming->parts->len; i++)
    g_ptr_array_add (parts, heddle_part_copy (g_ptr_array_index (streaming->parts, i)));
  return parts;
}

static HeddleSummand *
multiply_parts (const HeddleSummand *a, const HeddleSummand *b)
{
  HeddleExpr *kept = heddle_factor_multiply (a->kept, b->kept);
  HeddleSummand *product = heddle_part_new (kept, heddle_factor_multiply (a->deferred, b->deferred));

  heddle_part_join_running (product, a);
  heddle_part_join_running (product, b);
  return product;
}

/* Returns the products of every part with every part; NULL if there are too many. */
static GPtrArray *
multiply_sums (const GPtrArray *a, const GPtrArray *b)
{
  g_autoptr (GPtrArray) parts = heddle_parts_new ();

  for (guint i = 0; i < a->len; i++)
    for (guint k = 0; k < b->len; k++)
      heddle_parts_add (parts, multiply_parts (g_ptr_array_index (a, i), g_ptr_array_index (b, k)));
  return parts->len <= HEDDLE_MAX_PARTS ? g_steal_pointer (&parts) : NULL;
}

static GPtrArray *
factor_product (HeddleStreamPlan *plan, HeddleExpr *body)
{
  g_autoptr (GPtrArray) a = heddle_factor (plan, heddle_expr_get_child (body, 0));
  g_autoptr (GPtrArray) b = a != NULL ? heddle_factor (plan, heddle_expr_get_child (body, 1)) : NULL;

  return b != NULL ? multiply_sums (a, b) : NULL;
}

/* Factors a quotient by one part that does not move: each part of a sum by itself. */
static GPtrArray *
factor_quotient (HeddleStreamPlan *plan, HeddleExpr *body)
{
  g_autoptr (GPtrArray) a = heddle_factor (plan, heddle_expr_get_child (body, 0));
  g_autoptr (GPtrArray) b = a != NULL ? heddle_factor (plan, heddle_expr_get_child (body, 1)) : NULL;
  const HeddleSummand *divisor = b != NULL ? g_ptr_array_index (b, 0) : NULL;
  GPtrArray *parts;

  if (divisor == NULL || b->len > 1 || divisor->running != NULL)
    return NULL;
  parts = heddle_parts_new ();
  for (guint i = 0; i < a->len; i++)
    {
      const HeddleSummand *part = g_ptr_array_index (a, i);
      HeddleSummand *quotient = heddle_part_new (heddle_factor_divide (part->kept, divisor->kept),
          heddle_factor_divide (part->deferred, divisor->deferred));

      heddle_part_join_running (quotient, part);
      heddle_parts_add (parts, quotient);
    }
  return parts;
}

static HeddleExpr *
raised_to (HeddleExpr *base, HeddleExpr *exponent)
{
  return base != NULL
             ? heddle_expr_binary (HEDDLE_EXPR_POW, heddle_expr_ref (base), heddle_expr_ref (exponent))
             : NULL;
}

static GPtrArray *
raise_part (const HeddleSummand *part, HeddleExpr *exponent)
{
  HeddleSummand *raised
      = heddle_part_new (raised_to (part->kept, exponent), raised_to (part->deferred, exponent));

  for (int i = 0; i < (int) heddle_expr_get_number (exponent); i++)
    heddle_part_join_running (raised, part);
  return one_part (raised);
}

/* Returns the factors of a small whole power: of a product it is the product of powers, and a sum is
 * multiplied out. */
static GPtrArray *
factor_power (HeddleStreamPlan *plan, HeddleExpr *body)
{
  HeddleExpr *exponent = heddle_expr_get_child (body, 1);
  double power
      = heddle_expr_get_kind (exponent) == HEDDLE_EXPR_NUMBER ? heddle_expr_get_number (exponent) : 0.;
  g_autoptr (GPtrArray) base = NULL;
  GPtrArray *product;

  if (power != floor (power) || power < 1. || power > 8.
      || (base = heddle_factor (plan, heddle_expr_get_child (body, 0))) == NULL)
    return NULL;
  if (base->len == 1)
    return raise_part (g_ptr_array_index (base, 0), exponent);
  product = g_ptr_array_ref (base);
  for (int i = 1; product != NULL && i < (int) power; i++)
    {
      GPtrArray *next = multiply_sums (product, base);

      g_ptr_array_unref (product);
      product = next;
    }
  return product;
}

/* --- sums ------------------------------------------------------------------------------------ */

static HeddleSummand *
find_plain (const GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    if (heddle_part_is_plain (g_ptr_array_index (parts, i)))
      return g_ptr_array_index (parts, i);
  return NULL;
}

/* Keeps @chunks relative to the centre of @reduced; the rest of that waits. */
static void
centre (HeddleStreamPlan *plan, HeddleExpr *reduced, GPtrArray *chunks, HeddleSummand *waiting, gboolean add)
{
  HeddleSummand *plain = find_plain (chunks);
  HeddleExpr *near, *rest;

  if (plain == NULL || !heddle_stream_plan_centre (plan, reduced, &near, &rest))
    return;
  plain->kept
      = heddle_expr_binary (add ? HEDDLE_EXPR_ADD : HEDDLE_EXPR_SUB, plain->kept, heddle_expr_ref (near));
  heddle_expr_unref (waiting->deferred);
  waiting->deferred = heddle_expr_ref (rest);
}

static gboolean
waits (const GPtrArray *parts)
{
  const HeddleSummand *part = g_ptr_array_index (parts, 0);

  return parts->len == 1 && part->deferred != NULL && heddle_expr_is_number (part->kept, 1.);
}

/* Centres either side: a - r is (a - c) - (r - c), r - a is (r - c) - (a - c), and their sum (a + c) + (r -
 * c). */
static void
centre_either (HeddleStreamPlan *plan, HeddleExpr *body, GPtrArray *a, GPtrArray *b)
{
  gboolean add = heddle_expr_get_kind (body) == HEDDLE_EXPR_ADD;

  if (waits (b))
    centre (plan, heddle_expr_get_child (body, 1), a, g_ptr_array_index (b, 0), add);
  else if (waits (a))
    centre (plan, heddle_expr_get_child (body, 0), b, g_ptr_array_index (a, 0), add);
}

static GPtrArray *
factor_sum (HeddleStreamPlan *plan, HeddleExpr *body)
{
  g_autoptr (GPtrArray) a = heddle_factor (plan, heddle_expr_get_child (body, 0));
  g_autoptr (GPtrArray) b = a != NULL ? heddle_factor (plan, heddle_expr_get_child (body, 1)) : NULL;
  gboolean add = heddle_expr_get_kind (body) == HEDDLE_EXPR_ADD;

  if (b == NULL)
    return NULL;
  centre_either (plan, body, a, b);
  for (guint i = 0; i < b->len; i++)
    (add ? heddle_parts_add : heddle_parts_subtract) (a, heddle_part_copy (g_ptr_array_index (b, i)));
  return a->len <= HEDDLE_MAX_PARTS ? g_steal_pointer (&a) : NULL;
}

static GPtrArray *
factor_negation (HeddleStreamPlan *plan, HeddleExpr *body)
{
  GPtrArray *parts = heddle_factor (plan, heddle_expr_get_child (body, 0));

  for (guint i = 0; parts != NULL && i < parts->len; i++)
    heddle_part_negate (g_ptr_array_index (parts, i));
  return parts;
}

static GPtrArray *factor_choice (HeddleStreamPlan *plan, HeddleExpr *body);

/* --- the door ----------------------------------------------------------------------------------- */

static GPtrArray *
factor_kind (HeddleStreamPlan *plan, HeddleExpr *body)
{
  switch (heddle_expr_get_kind (body))
    {
    case HEDDLE_EXPR_ARGUMENT:
      return factor_leaf (plan, body);
    case HEDDLE_EXPR_MUL:
      return factor_product (plan, body);
    case HEDDLE_EXPR_DIV:
      return factor_quotient (plan, body);
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
      return factor_sum (plan, body);
    case HEDDLE_EXPR_NEG:
      return factor_negation (plan, body);
    case HEDDLE_EXPR_POW:
      return factor_power (plan, body);
    case HEDDLE_EXPR_EXP:
      return heddle_factor_exponential (plan, body);
    case HEDDLE_EXPR_WHERE:
      return factor_choice (plan, body);
    default:
      return NULL;
    }
}

static gboolean
count_node (const HeddleExpr *node, gpointer data)
{
  return ++*(guint *) data <= MAX_NODES;
}

gboolean
heddle_parts_are_small (const GPtrArray *parts)
{
  guint nodes = 0, running = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      const HeddleSummand *part = g_ptr_array_index (parts, i);

      running += part->running != NULL ? part->running->len : 0;
      if (part->deferred != NULL)
        heddle_expr_walk (part->deferred, count_node, &nodes);
    }
  return nodes <= MAX_NODES && running <= MAX_RUNNING;
}

GPtrArray *
heddle_factor (HeddleStreamPlan *plan, HeddleExpr *body)
{
  HeddleReads reads = heddle_stream_plan_reads (plan, body);

  if ((reads & (HEDDLE_READS_REDUCED | HEDDLE_READS_TAINTED)) == 0)
    return one_part (heddle_part_new (heddle_expr_ref (body), NULL));
  if ((reads & HEDDLE_READS_CHUNKS) == 0)
    return one_part (heddle_part_new (heddle_expr_number (1.), heddle_expr_ref (body)));
  return factor_kind (plan, body);
}

/* Factors where (predicate, 0, x) and where (predicate, x, 0) with a factor of 0 or 1. The guard is applied
 * where its predicate is known. */
static GPtrArray *
factor_guard (HeddleStreamPlan *plan, HeddleExpr *body, gboolean zero_first)
{
  HeddleExpr *predicate = heddle_expr_get_child (body, 0);
  HeddleReads reads = heddle_stream_plan_reads (plan, predicate);
  GPtrArray *parts;

  if ((reads & HEDDLE_READS_TAINTED) != 0
      || ((reads & HEDDLE_READS_CHUNKS) != 0 && (reads & HEDDLE_READS_REDUCED) != 0)
      || (parts = heddle_factor (plan, heddle_expr_get_child (body, zero_first ? 2 : 1))) == NULL)
    return NULL;
  for (guint i = 0; i < parts->len; i++)
    {
      HeddleSummand *part = g_ptr_array_index (parts, i);
      HeddleExpr **guarded = (reads & HEDDLE_READS_REDUCED) != 0 ? &part->deferred : &part->kept;
      HeddleExpr *zero = heddle_expr_number (0.);
      HeddleExpr *rest = *guarded != NULL ? *guarded : heddle_expr_number (1.);

      *guarded = zero_first ? heddle_expr_where (heddle_expr_ref (predicate), zero, rest)
                            : heddle_expr_where (heddle_expr_ref (predicate), rest, zero);
    }
  return parts;
}

/* Returns the factors of a choice, by what is known chunk by chunk, between two things: if they have the same
 * factors, the choice is between what is kept. */
static GPtrArray *
choose (HeddleExpr *predicate, const GPtrArray *a, const GPtrArray *b)
{
  GPtrArray *parts = heddle_parts_new ();
  g_autoptr (GPtrArray) rest = heddle_parts_new ();

  for (guint i = 0; i < b->len; i++)
    g_ptr_array_add (rest, heddle_part_copy (g_ptr_array_index (b, i)));
  for (guint i = 0; i < a->len; i++)
    {
      HeddleSummand *part = heddle_part_copy (g_ptr_array_index (a, i));
      int alike = heddle_parts_find_alike (rest, part);
      HeddleExpr *other = alike >= 0
                              ? heddle_expr_ref (((HeddleSummand *) g_ptr_array_index (rest, alike))->kept)
                              : heddle_expr_number (0.);

      part->kept = heddle_expr_where (heddle_expr_ref (predicate), part->kept, other);
      g_ptr_array_add (parts, part);
      if (alike >= 0)
        g_ptr_array_remove_index (rest, (guint) alike);
    }
  for (guint i = 0; i < rest->len; i++)
    {
      HeddleSummand *part = heddle_part_copy (g_ptr_array_index (rest, i));

      part->kept = heddle_expr_where (heddle_expr_ref (predicate), heddle_expr_number (0.), part->kept);
      g_ptr_array_add (parts, part);
    }
  return parts;
}

/* Takes where (…) apart into a new sum of parts, as heddle_factor () does; NULL means that a reduction does
 * not come out of it. */
static GPtrArray *
factor_choice (HeddleStreamPlan *plan, HeddleExpr *body)
{
  HeddleExpr *predicate = heddle_expr_get_child (body, 0);
  g_autoptr (GPtrArray) a = NULL, b = NULL;

  if (heddle_expr_is_number (heddle_expr_get_child (body, 1), 0.))
    return factor_guard (plan, body, TRUE);
  if (heddle_expr_is_number (heddle_expr_get_child (body, 2), 0.))
    return factor_guard (plan, body, FALSE);
  if ((heddle_stream_plan_reads (plan, predicate) & (HEDDLE_READS_TAINTED | HEDDLE_READS_REDUCED)) != 0
      || (a = heddle_factor (plan, heddle_expr_get_child (body, 1))) == NULL
      || (b = heddle_factor (plan, heddle_expr_get_child (body, 2))) == NULL
      || a->len + b->len > HEDDLE_MAX_PARTS)
    return NULL;
  return choose (predicate, a, b);
}
