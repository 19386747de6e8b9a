/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/private.h"
#include "derive/region/region.h"
#include "diagram/document/schedule.h"

/* This file reads the labels of a schedule into tilings, one for each level: which axes are grouped and
 * streamed, by how much, in which order. The theory of such labels is that of Abbott & Zardini 2025. */

/* Makes @self the labelling of @term without any labels yet. It owns its tilings; the context, the term and
 * the kernel stay the caller's. */
void heddle_labelling_init (HeddleLabelling *self, const HeddleDeriveContext *context,
    const HeddleRegionTerm *term, HeddleKernel *kernel);
/* Frees what the labelling owns; what went into its kernel stays there. */
void heddle_labelling_clear (HeddleLabelling *self);
/* Returns the axis (id) that streams at some level; NULL where none does. */
const char *heddle_labelling_stream (const HeddleLabelling *self);
/* Reads the active labels of @region; refused ones go into the kernel's refusals. Returns %FALSE with
 * %HEDDLE_DERIVE_ERROR_LABEL if a label names no axis or level. */
gboolean heddle_labelling_read (HeddleLabelling *self, const HeddleRegion *region, GError **error);
/* Puts loops in the order of their labels, and those without an order in that of the region's axes. */
void heddle_labelling_sort (HeddleLabelling *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleLabelling, heddle_labelling_clear)
