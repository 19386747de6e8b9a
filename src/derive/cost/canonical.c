/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/canonical.h"
#include "derive/cost/windows.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"
#include "diagram/expression/polynomial.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* H = sum of c_t / (the tiles of the axes that repeat it), M = the tiles' products held at the peak. With one
 * repeating axis M = held + mu g, and H = c_0 + c_1 mu / (M - held). With two, a and c, the result has a tile
 * of both, M = kappa g_a g_c, and by the inequality of the means H = c_0 + 2 sqrt (c_a c_c kappa / M) + c_ac
 * kappa / M. What is held for a step of the stream is left out; so are tiles of one axis beside those of
 * both, which matters where M is not well above the square of them. */

#define A 1
#define C 2
#define BOTH 3

/* A number, the same in bytes, and as an expression over sizes; `symbol` is owned, and NULL stands for 0. */
typedef struct
{
  double elements, bytes;
  HeddleExpr *symbol;
} Amount;

typedef struct
{
  const HeddleCost *cost;
  HeddleCanonical *form;
  int a, c; /* the axes that repeat transfers; -1 */
  guint32
      joint; /* instead of a: axes that repeat only together, as of rows that are heads and queries; 0: none are */
  /* Amounts by the axes whose tiles they depend on: none, a, c, both. */
  Amount moved[4]; /* transfers that they repeat, times their sizes */
  Amount kept[4]; /* at the peak, what holds a tile of them */
} Analysis;

static void
amount_clear (Amount *self)
{
  g_clear_pointer (&self->symbol, heddle_expr_unref);
}

static void
amount_add (Amount *self, double elements, guint bytes, HeddleExpr *symbol)
{
  self->elements += elements;
  self->bytes += elements * bytes;
  self->symbol = self->symbol != NULL ? heddle_expr_binary (HEDDLE_EXPR_ADD, self->symbol, symbol) : symbol;
}

static HeddleExpr *
symbol_of (const Amount *self)
{
  return self->symbol != NULL ? heddle_expr_ref (self->symbol) : heddle_expr_number (0.);
}

static HeddleExpr *
times (HeddleExpr *a, HeddleExpr *b)
{
  return heddle_expr_binary (HEDDLE_EXPR_MUL, a, b);
}

static HeddleExpr *
root (HeddleExpr *a)
{
  g_autoptr (HeddleExpr) inside = a;

  return heddle_expr_unary (HEDDLE_EXPR_SQRT, heddle_expr_simplify (inside));
}

/* --- what repeats --------------------------------------------------------------------------- */

static const char *
group_axis (const HeddleCost *cost, int group)
{
  return group >= 0 && (guint) group < cost->n_groups ? cost->bands[group]->axis : NULL;
}

/* Returns the product of the sizes of a buffer's axes: of all, or of those that it holds to their full
 * extent. */
static HeddleExpr *
sizes_of (const HeddleCost *cost, guint buffer, gboolean all)
{
  const HeddleBuffer *held = heddle_loop_program_get_buffer (cost->program, buffer);
  HeddleExpr *product = heddle_expr_number (1.);

  for (guint i = 0; i < held->axes->len; i++)
    if (all || g_array_index (held->extents, HeddleExtent, i) == HEDDLE_EXTENT_FULL)
      product = times (product, heddle_expr_size (g_array_index (held->axes, const char *, i)));
  return product;
}

static guint32
repeating (const HeddleCost *cost)
{
  guint32 groups = 0;

  for (guint i = 0; i < cost->transfers->len; i++)
    groups |= g_array_index (cost->transfers, HeddleTerms, i).groups;
  return groups;
}

/* Returns the axes that repeat transfers only together: their tiles count by their product. */
static guint32
joint_axes (const HeddleCost *cost)
{
  guint32 all = repeating (cost);

  for (guint i = 0; i < cost->transfers->len; i++)
    {
      guint32 groups = g_array_index (cost->transfers, HeddleTerms, i).groups;

      if (groups != 0 && groups != all)
        return 0;
    }
  return __builtin_popcount (all) > 1 ? all : 0;
}

static gboolean
has_repeated_step (const HeddleCost *cost)
{
  for (guint i = 0; i < cost->transfers->len; i++)
    if (g_array_index (cost->transfers, HeddleTerms, i).stream)
      return TRUE;
  return FALSE;
}

