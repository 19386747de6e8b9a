/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "diagram/base/array.h"

/* Compares one output with what it should be: as a whole, and row by row. The worst of several outputs is
 * reported. @perturbed: the reference with values on the way off as those of f32 may be, where that alone may be
 * farther off than @tolerance; %NULL if that is not considered. @stored: the type that the output was stored
 * in, whose range the reference is held to; UNSET if it was not rounded. Elements that are NaN in both agree, but an
 * output that is NaN throughout fails, since nothing was compared. */
gboolean heddle_verify_compare (HeddleVerification *self, const char *name, const HeddleArray *array,
    const HeddleArray *exact, const HeddleArray *perturbed, HeddleDtype stored, double tolerance);
