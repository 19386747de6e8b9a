/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/**
 * heddle_kernel_axes_new:
 * @derivation: a derivation
 * @diagram: what it is of
 *
 * Which kernels go through an axis: those that make a value with it, or read one with it at its own place. All axes at once, for it takes
 * milliseconds to go through 10,000 kernels.
 *
 * Returns: (transfer full): axis id (that of the diagram) -> #GArray of guint, the kernels' numbers, rising. No entry: none
 */
GHashTable *heddle_kernel_axes_new (const HeddleDerivation *derivation, const HeddleDiagram *diagram);

G_END_DECLS
