/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/polynomial.h"

G_BEGIN_DECLS

typedef struct
{
  HeddleExpr *atom;
  double exponent; /* not 0 */
} HeddleFactor;

typedef struct
{
  double numerator, denominator; /* the denominator is positive, and 1 unless both are whole */
  GArray *factors; /* of HeddleFactor, no atom twice, in order of appearance */
  guint hash; /* of the factors, whatever their order */
} HeddleMonomial;

struct _HeddlePolynomial
{
  GPtrArray *
      terms; /* of HeddleMonomial, in order of appearance, no two with the same factors; none with coefficient 0 */
};

HeddleMonomial *heddle_monomial_new (double numerator, double denominator);
void heddle_monomial_free (HeddleMonomial *self);
/* Brings the coefficient to its lowest terms; a fraction that is not one of whole numbers becomes a number. */
void heddle_monomial_reduce (HeddleMonomial *self);
/* Multiplies by atom^exponent. */
void heddle_monomial_put (HeddleMonomial *self, HeddleExpr *atom, double exponent);
gboolean heddle_monomial_same_factors (const HeddleMonomial *a, const HeddleMonomial *b);
HeddleMonomial *heddle_monomial_multiply (const HeddleMonomial *a, const HeddleMonomial *b);
HeddleMonomial *heddle_monomial_scale (const HeddleMonomial *self, double scale);
gboolean heddle_is_whole_number (double value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleMonomial, heddle_monomial_free)

G_END_DECLS
