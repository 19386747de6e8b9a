/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/vectors.h"

gboolean
heddle_vector_holds (HeddleDtype dtype)
{
  return dtype == HEDDLE_DTYPE_F32 || dtype == HEDDLE_DTYPE_TF32 || dtype == HEDDLE_DTYPE_F16
         || dtype == HEDDLE_DTYPE_BF16 || dtype == HEDDLE_DTYPE_E4M3 || dtype == HEDDLE_DTYPE_E5M2;
}

guint
heddle_vector_power_of_two (gint64 n)
{
  guint power = 1;

  while (power < n)
    power *= 2;
  return power;
}