static const char *
obstacle (const HeddleCost *cost, guint32 groups)
{
  if (cost->matrices > 0)
    return _ ("What is read depends on the matrices that the rows of a block choose.");
  if (heddle_cost_has_windows (cost))
    return _ ("Tiles are read with a halo, which weighs the more the smaller they are.");
  if (cost->guard != NULL)
    return _ ("Some steps of the stream are skipped, and which depends on the tiles.");
  if (has_repeated_step (cost))
    return _ ("An operand is moved again in every step of the stream, and so depends on its length.");
  if (__builtin_popcount (groups) > 2 && joint_axes (cost) == 0)
    return _ ("More than two grouped axes repeat transfers, and the best shape of their tiles is not a power "
              "of M.");
  return NULL;
}

/* --- analysis --------------------------------------------------------------------------------- */

static guint
tiles_of (const Analysis *self, const HeddleTerms *terms)
{
  gboolean a = self->a >= 0 && (terms->groups >> self->a & 1) != 0;
  gboolean c = self->c >= 0 && (terms->groups >> self->c & 1) != 0;

  if (self->joint != 0)
    return (terms->groups & self->joint) == self->joint ? A : (terms->groups & self->joint) != 0 ? C : 0;
  return (a ? A : 0) | (c ? C : 0);
}

static void
collect_transfers (Analysis *self)
{
  for (guint i = 0; i < self->cost->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (self->cost->transfers, HeddleTerms, i);
      double elements = (double) terms->base;
      HeddleExpr *symbol = sizes_of (self->cost, terms->buffer, TRUE);

      for (guint k = 0; k < self->cost->n_groups; k++)
        if ((terms->groups >> k & 1) != 0)
          {
            elements *= (double) self->cost->n[k];
            symbol = times (symbol, heddle_expr_size (group_axis (self->cost, (int) k)));
          }
      amount_add (&self->moved[tiles_of (self, terms)], elements, terms->bytes, symbol);
    }
}

/* Returns how fast a moment grows as the tiles do; a tile of both axes matters most. */
static double
growth (const Analysis *self, const HeddleMoment *moment)
{
  double alone = 0., both = 0.;

  for (guint i = 0; i < moment->terms->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (moment->terms, HeddleTerms, i);
      guint tiles = tiles_of (self, terms);

      if (terms->stream)
        continue;
      both += tiles == BOTH ? (double) terms->base : 0.;
      alone += tiles == A || tiles == C ? (double) terms->base : 0.;
    }
  return both > 0. ? 1e18 * both : alone;
}

static void
collect_memory (Analysis *self)
{
  const HeddleMoment *peak = NULL;

  for (guint i = 0; i < self->cost->moments->len; i++)
    {
      const HeddleMoment *moment = g_ptr_array_index (self->cost->moments, i);

      if (peak == NULL || growth (self, moment) > growth (self, peak))
        peak = moment;
    }
  for (guint i = 0; peak != NULL && i < peak->terms->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (peak->terms, HeddleTerms, i);

      if (!terms->stream)
        amount_add (&self->kept[tiles_of (self, terms)], (double) terms->base, terms->bytes,
            sizes_of (self->cost, terms->buffer, FALSE));
    }
}

/* --- forms ------------------------------------------------------------------------------------ */

static void
term_free (HeddleCanonicalTerm *self)
{
  heddle_expr_unref (self->symbolic);
  g_free (self);
}

static void
add_term (Analysis *self, double alpha, double alpha_bytes, double beta, HeddleExpr *symbolic)
{
  HeddleCanonicalTerm *term = g_new0 (HeddleCanonicalTerm, 1);
  g_autoptr (HeddleExpr) whole = symbolic;

  *term = (HeddleCanonicalTerm){ alpha, alpha_bytes, beta, heddle_expr_simplify (whole) };
  if (alpha > 0.)
    g_ptr_array_add (self->form->terms, term);
  else
    term_free (term);
}

static void
limit (Analysis *self, double most, double most_bytes)
{
  self->form->most = MIN (self->form->most, most);
  self->form->most_bytes = MIN (self->form->most_bytes, most_bytes);
}

static void
form_of_one (Analysis *self)
{
  const Amount *c = &self->moved[A], *mu = &self->kept[A];
  double n = 1.;

  for (guint i = 0; i < self->cost->n_groups; i++)
    if ((int) i == self->a || (self->joint >> i & 1) != 0)
      n *= (double) self->cost->n[i];
  add_term (
      self, c->elements * mu->elements, c->bytes * mu->bytes, 1., times (symbol_of (c), symbol_of (mu)));
  limit (self, self->kept[0].elements + mu->elements * n, self->kept[0].bytes + mu->bytes * n);
}

