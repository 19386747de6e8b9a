/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"

/**
 * HeddleArray: a dense, row-major (C order) array of doubles, whatever the data type it stands for. Reference-counted.
 */
typedef struct
{
  gatomicrefcount ref_count;
  HeddleDtype dtype; /* what it was read as, or rounds to; F64 for results */
  guint n_dims;
  gint64 *shape; /* n_dims sizes */
  gint64 n_elements;
  double *data;
} HeddleArray;

/* Returns how many elements a shape of @n_dims sizes has: 0 where one size is 0, whatever the others are; -1
 * where a size is negative or the elements take more than 2^40 bytes. */
gint64 heddle_array_count_elements (guint n_dims, const gint64 *shape);
/* Returns a new array filled with zeros. Fails with %HEDDLE_DIAGRAM_ERROR_LIMIT if it would take more than
 * 2^40 bytes or memory cannot be had. */
HeddleArray *heddle_array_new (HeddleDtype dtype, guint n_dims, const gint64 *shape, GError **error);
/* Adds a reference, from any thread, and returns @self. */
HeddleArray *heddle_array_ref (HeddleArray *self);
/* Drops a reference, from any thread; the last one frees the array with its elements. */
void heddle_array_unref (HeddleArray *self);
/* Rounds every element to @dtype in place, which becomes the array's type. */
void heddle_array_round (HeddleArray *self, HeddleDtype dtype);
/* Fills the array with standard normal values from a fixed generator (the same on every machine), rounded
 * to the array's dtype; a boolean is whether its value is positive. The same @seed gives the same values.
 * */
void heddle_array_fill_random (HeddleArray *self, guint64 seed);
/* Makes negative values positive. */
void heddle_array_drop_signs (HeddleArray *self);
/* Returns ||a - b|| / ||b|| in f64, over the finite elements of b. Equal elements do not differ, infinite
 * ones included. A NaN anywhere gives NaN; b = 0 gives 0 if a = 0, else infinity. @max_abs, which may be
 * NULL, receives the greatest absolute difference. */
double heddle_array_relative_error (const HeddleArray *a, const HeddleArray *b, double *max_abs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleArray, heddle_array_unref)
