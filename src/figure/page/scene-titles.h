/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

/* Names in words make a scene readable for people who cannot see it: SVG, PDF and screen readers get them. The scene
 * owns copies. */

/* Gives the object a name in words, for readers who cannot see the drawing. The scene copies it. */
void heddle_scene_set_title (HeddleScene *self, const char *object, const char *title);
/* Returns the object's name in words, which the scene owns; NULL means that it has none. */
const char *heddle_scene_get_title (const HeddleScene *self, const char *object);
/* Gives the whole figure a name and a description in words, for readers who cannot see the drawing. The scene copies
 * them. */
void heddle_scene_set_figure_title (HeddleScene *self, const char *title, const char *description);
/* Returns the name of the whole figure and gives its @description in words; the scene owns both, and NULL means that
 * it has none. */
const char *heddle_scene_get_figure_title (const HeddleScene *self, const char **description);
