/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/legality/private.h"
#include "derive/legality/refusal.h"
#include "derive/region/region.h"

/* Refusals of labels along an axis of which a definition is held as a window, the tile with its halo, and
 * not as the label's tile. */

G_BEGIN_DECLS

/* Returns the number of a definition that varies along @axis in its window alone, so that @axis can take no
 * label; -1 where there is none. */
int heddle_legality_find_halo (const HeddleRegionTerm *region, const char *axis);
/* Returns a new refusal of the label because of that definition; its remedy is to label the axis by which
 * the window moves. */
HeddleRefusal *heddle_legality_refuse_halo (const HeddleQuestion *question, guint definition);

G_END_DECLS
