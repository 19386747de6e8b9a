/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/evaluate/private.h"

/* An array in a product of two that is summed over. */
typedef struct
{
  GArray *axes; /* ids */
  const double *data;
} HeddleFactor;

/* A product of two arrays: @out, zeros with @axes, becomes the sum over @core of the product of both. Each
 * element is summed in the order of @core, whatever the number of threads. */
typedef struct
{
  HeddleEvaluation *evaluation;
  HeddleFactor factors[2];
  const GArray *axes, *core;
  double *out;
} HeddleProduct;
