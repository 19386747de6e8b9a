/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/stream.h"

#include <math.h>

/* The algebra of cascaded reductions (io-model: "body (x, r) = g (x) * h (r)"): a body that reads reductions over the streamed axis is
 * taken apart into a factor that can be worked out chunk by chunk and one that waits for the reductions to be complete. An
 * exponential of a difference keeps the reduction so far inside (exp (a - m) stays in range, exp (a) would not) and is rescaled. */

typedef enum
{
  READS_CHUNKS = 1 << 0, /* values that vary along the streamed axis */
  READS_REDUCED = 1 << 1, /* reductions over it, or what follows from them */
  READS_TAINTED = 1 << 2, /* chunks that themselves stand for more than is kept */
} Reads;

typedef struct
{
  const HeddleStreamPlan *plan;
  Reads reads;
} Reader;

static Reads
reads_of_leaf (const HeddleStreaming *streaming)
{
  switch (streaming->phase)
    {
    case HEDDLE_PHASE_BEFORE:
      return 0;
    case HEDDLE_PHASE_STEP:
      return READS_CHUNKS | (streaming->deferred != NULL || streaming->running != NULL ? READS_TAINTED : 0);
    case HEDDLE_PHASE_STATE:
    case HEDDLE_PHASE_AFTER:
      return READS_REDUCED;
    }
  return 0;
}

static gboolean
visit_reads (const HeddleExpr *node, gpointer data)
{
  Reader *reader = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (node) == reader->plan->axis)
    reader->reads |= READS_CHUNKS;
  else if (heddle_expr_get_kind (node) == HEDDLE_EXPR_ARGUMENT)
    reader->reads |= reads_of_leaf (heddle_stream_plan_get (reader->plan, heddle_expr_get_operand (node)));
  return TRUE;
}

static Reads
reads_of (const HeddleStreamPlan *plan, const HeddleExpr *body)
{
  Reader reader = { plan, 0 };

  heddle_expr_walk (body, visit_reads, &reader);
  return reader.reads;
}

static gboolean
is_number (const HeddleExpr *expr, double value)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_NUMBER && heddle_expr_get_number (expr) == value;
}

static gboolean
is_same_everywhere (const HeddleExpr *expr)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_ARGUMENT, NULL)
         && !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL);
}

/* --- factors: NULL stands for 1 ----------------------------------------------------------- */

static HeddleExpr *
multiply (HeddleExpr *a, HeddleExpr *b)
{
  if (a == NULL || is_number (a, 1.))
    return b != NULL ? heddle_expr_ref (b) : NULL;
  if (b == NULL || is_number (b, 1.))
    return heddle_expr_ref (a);
  return heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (a), heddle_expr_ref (b));
}

static HeddleExpr *
divide (HeddleExpr *a, HeddleExpr *b)
{
  if (b == NULL || is_number (b, 1.))
    return a != NULL ? heddle_expr_ref (a) : NULL;
  return heddle_expr_binary (
      HEDDLE_EXPR_DIV, a != NULL ? heddle_expr_ref (a) : heddle_expr_number (1.), heddle_expr_ref (b));
}

static gboolean
factors_equal (const HeddleExpr *a, const HeddleExpr *b)
{
  return a == b || (a != NULL && b != NULL && heddle_expr_equal (a, b));
}

HeddleExpr *
heddle_factor_apply (HeddleExpr *factor, HeddleExpr *value)
{
  if (heddle_expr_get_kind (factor) == HEDDLE_EXPR_DIV)
    {
      g_autoptr (HeddleExpr) top = heddle_factor_apply (heddle_expr_get_child (factor, 0), value);

      return divide (top, heddle_expr_get_child (factor, 1));
    }
  if (heddle_expr_get_kind (factor) == HEDDLE_EXPR_WHERE && is_number (heddle_expr_get_child (factor, 1), 0.))
    return heddle_expr_where (heddle_expr_ref (heddle_expr_get_child (factor, 0)), heddle_expr_number (0.),
        heddle_factor_apply (heddle_expr_get_child (factor, 2), value));
  if (is_number (factor, 1.))
    return heddle_expr_ref (value);
  return multiply (value, factor);
}

/* --- running factors ---------------------------------------------------------------------- */

