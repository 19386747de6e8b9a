/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "derive/stream/factor-centre.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/parts.h"
#include "derive/stream/plan.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* Sums about a value near to the mean: that of the first L that are summed (Chan, Golub & LeVeque 1983,
 * "Algorithms for computing the sample variance"), which a loop that takes L a step knows in its first one.
 * Deviations from their mean are among those that are summed: no sum of n squares of deviations loses more
 * than a factor 1 + n/L of its precision, however far from 0 the values are, and no deviation is further from
 * 0 than its distance to the mean by more than sqrt(n/L) standard deviations. */

/* The greatest number of visits in a chain of values that are computed one from the other. */
#define MAX_VISITS 64

typedef struct
{
  HeddleStreamPlan *plan;
  guint state; /* the sum over the axis; G_MAXUINT: none yet */
  guint visits;
  HeddleExpr *number; /* of its terms */
} Chain;

static gboolean is_affine (Chain *chain, const HeddleExpr *expr);

static gboolean
is_affine_leaf (Chain *chain, guint definition)
{
  const HeddleStreaming *streaming = heddle_stream_plan_get (chain->plan, definition);
  const HeddleDefinition *own = heddle_stream_plan_definition (chain->plan, definition);

  if (streaming->phase == HEDDLE_PHASE_AFTER)
    return own->indices == NULL && !own->reduces && own->form == HEDDLE_COMPUTE_FOLD
           && is_affine (chain, streaming->kept);
  if (streaming->phase != HEDDLE_PHASE_STATE || streaming->monoid != HEDDLE_MONOID_SUM
      || streaming->deferred != NULL || streaming->running != NULL
      || (chain->state != G_MAXUINT && chain->state != definition))
    return FALSE;
  chain->state = definition;
  return TRUE;
}

static gboolean
is_unreduced (const Chain *chain, const HeddleExpr *expr)
{
  return heddle_stream_plan_reads (chain->plan, expr) == 0;
}

/* Returns whether @expr is a sum of multiples of one state and of what is known before the loop. */
static gboolean
is_affine (Chain *chain, const HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  const HeddleExpr *a = heddle_expr_get_n_children (expr) > 0 ? heddle_expr_get_child (expr, 0) : NULL;
  const HeddleExpr *b = heddle_expr_get_n_children (expr) > 1 ? heddle_expr_get_child (expr, 1) : NULL;

  if (++chain->visits > MAX_VISITS)
    return FALSE;
  if (is_unreduced (chain, expr))
    return TRUE;
  switch (kind)
    {
    case HEDDLE_EXPR_ARGUMENT:
      return is_affine_leaf (chain, heddle_expr_get_operand (expr));
    case HEDDLE_EXPR_NEG:
      return is_affine (chain, a);
    case HEDDLE_EXPR_ADD:
    case HEDDLE_EXPR_SUB:
      return is_affine (chain, a) && is_affine (chain, b);
    case HEDDLE_EXPR_MUL:
      return is_unreduced (chain, a) ? is_affine (chain, b) : is_unreduced (chain, b) && is_affine (chain, a);
    case HEDDLE_EXPR_DIV:
      return is_unreduced (chain, b) && is_affine (chain, a);
    default:
      return FALSE;
    }
}

/* --- the state -------------------------------------------------------------------------------- */

static HeddleExpr *estimate (Chain *chain, HeddleExpr *expr);

static HeddleExpr *
estimate_leaf (Chain *chain, HeddleExpr *leaf)
{
  guint definition = heddle_expr_get_operand (leaf);
  const HeddleStreaming *streaming = heddle_stream_plan_get (chain->plan, definition);

  if (definition == chain->state)
    return heddle_factor_multiply (chain->number, streaming->kept);
  return streaming->phase == HEDDLE_PHASE_AFTER ? estimate (chain, streaming->kept) : heddle_expr_ref (leaf);
}

/* Returns @expr as it would be if all terms of the sum were the current one: a mean is then the term
 * itself. */
