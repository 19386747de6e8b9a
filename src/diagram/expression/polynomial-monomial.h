/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial-private.h"

G_BEGIN_DECLS

HeddleMonomial *heddle_monomial_new (double numerator, double denominator);
void heddle_monomial_free (HeddleMonomial *self);
gboolean heddle_is_whole_number (double value);
/* Brings the coefficient to its lowest terms; a fraction that is not one of whole numbers becomes a number. */
void heddle_monomial_reduce (HeddleMonomial *self);
/* Multiplies by atom^exponent. */
void heddle_monomial_put (HeddleMonomial *self, HeddleExpr *atom, double exponent);
gboolean heddle_monomial_same_factors (const HeddleMonomial *a, const HeddleMonomial *b);
HeddleMonomial *heddle_monomial_multiply (const HeddleMonomial *a, const HeddleMonomial *b);
HeddleMonomial *heddle_monomial_scale (const HeddleMonomial *self, double scale);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleMonomial, heddle_monomial_free)

G_END_DECLS
