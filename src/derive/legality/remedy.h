/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/legality/refusal.h"
#include "derive/region/region.h"

G_BEGIN_DECLS

/* Finds a part of the region that can have the label, where there is no other remedy. */
void heddle_refusal_find_cut (HeddleRefusal *self, const HeddleRegionTerm *region);
/* Says why there is no remedy, where there is none. @cut: whether parts of the region were tried. */
void heddle_refusal_tell_why_none (HeddleRefusal *self, const HeddleRegionTerm *region, gboolean cut);

G_END_DECLS
