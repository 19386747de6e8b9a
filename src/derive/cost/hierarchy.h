/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/canonical.h"
#include "derive/machine/machine.h"

G_BEGIN_DECLS

void heddle_canonical_free (HeddleCanonical *self);
/* The least H for memory @m: max (compulsory, formula). @clamped (optional): a tile would be larger than its axis. NaN: there is no form, or nothing
 * fits. */
double heddle_canonical_transfers (const HeddleCanonical *self, double m, gboolean bytes, gboolean *clamped);
/* The rows of all addressed or cached levels below the top, in the machine's order; of HeddleHierarchyRow. */
GArray *heddle_canonical_hierarchy (const HeddleCanonical *self, const HeddleMachine *machine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCanonical, heddle_canonical_free)

G_END_DECLS
