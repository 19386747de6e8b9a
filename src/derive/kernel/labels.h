/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/private.h"
#include "derive/region/region.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

void heddle_labelling_init (HeddleLabelling *self, const HeddleDeriveContext *context,
    const HeddleRegionTerm *term, HeddleKernel *kernel);
void heddle_labelling_clear (HeddleLabelling *self);
/* The axis that streams at some level; NULL: none. */
const char *heddle_labelling_stream (const HeddleLabelling *self);
/* Uses the region's active labels; refused ones go into the kernel's refusals. Error: %HEDDLE_DERIVE_ERROR_LABEL. */
gboolean heddle_labelling_read (HeddleLabelling *self, const HeddleRegion *region, GError **error);
/* Loops in the order of their labels, then of the region's axes. */
void heddle_labelling_sort (HeddleLabelling *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleLabelling, heddle_labelling_clear)

G_END_DECLS