static HeddleExpr *
estimate (Chain *chain, HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  guint n = heddle_expr_get_n_children (expr);
  HeddleExpr *children[3], *first = n > 0 ? heddle_expr_get_child (expr, 0) : NULL;

  if (kind == HEDDLE_EXPR_ARGUMENT)
    return estimate_leaf (chain, expr);
  if (n == 0)
    return heddle_expr_ref (expr);
  if (kind == HEDDLE_EXPR_DIV && heddle_expr_get_kind (first) == HEDDLE_EXPR_ARGUMENT
      && heddle_expr_get_operand (first) == chain->state
      && heddle_expr_equal (heddle_expr_get_child (expr, 1), chain->number))
    return heddle_expr_ref (heddle_stream_plan_get (chain->plan, chain->state)->kept);
  for (guint i = 0; i < n; i++)
    children[i] = estimate (chain, heddle_expr_get_child (expr, i));
  return heddle_expr_node (kind, children, n);
}

/* Returns the predicate that the point is the first of those reduced. */
static HeddleExpr *
is_first (const GArray *over)
{
  HeddleExpr *first = NULL;

  for (guint i = 0; i < over->len; i++)
    {
      HeddleExpr *zero = heddle_expr_binary (
          HEDDLE_EXPR_EQ, heddle_expr_index (heddle_ids_index (over, i)), heddle_expr_number (0.));

      first = first == NULL ? zero : heddle_expr_binary (HEDDLE_EXPR_AND, first, zero);
    }
  return first;
}

/* Returns a sum like the chain's, but of @body, which it takes. */
static HeddleExpr *
add_sum (Chain *chain, HeddleExpr *body, const char *name, const char *title)
{
  const HeddleDefinition *like = heddle_stream_plan_definition (chain->plan, chain->state);
  HeddleDefinition *sum = heddle_stream_plan_add (chain->plan, like, body);

  sum->name = name;
  sum->title = title;
  heddle_expr_unref (body);
  return heddle_expr_argument (chain->plan->definitions->len - 1);
}

/* --- the first of all elements, read ahead --- */

typedef struct
{
  Chain *chain;
  const GArray *over;
  gboolean known; /* that what is read there is an input, or made of inputs point by point */
} First;

static HeddleExpr *first_leaf (const HeddleExpr *leaf, gpointer data);

static gboolean
varies (const GArray *axes, const GArray *over)
{
  for (guint i = 0; i < over->len; i++)
    if (heddle_ids_contain (axes, heddle_ids_index (over, i)))
      return TRUE;
  return FALSE;
}

/* Returns an input at the first of the points that are reduced. */
static HeddleExpr *
first_of_input (First *self, const HeddleDefinition *definition)
{
  g_autoptr (GArray) axes = heddle_ids_new ();
  HeddleDefinition *input;
  GPtrArray *at;

  if (definition->at != NULL || definition->whole != 0)
    {
      self->known = FALSE;
      return NULL;
    }
  at = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < definition->axes->len; i++)
    {
      const char *axis = heddle_ids_index (definition->axes, i);
      gboolean reduced = heddle_ids_contain (self->over, axis);

      g_ptr_array_add (at, reduced ? heddle_expr_number (0.) : heddle_expr_index (axis));
      if (!reduced)
        heddle_ids_append (axes, axis);
    }
  input = heddle_definition_new (definition->value, axes);
  input->input = TRUE;
  input->at = at;
  return heddle_expr_argument (heddle_stream_plan_add_before (self->chain->plan, input, NULL));
}

