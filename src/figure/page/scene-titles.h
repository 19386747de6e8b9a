/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* Names in words, for who cannot see the drawing: of what an item stands for, and of the whole. */
void heddle_scene_set_title (HeddleScene *self, const char *object, const char *title);
const char *heddle_scene_get_title (const HeddleScene *self, const char *object); /* or NULL */
void heddle_scene_set_figure_title (HeddleScene *self, const char *title, const char *description);
const char *heddle_scene_get_figure_title (const HeddleScene *self, const char **description); /* or NULL */

G_END_DECLS