static void
running_clear (HeddleRunning *running)
{
  g_clear_pointer (&running->exponent, heddle_expr_unref);
}

static void
append_running (HeddleStreaming *result, guint state, HeddleExpr *exponent)
{
  HeddleRunning running = { state, heddle_expr_ref (exponent) };

  if (result->running == NULL)
    {
      result->running = g_array_new (FALSE, FALSE, sizeof (HeddleRunning));
      g_array_set_clear_func (result->running, (GDestroyNotify) running_clear);
    }
  g_array_append_val (result->running, running);
}

static void
join_running (HeddleStreaming *result, const HeddleStreaming *part)
{
  for (guint i = 0; part->running != NULL && i < part->running->len; i++)
    {
      const HeddleRunning *running = &g_array_index (part->running, HeddleRunning, i);

      append_running (result, running->state, running->exponent);
    }
}

static gboolean
running_equal (const HeddleStreaming *a, const HeddleStreaming *b)
{
  guint n = a->running != NULL ? a->running->len : 0;

  if (n != (b->running != NULL ? b->running->len : 0))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const HeddleRunning *x = &g_array_index (a->running, HeddleRunning, i);
      const HeddleRunning *y = &g_array_index (b->running, HeddleRunning, i);

      if (x->state != y->state || !heddle_expr_equal (x->exponent, y->exponent))
        return FALSE;
    }
  return TRUE;
}

