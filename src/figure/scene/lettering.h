/* SPDX-License-Identifier: MIT */
#pragma once

#include <pango/pangocairo.h>
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* Runs of text that were shaped, to be drawn again at any zoom: shaping a run takes longer than drawing it, and finding its font for another
 * size on the screen much longer. For one thread. */
typedef struct HeddleLettering HeddleLettering;

HeddleLettering *heddle_lettering_new (void);
void heddle_lettering_free (HeddleLettering *self);
/* The run of @item, a text: (transfer none), until the next is asked for. */
PangoLayout *heddle_lettering_get (HeddleLettering *self, const HeddleItem *item);
/* How many runs are kept. */
guint heddle_lettering_get_n_runs (const HeddleLettering *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLettering, heddle_lettering_free)

G_END_DECLS