static HeddleExpr *
first_leaf (const HeddleExpr *leaf, gpointer data)
{
  First *self = data;
  const HeddleDefinition *definition;
  const HeddleStreaming *streaming;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX
      && heddle_ids_contain (self->over, heddle_expr_get_symbol (leaf)))
    return heddle_expr_number (0.);
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  definition = heddle_stream_plan_definition (self->chain->plan, heddle_expr_get_operand (leaf));
  streaming = heddle_stream_plan_get (self->chain->plan, heddle_expr_get_operand (leaf));
  if (!varies (definition->axes, self->over))
    return NULL;
  if (definition->input)
    return first_of_input (self, definition);
  if (streaming->kept != NULL && streaming->deferred == NULL && streaming->running == NULL
      && definition->form == HEDDLE_COMPUTE_FOLD && !definition->reduces && definition->indices == NULL)
    return heddle_expr_substitute (streaming->kept, first_leaf, self);
  self->known = FALSE;
  return NULL;
}

/* Returns @term at the first of the points reduced; NULL if it is not known before the loop. */
static HeddleExpr *
add_first (Chain *chain, HeddleExpr *term)
{
  const HeddleDefinition *like = heddle_stream_plan_definition (chain->plan, chain->state);
  First first = { chain, like->over, TRUE };
  HeddleExpr *kept = heddle_expr_substitute (term, first_leaf, &first);
  HeddleDefinition *centre;

  if (!first.known)
    {
      heddle_expr_unref (kept);
      return NULL;
    }
  centre = heddle_definition_new (NULL, like->axes);
  centre->operation = like->operation;
  centre->column = like->column;
  centre->name = "c";
  centre->title = N_ ("centre");
  centre->body = heddle_expr_ref (kept);
  return heddle_expr_argument (heddle_stream_plan_add_before (chain->plan, centre, kept));
}

/* Returns a state that has the first element once it came or, if steps take several, their mean; for groups
 * that run apart, the first one read ahead. */
static HeddleExpr *
new_centre (Chain *chain, HeddleExpr *term)
{
  const GArray *over = heddle_stream_plan_definition (chain->plan, chain->state)->over;
  HeddleExpr *centre;

  if (chain->plan->split)
    return add_first (chain, term);
  centre
      = add_sum (chain, heddle_expr_where (is_first (over), heddle_expr_ref (term), heddle_expr_number (0.)),
          "c", N_ ("centre"));
  g_array_index (chain->plan->streamings, HeddleStreaming, heddle_expr_get_operand (centre)).centred
      = heddle_expr_ref (term);
  return centre;
}

static gboolean
add_centre (Chain *chain, HeddleExpr *reduced)
{
  const GArray *over = heddle_stream_plan_definition (chain->plan, chain->state)->over;
  g_autoptr (HeddleExpr) term = NULL;
  HeddleExpr *centre, *rest;

  chain->number = heddle_sizes_product (over);
  term = estimate (chain, reduced);
  centre = new_centre (chain, term);
  if (centre == NULL)
    {
      heddle_expr_unref (chain->number);
      chain->plan->uncentred = TRUE;
      return FALSE;
    }
  rest = add_sum (chain,
      heddle_expr_binary (HEDDLE_EXPR_SUB, g_steal_pointer (&term), heddle_expr_ref (centre)), "d",
      N_ ("sum of deviations from the centre"));
  rest = heddle_expr_binary (HEDDLE_EXPR_DIV, rest, chain->number);
  g_ptr_array_add (chain->plan->centres, heddle_expr_ref (reduced));
  g_ptr_array_add (chain->plan->centres, centre);
  g_ptr_array_add (chain->plan->centres, rest);
  return TRUE;
}

gboolean
heddle_stream_plan_centre (
    HeddleStreamPlan *plan, HeddleExpr *reduced, HeddleExpr **centre, HeddleExpr **rest)
{
  Chain chain = { plan, G_MAXUINT };
  guint i;

  for (i = 0; i < plan->centres->len; i += 3)
    if (heddle_expr_equal (g_ptr_array_index (plan->centres, i), reduced))
      break;
  if (i == plan->centres->len)
    {
      if (!is_affine (&chain, reduced) || chain.state == G_MAXUINT)
        return FALSE;
      if (!add_centre (&chain, reduced))
        return FALSE;
    }
  *centre = g_ptr_array_index (plan->centres, i + 1);
  *rest = g_ptr_array_index (plan->centres, i + 2);
  return TRUE;
}
