/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The domain of the errors of this room. A message says what is wrong, where, and what would make it legal. */

#define HEDDLE_DERIVE_ERROR (heddle_derive_error_quark ())

typedef enum
{
  HEDDLE_DERIVE_ERROR_MACHINE, /* a hardware file is wrong (message: file:line: [group] key) or no machine of that name */
  HEDDLE_DERIVE_ERROR_LABEL, /* a label names no axis, level or region */
  HEDDLE_DERIVE_ERROR_ILLEGAL, /* a label is not legal */
  HEDDLE_DERIVE_ERROR_REGION, /* operations cannot be one kernel */
  HEDDLE_DERIVE_ERROR_CAPACITY, /* nothing legal fits */
  HEDDLE_DERIVE_ERROR_PROGRAM, /* no loop program says what operations do */
  HEDDLE_DERIVE_ERROR_EMPTY, /* there is no operation */
  HEDDLE_DERIVE_ERROR_LARGE, /* there are more operations than kernels are searched for or made of */
} HeddleDeriveError;

/* Returns the domain of the errors of HeddleDeriveError. */
GQuark heddle_derive_error_quark (void);
