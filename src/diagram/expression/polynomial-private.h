/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

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
