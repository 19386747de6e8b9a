/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/banks.h"

/* The number of elements that one instruction reads. */
#define VECTOR 4

guint
heddle_banks_meetings (gint64 stride, guint n)
{
  guint at[HEDDLE_BANKS / VECTOR] = { 0 }, most = 0;

  for (guint i = 0; i < n; i++)
    {
      guint *bank = &at[(i * stride / VECTOR) % (HEDDLE_BANKS / VECTOR)];

      *bank += 1;
      most = MAX (most, *bank);
    }
  return most;
}

guint
heddle_banks_meetings_of_rows (gint64 stride, guint down, guint along)
{
  guint at[HEDDLE_BANKS] = { 0 }, most = 0;

  for (guint i = 0; i < down; i++)
    for (guint k = 0; k < along; k++)
      {
        guint *bank = &at[(i * stride + k) % HEDDLE_BANKS];

        *bank += 1;
        most = MAX (most, *bank);
      }
  return most;
}
