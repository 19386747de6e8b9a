/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/lettering.h"

G_BEGIN_DECLS

/* Draws some items of the scene, in the order given; user space of @cr is in px of the scene. */
void heddle_scene_draw_items (
    const HeddleScene *self, cairo_t *cr, const guint *items, guint n_items, HeddleLettering *lettering);

G_END_DECLS
