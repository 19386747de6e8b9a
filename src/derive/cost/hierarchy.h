/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/canonical.h"
#include "derive/machine/machine.h"

/* This file derives the transfers over each memory of a machine from how the least H of a kernel depends on
 * the memory, in the manner of the multi-level performance models of Abbott & Zardini 2025. */

/* Frees the form and its terms; NULL is allowed. */
void heddle_canonical_free (HeddleCanonical *self);
/* Returns the least H for a memory of @m elements (or bytes, where @bytes is set): the larger of the
 * compulsory transfers and the formula. @clamped, which may be NULL, says whether a tile would be larger than
 * its axis. NaN means that there is no form, or that nothing fits. */
double heddle_canonical_transfers (const HeddleCanonical *self, double m, gboolean bytes, gboolean *clamped);
/* Returns an array of HeddleHierarchyRow, newly allocated, for all addressed or cached levels of @machine
 * below the top, in the machine's order. */
GArray *heddle_canonical_hierarchy (const HeddleCanonical *self, const HeddleMachine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCanonical, heddle_canonical_free)