static void
clear (HeddleStreaming *self)
{
  g_clear_pointer (&self->kept, heddle_expr_unref);
  g_clear_pointer (&self->deferred, heddle_expr_unref);
  g_clear_pointer (&self->running, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleStreaming, clear)

/* --- exponents ----------------------------------------------------------------------------- */

static gboolean reduced_terms (const HeddleStreamPlan *plan, HeddleExpr *exponent, HeddleExpr **part);

/* -a, a + b, a - b: either may have none. */
static gboolean
terms_of_sum (const HeddleStreamPlan *plan, HeddleExpr *sum, HeddleExpr **part)
{
  HeddleExprKind kind = heddle_expr_get_kind (sum);
  g_autoptr (HeddleExpr) a = NULL, b = NULL;

  if (!reduced_terms (plan, heddle_expr_get_child (sum, 0), &a)
      || (kind != HEDDLE_EXPR_NEG && !reduced_terms (plan, heddle_expr_get_child (sum, 1), &b)))
    return FALSE;
  if (kind == HEDDLE_EXPR_NEG)
    *part = heddle_expr_unary (HEDDLE_EXPR_NEG, g_steal_pointer (&a));
  else if (b == NULL)
    *part = g_steal_pointer (&a);
  else if (a != NULL)
    *part = heddle_expr_binary (kind, g_steal_pointer (&a), g_steal_pointer (&b));
  else if (kind == HEDDLE_EXPR_ADD)
    *part = g_steal_pointer (&b);
  else
    *part = heddle_expr_unary (HEDDLE_EXPR_NEG, g_steal_pointer (&b));
  return TRUE;
}

/* c * a, a * c, a / c with c the same at all points. */
static gboolean
terms_of_multiple (const HeddleStreamPlan *plan, HeddleExpr *product, HeddleExpr **part)
{
  HeddleExprKind kind = heddle_expr_get_kind (product);
  HeddleExpr *left = heddle_expr_get_child (product, 0), *right = heddle_expr_get_child (product, 1);
  g_autoptr (HeddleExpr) terms = NULL;

  if (kind == HEDDLE_EXPR_MUL && is_same_everywhere (left) && reduced_terms (plan, right, &terms))
    *part = heddle_expr_binary (kind, heddle_expr_ref (left), g_steal_pointer (&terms));
  else if (is_same_everywhere (right) && reduced_terms (plan, left, &terms))
    *part = heddle_expr_binary (kind, g_steal_pointer (&terms), heddle_expr_ref (right));
  return *part != NULL;
}

/* The terms of the sum @exponent that read reductions: @part, NULL where there are none. FALSE: they do not come out as terms. */
static gboolean
reduced_terms (const HeddleStreamPlan *plan, HeddleExpr *exponent, HeddleExpr **part)
{
  Reads reads = reads_of (plan, exponent);

  *part = NULL;
  if ((reads & READS_TAINTED) != 0)
    return FALSE;
  if ((reads & READS_REDUCED) == 0)
    return TRUE;
  switch (heddle_expr_get_kind (exponent))
    {
    case HEDDLE_EXPR_ARGUMENT:
      *part = heddle_expr_ref (exponent);
      return TRUE;
    case HEDDLE_EXPR_NEG:
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
      return terms_of_sum (plan, exponent, part);
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_DIV:
      return terms_of_multiple (plan, exponent, part);
    default:
      return FALSE;
    }
}

/* exp (chunk part + one state's part): kept as it is with the state so far. That stays in range for a maximum or minimum only: the
 * running value of a sum says nothing about its end. */
static gboolean
factor_exponential (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  g_autoptr (HeddleExpr) exponent = NULL;
  g_autoptr (GArray) arguments = NULL;
  const HeddleStreaming *state;

  if (!reduced_terms (plan, heddle_expr_get_child (body, 0), &exponent))
    return FALSE;
  arguments = heddle_expr_arguments (exponent);
  if (arguments->len != 1)
    return FALSE;
  state = heddle_stream_plan_get (plan, g_array_index (arguments, guint, 0));
  if (state->phase != HEDDLE_PHASE_STATE
      || (state->monoid != HEDDLE_MONOID_MAX && state->monoid != HEDDLE_MONOID_MIN) || state->deferred != NULL
      || state->running != NULL)
    return FALSE;
  result->kept = heddle_expr_ref (body);
  append_running (result, g_array_index (arguments, guint, 0), exponent);
  return TRUE;
}

/* --- the other kinds ------------------------------------------------------------------------- */

static gboolean
factor_leaf (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  const HeddleStreaming *streaming = heddle_stream_plan_get (plan, heddle_expr_get_operand (body));

  result->kept = heddle_expr_ref (body);
  result->deferred = streaming->deferred != NULL ? heddle_expr_ref (streaming->deferred) : NULL;
  join_running (result, streaming);
  return TRUE;
}

static gboolean
factor_product (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  g_auto (HeddleStreaming) a = { 0 }, b = { 0 };
  gboolean quotient = heddle_expr_get_kind (body) == HEDDLE_EXPR_DIV;

  if (!heddle_factor (plan, heddle_expr_get_child (body, 0), &a)
      || !heddle_factor (plan, heddle_expr_get_child (body, 1), &b) || (quotient && b.running != NULL))
    return FALSE;
  result->kept = quotient ? divide (a.kept, b.kept) : multiply (a.kept, b.kept);
  result->deferred = quotient ? divide (a.deferred, b.deferred) : multiply (a.deferred, b.deferred);
  join_running (result, &a);
  join_running (result, &b);
  return TRUE;
}

/* A sum of terms with the same factors. */
static gboolean
factor_sum (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  g_auto (HeddleStreaming) a = { 0 }, b = { 0 };

  if (!heddle_factor (plan, heddle_expr_get_child (body, 0), &a)
      || !heddle_factor (plan, heddle_expr_get_child (body, 1), &b) || !factors_equal (a.deferred, b.deferred)
      || !running_equal (&a, &b))
    return FALSE;
  result->kept
      = heddle_expr_binary (heddle_expr_get_kind (body), heddle_expr_ref (a.kept), heddle_expr_ref (b.kept));
  result->deferred = g_steal_pointer (&a.deferred);
  result->running = g_steal_pointer (&a.running);
  return TRUE;
}

static gboolean
factor_negation (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  if (!heddle_factor (plan, heddle_expr_get_child (body, 0), result))
    return FALSE;
  result->kept = heddle_expr_unary (HEDDLE_EXPR_NEG, result->kept);
  return TRUE;
}

/* A small whole power of a product is the product of powers. */
static gboolean
factor_power (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  HeddleExpr *exponent = heddle_expr_get_child (body, 1);
  g_auto (HeddleStreaming) base = { 0 };
  double power;

  if (heddle_expr_get_kind (exponent) != HEDDLE_EXPR_NUMBER)
    return FALSE;
  power = heddle_expr_get_number (exponent);
  if (power != floor (power) || power < 1. || power > 8.
      || !heddle_factor (plan, heddle_expr_get_child (body, 0), &base))
    return FALSE;
  result->kept
      = heddle_expr_binary (HEDDLE_EXPR_POW, heddle_expr_ref (base.kept), heddle_expr_ref (exponent));
  if (base.deferred != NULL)
    result->deferred
        = heddle_expr_binary (HEDDLE_EXPR_POW, heddle_expr_ref (base.deferred), heddle_expr_ref (exponent));
  for (int i = 0; i < (int) power; i++)
    join_running (result, &base);
  return TRUE;
}

/* where (predicate, 0, x) and where (predicate, x, 0): a factor of 0 or 1. The guard goes where its predicate is known. */
static gboolean
factor_guard (const HeddleStreamPlan *plan, HeddleExpr *body, gboolean zero_first, HeddleStreaming *result)
{
  HeddleExpr *predicate = heddle_expr_get_child (body, 0);
  Reads reads = reads_of (plan, predicate);
  HeddleExpr **guarded;
  HeddleExpr *zero, *rest;

  if ((reads & READS_TAINTED) != 0 || ((reads & READS_CHUNKS) != 0 && (reads & READS_REDUCED) != 0)
      || !heddle_factor (plan, heddle_expr_get_child (body, zero_first ? 2 : 1), result))
    return FALSE;
  guarded = (reads & READS_REDUCED) != 0 ? &result->deferred : &result->kept;
  zero = heddle_expr_number (0.);
  rest = *guarded != NULL ? *guarded : heddle_expr_number (1.);
  *guarded = zero_first ? heddle_expr_where (heddle_expr_ref (predicate), zero, rest)
                        : heddle_expr_where (heddle_expr_ref (predicate), rest, zero);
  return TRUE;
}

/* A choice, by what is known chunk by chunk, of two things with the same factors. */
static gboolean
factor_choice (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  g_auto (HeddleStreaming) a = { 0 }, b = { 0 };
  HeddleExpr *predicate = heddle_expr_get_child (body, 0);

  if (is_number (heddle_expr_get_child (body, 1), 0.))
    return factor_guard (plan, body, TRUE, result);
  if (is_number (heddle_expr_get_child (body, 2), 0.))
    return factor_guard (plan, body, FALSE, result);
  if ((reads_of (plan, predicate) & (READS_TAINTED | READS_REDUCED)) != 0
      || !heddle_factor (plan, heddle_expr_get_child (body, 1), &a)
      || !heddle_factor (plan, heddle_expr_get_child (body, 2), &b) || !factors_equal (a.deferred, b.deferred)
      || !running_equal (&a, &b))
    return FALSE;
  result->kept
      = heddle_expr_where (heddle_expr_ref (predicate), heddle_expr_ref (a.kept), heddle_expr_ref (b.kept));
  result->deferred = g_steal_pointer (&a.deferred);
  result->running = g_steal_pointer (&a.running);
  return TRUE;
}

static gboolean
factor_kind (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  switch (heddle_expr_get_kind (body))
    {
    case HEDDLE_EXPR_ARGUMENT:
      return factor_leaf (plan, body, result);
    case HEDDLE_EXPR_MUL:
    case HEDDLE_EXPR_DIV:
      return factor_product (plan, body, result);
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
      return factor_sum (plan, body, result);
    case HEDDLE_EXPR_NEG:
      return factor_negation (plan, body, result);
    case HEDDLE_EXPR_POW:
      return factor_power (plan, body, result);
    case HEDDLE_EXPR_EXP:
      return factor_exponential (plan, body, result);
    case HEDDLE_EXPR_WHERE:
      return factor_choice (plan, body, result);
    default:
      return FALSE;
    }
}

gboolean
heddle_factor (const HeddleStreamPlan *plan, HeddleExpr *body, HeddleStreaming *result)
{
  Reads reads = reads_of (plan, body);

  if ((reads & (READS_REDUCED | READS_TAINTED)) == 0)
    {
      result->kept = heddle_expr_ref (body);
      return TRUE;
    }
  if ((reads & READS_CHUNKS) == 0)
    {
      result->kept = heddle_expr_number (1.);
      result->deferred = heddle_expr_ref (body);
      return TRUE;
    }
  return factor_kind (plan, body, result);
}
