/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/lettering.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* Draws some items of the scene, in the order given; user space of @cr is in px of the scene. */
void heddle_scene_draw_items (
    const HeddleScene *self, cairo_t *cr, const guint *items, guint n_items, HeddleLettering *lettering);

/* Pango family names in order of preference, comma-separated; CSS for SVG likewise. */
const char *heddle_font_family (HeddleFont font);
gboolean heddle_font_is_italic (HeddleFont font);
gboolean heddle_font_is_bold (HeddleFont font);
/* One run of text, on one line whatever it holds. @text must be UTF-8. */
void heddle_layout_set_run (PangoLayout *layout, HeddleFont font, double size, const char *text);
void heddle_layout_unhint (PangoLayout *layout);
void heddle_item_draw (const HeddleItem *item, cairo_t *cr);
/* to any Cairo surface (screen, PNG, PDF) */
void heddle_scene_draw (const HeddleScene *self, cairo_t *cr);
/* The outlines of a text item's glyphs as @cr's path. */
void heddle_item_text_path (const HeddleItem *item, cairo_t *cr);

G_END_DECLS
