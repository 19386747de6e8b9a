/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/operation-table.h"

/* The way in which generated code combines values: a row for each monoid. Its unit and its meaning are the
 * diagram's (operation-table.h). */
typedef struct
{
  HeddleMonoid monoid;
  const char *sign; /* "+": acc += x, a + b; NULL: by a function */
  const char *function; /* of any type, in the prelude's section of that name */
  const char *instruction; /* the same for f32 in one instruction: likewise; NULL: @sign */
  const char *along_row; /* over the lanes of a row, and the section that has it */
  const char *along_row_section;
} HeddleDeviceMonoid;

/* Returns the row of @monoid in the static table, which nobody frees. */
const HeddleDeviceMonoid *heddle_device_monoid (HeddleMonoid monoid);
