/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

/* Finds which kernels of @derivation, of @diagram, work along an axis: those that make a value with it, or
 * read one with it at its own place. It finds them for all axes at once, as going through 10,000 kernels
 * takes milliseconds. Returns a new table of axis id (that of the diagram) to GArray of guint, the kernels'
 * numbers, rising; an axis without an entry has none. */
GHashTable *heddle_kernel_axes_new (const HeddleDerivation *derivation, const HeddleDiagram *diagram);
