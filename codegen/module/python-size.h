/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/module/module.h"

/* Returns the size of an axis as it follows from those of @known axes, in a dictionary `sizes`; %NULL if it
 * does not. */
char *heddle_python_size (const HeddleModule *module, const char *axis, const GArray *known);
