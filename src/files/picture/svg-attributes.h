/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include "figure/scene/scene.h"

G_BEGIN_DECLS

/* svg-attributes.c: attributes begin with a space; a NULL value is none. */
void heddle_svg_append_number (GString *text, const char *name, double value);
void heddle_svg_append_attribute (GString *text, const char *name, const char *value);
void heddle_svg_append_color (GString *text, const char *name, const HeddleColor *color);
void heddle_svg_append_element (GString *text, const char *name, const char *content);
/* What stands in an attribute of a path. */
void heddle_svg_append_point (GString *text, double x, double y);
void heddle_svg_append_segments (GString *text, const HeddlePath *path);
void heddle_svg_append_cairo_path (GString *text, const cairo_path_t *path);
void heddle_svg_append_stroke (GString *text, const HeddleItem *item);
void heddle_svg_append_family (GString *text, HeddleFont font);
void heddle_svg_append_font (GString *text, const HeddleItem *item);

G_END_DECLS
