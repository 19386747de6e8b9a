/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/region.h"

G_BEGIN_DECLS

/* What was found for kernels of one diagram or several: the layers of a model are the same but for the names of their values, and the best tiles and
 * the cost of such kernels are the same, too. What two kernels must agree in is written down as bytes: the machine, what is asked for, and the
 * definitions with axes and values by number, each axis with its size, each value with its type.
 */

/* What a search found. %FALSE: nothing is known. @tiling: its groups, its stream and its chunk are set. */
gboolean heddle_recall_tiling (const HeddleRecall *self, GBytes *key, const HeddleRegionTerm *region,
    HeddleTiling *tiling, HeddleSearchReport *report);
void heddle_recall_keep_tiling (HeddleRecall *self, GBytes *key, const HeddleRegionTerm *region,
    const HeddleTiling *tiling, const HeddleSearchReport *report);

/* What a kernel costs. %FALSE: it is not known. */
gboolean heddle_recall_cost (const HeddleRecall *self, GBytes *key, double *cost);
void heddle_recall_keep_cost (HeddleRecall *self, GBytes *key, double cost);

HeddleRecall *heddle_recall_new (void);
HeddleRecall *heddle_recall_ref (HeddleRecall *self);
void heddle_recall_unref (HeddleRecall *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRecall, heddle_recall_unref)

G_END_DECLS