/* Writes the closed form of two tiled axes: g_a = sqrt (c_a M / (c_c kappa)), g_c = sqrt (c_c M / (c_a
 * kappa)). */
static void
form_of_square (Analysis *self)
{
  const Amount *a = &self->moved[A], *c = &self->moved[C], *kappa = &self->kept[BOTH];
  double n_a = (double) self->cost->n[self->a], n_c = (double) self->cost->n[self->c];
  gboolean same = a->symbol != NULL && c->symbol != NULL
                  && a->elements == c->elements; /* as of a product of matrices: all of a*b*c both */
  HeddleExpr *between = same ? times (symbol_of (a), root (symbol_of (kappa)))
                             : root (times (times (symbol_of (a), symbol_of (c)), symbol_of (kappa)));

  add_term (self, 2. * sqrt (a->elements * c->elements * kappa->elements),
      2. * sqrt (a->bytes * c->bytes * kappa->bytes), .5, times (heddle_expr_number (2.), between));
  add_term (self, self->moved[BOTH].elements * kappa->elements, self->moved[BOTH].bytes * kappa->bytes, 1.,
      times (symbol_of (&self->moved[BOTH]), symbol_of (kappa)));
  self->form->least = (self->kept[A].elements + self->kept[C].elements)
                      * (self->kept[A].elements + self->kept[C].elements) / kappa->elements;
  limit (self, n_a * n_a * kappa->elements * c->elements / a->elements,
      n_a * n_a * kappa->bytes * c->bytes / a->bytes);
  limit (self, n_c * n_c * kappa->elements * a->elements / c->elements,
      n_c * n_c * kappa->bytes * a->bytes / c->bytes);
}

static gboolean
make_form (Analysis *self)
{
  HeddleCanonical *form = self->form;

  add_term (self, self->moved[0].elements, self->moved[0].bytes, 0., symbol_of (&self->moved[0]));
  form->held = self->kept[0].elements;
  form->held_bytes = self->kept[0].bytes;
  if (self->a < 0 && self->joint == 0)
    return TRUE;
  if (self->c < 0 && self->kept[C].elements == 0.)
    form_of_one (self);
  else if (self->kept[BOTH].elements > 0. && self->moved[A].elements > 0. && self->moved[C].elements > 0.)
    form_of_square (self);
  else
    return FALSE;
  return self->kept[A].elements + self->kept[BOTH].elements > 0.;
}

static void
set_compulsory (HeddleCanonical *self, const HeddleCost *cost)
{
  gint64 whole[HEDDLE_MAX_GROUPS];

  for (guint i = 0; i < cost->n_groups; i++)
    whole[i] = cost->n[i];
  self->compulsory = (double) heddle_cost_transfers (cost, whole, cost->n_stream, FALSE);
  self->compulsory_bytes = (double) heddle_cost_transfers (cost, whole, cost->n_stream, TRUE);
}

HeddleCanonical *
heddle_canonical_new (const HeddleCost *cost)
{
  HeddleCanonical *self = g_new0 (HeddleCanonical, 1);
  guint32 groups = repeating (cost);
  const char *why = obstacle (cost, groups);
  Analysis analysis = { cost, self, -1, -1, 0 };

  self->terms = g_ptr_array_new_with_free_func ((GDestroyNotify) term_free);
  self->most = self->most_bytes = INFINITY;
  set_compulsory (self, cost);
  analysis.joint = joint_axes (cost);
  for (guint i = 0; i < cost->n_groups && why == NULL && analysis.joint == 0; i++)
    if ((groups >> i & 1) != 0 && analysis.a < 0)
      analysis.a = (int) i;
    else if ((groups >> i & 1) != 0)
      analysis.c = (int) i;
  if (why == NULL)
    {
      collect_transfers (&analysis);
      collect_memory (&analysis);
      if (!make_form (&analysis))
        why = _ ("What is held does not grow with the tiles as a single power.");
    }
  self->reason = g_strdup (why);
  for (guint i = 0; i <= BOTH; i++)
    {
      amount_clear (&analysis.moved[i]);
      amount_clear (&analysis.kept[i]);
    }
  return self;
}
