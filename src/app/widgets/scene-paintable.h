/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"

/* HeddleScenePaintable is a scene as a GdkPaintable, kept in proportion and centred: glyphs of the palette,
 * pictures of examples, symbols in the inspector, drag icons. */
#define HEDDLE_TYPE_SCENE_PAINTABLE (heddle_scene_paintable_get_type ())
G_DECLARE_FINAL_TYPE (HeddleScenePaintable, heddle_scene_paintable, HEDDLE, SCENE_PAINTABLE, GObject)

/* Returns a new paintable, never drawn larger than @max_scale (0: no bound). */
GdkPaintable *heddle_scene_paintable_new (HeddleScene *scene, double max_scale);
/* Returns mathematics, typeset as a name of the diagram is shown. */
GdkPaintable *heddle_math_paintable_new (const char *source, double size, gboolean dark);

/* Returns the theme of pictures that are as dark, or as rich in contrast, as the desktop is. */
HeddleTheme heddle_theme_of_desktop (void);
/* Returns how much larger than usual the person has text, 1 or more: what stands for text grows with it. */
double heddle_text_scale (void);
/* From this scale on words that stand beside each other elsewhere have no room for it. */
#define HEDDLE_LARGE_TEXT 1.3
/* Returns a picture as high and wide as @size px, more with large text. */
GtkWidget *heddle_image_new (GdkPaintable *paintable, double size);
