/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"
#include <pango/pangocairo.h>

/* Drawing of scenes with Cairo and Pango. It changes nothing in the scene. */

/* Runs of text that were shaped, kept between drawings so that they are drawn again at any zoom: shaping a run takes
 * longer than drawing it, and finding its font for another size on the screen much longer. For one thread. */
typedef struct HeddleLettering HeddleLettering;

/* Draws some items of the scene (numbers), in the order given; user space of @cr is in px of the scene.
 * @lettering keeps the runs of text for the next time. */
void heddle_scene_draw_items (
    const HeddleScene *self, cairo_t *cr, const guint *items, guint n_items, HeddleLettering *lettering);

/* Returns Pango family names in order of preference, separated by commas, static; CSS in SVG takes the same. */
const char *heddle_font_family (HeddleFont font);
/* Tells whether letters of @font are slanted. */
gboolean heddle_font_is_italic (HeddleFont font);
/* Tells whether letters of @font are bold. */
gboolean heddle_font_is_bold (HeddleFont font);
/* Sets @layout to one run of text, on one line whatever it holds. @text must be UTF-8; @size is in px. */
void heddle_layout_set_run (PangoLayout *layout, HeddleFont font, double size, const char *text);
/* Switches hinting off in the context of @layout, which all layouts of that context share: text keeps its shape and
 * width at every zoom and on every surface, at 96 dpi. */
void heddle_layout_unhint (PangoLayout *layout);
/* Draws one item; user space of @cr is in px of the scene, and the state of @cr is kept. */
void heddle_item_draw (const HeddleItem *item, cairo_t *cr);
/* Draws the whole scene to any Cairo surface (screen, PNG, PDF); user space of @cr is in px of the scene. */
void heddle_scene_draw (const HeddleScene *self, cairo_t *cr);
/* Replaces the path of @cr by the outlines of a text item's glyphs, in px of the scene. */
void heddle_item_text_path (const HeddleItem *item, cairo_t *cr);

/* Returns a lettering with no runs yet; the caller owns it. */
HeddleLettering *heddle_lettering_new (void);
/* Frees the lettering and all runs in it; NULL is allowed. */
void heddle_lettering_free (HeddleLettering *self);
/* Returns the run of @item, a text; @self owns it, and it is good until the next one is asked for. */
PangoLayout *heddle_lettering_get (HeddleLettering *self, const HeddleItem *item);
/* Returns how many runs are kept. */
guint heddle_lettering_get_n_runs (const HeddleLettering *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLettering, heddle_lettering_free)
