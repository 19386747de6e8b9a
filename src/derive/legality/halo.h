/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/legality/private.h"
#include "derive/legality/refusal.h"
#include "derive/region/region.h"

G_BEGIN_DECLS

int heddle_legality_find_halo (const HeddleRegionTerm *region, const char *axis);
HeddleRefusal *heddle_legality_refuse_halo (const HeddleQuestion *question, guint definition);

G_END_DECLS
