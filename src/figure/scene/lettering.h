/* SPDX-License-Identifier: MIT */
#pragma once

#include <pango/pangocairo.h>
#include "figure/scene/scene.h"

/* A lettering keeps shaped text between drawings. */

G_BEGIN_DECLS

/* Runs of text that were shaped, to be drawn again at any zoom: shaping a run takes longer than drawing it, and finding its font for another
 * size on the screen much longer. For one thread. */
typedef struct HeddleLettering HeddleLettering;

/* Returns a lettering with no runs yet; the caller owns it. */
HeddleLettering *heddle_lettering_new (void);
/* Frees the lettering and all runs in it; NULL is allowed. */
void heddle_lettering_free (HeddleLettering *self);
/* Returns the run of @item, a text; @self owns it, and it is good until the next one is asked for. */
PangoLayout *heddle_lettering_get (HeddleLettering *self, const HeddleItem *item);
/* Returns how many runs are kept. */
guint heddle_lettering_get_n_runs (const HeddleLettering *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLettering, heddle_lettering_free)

G_END_DECLS
