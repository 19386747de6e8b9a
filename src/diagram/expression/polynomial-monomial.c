/* SPDX-License-Identifier: MIT */
#include "diagram/expression/polynomial-monomial.h"
#include "diagram/expression/tree.h"

#include <math.h>

/* The largest double below which every whole number is one. */
#define MAX_WHOLE 0x1p53

static void
factor_clear (gpointer data)
{
  heddle_expr_unref (((HeddleFactor *) data)->atom);
}

HeddleMonomial *
heddle_monomial_new (double numerator, double denominator)
{
  HeddleMonomial *self = g_new0 (HeddleMonomial, 1);

  self->numerator = numerator;
  self->denominator = denominator;
  self->factors = g_array_new (FALSE, FALSE, sizeof (HeddleFactor));
  g_array_set_clear_func (self->factors, factor_clear);
  return self;
}

void
heddle_monomial_free (HeddleMonomial *self)
{
  g_array_unref (self->factors);
  g_free (self);
}

gboolean
heddle_is_whole_number (double value)
{
  return fabs (value) <= MAX_WHOLE && value == trunc (value);
}

void
heddle_monomial_reduce (HeddleMonomial *self)
{
  double a = fabs (self->numerator), b = fabs (self->denominator);

  if (!heddle_is_whole_number (self->numerator) || !heddle_is_whole_number (self->denominator))
    {
      self->numerator /= self->denominator;
      self->denominator = 1.;
      return;
    }
  while (b > 0.)
    {
      double remainder = fmod (a, b);

      a = b;
      b = remainder;
    }
  a = copysign (a, self->denominator);
  self->numerator /= a;
  self->denominator /= a;
}

static const HeddleFactor *
monomial_find (const HeddleMonomial *self, const HeddleExpr *atom, guint *position)
{
  for (guint i = 0; i < self->factors->len; i++)
    {
      const HeddleFactor *factor = &g_array_index (self->factors, HeddleFactor, i);

      if (heddle_expr_equal (factor->atom, atom))
        {
          *position = i;
          return factor;
        }
    }
  return NULL;
}

static guint
factor_hash (const HeddleFactor *factor)
{
  return heddle_expr_hash (factor->atom) * 2654435761u + g_double_hash (&factor->exponent);
}

void
heddle_monomial_put (HeddleMonomial *self, HeddleExpr *atom, double exponent)
{
  guint position;
  const HeddleFactor *found = monomial_find (self, atom, &position);
  HeddleFactor factor = { atom, exponent };

  if (found == NULL)
    {
      heddle_expr_ref (atom);
      g_array_append_val (self->factors, factor);
    }
  else
    {
      self->hash -= factor_hash (found);
      factor.exponent += found->exponent;
      g_array_index (self->factors, HeddleFactor, position).exponent = factor.exponent;
      if (factor.exponent == 0.)
        {
          g_array_remove_index (self->factors, position);
          return;
        }
    }
  self->hash += factor_hash (&factor);
}

gboolean
heddle_monomial_same_factors (const HeddleMonomial *a, const HeddleMonomial *b)
{
  if (a->hash != b->hash || a->factors->len != b->factors->len)
    return FALSE;
  for (guint i = 0; i < a->factors->len; i++)
    {
      const HeddleFactor *factor = &g_array_index (a->factors, HeddleFactor, i);
      guint position;
      const HeddleFactor *found = monomial_find (b, factor->atom, &position);

      if (found == NULL || found->exponent != factor->exponent)
        return FALSE;
    }
  return TRUE;
}

HeddleMonomial *
heddle_monomial_multiply (const HeddleMonomial *a, const HeddleMonomial *b)
{
  HeddleMonomial *self = heddle_monomial_new (a->numerator * b->numerator, a->denominator * b->denominator);

  heddle_monomial_reduce (self);
  self->hash = a->hash;
  g_array_append_vals (self->factors, a->factors->data, a->factors->len);
  for (guint i = 0; i < a->factors->len; i++)
    heddle_expr_ref (g_array_index (a->factors, HeddleFactor, i).atom);
  for (guint i = 0; i < b->factors->len; i++)
    {
      const HeddleFactor *factor = &g_array_index (b->factors, HeddleFactor, i);

      heddle_monomial_put (self, factor->atom, factor->exponent);
    }
  return self;
}

HeddleMonomial *
heddle_monomial_scale (const HeddleMonomial *self, double scale)
{
  g_autoptr (HeddleMonomial) factor = heddle_monomial_new (scale, 1.);

  return heddle_monomial_multiply (self, factor);
}
