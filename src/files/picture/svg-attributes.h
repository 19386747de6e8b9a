/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include "figure/scene/scene.h"

/* Appends an attribute that is a number. */
void heddle_svg_append_number (GString *text, const char *name, double value);
/* Appends an attribute with its value escaped; a NULL @value appends nothing. */
void heddle_svg_append_attribute (GString *text, const char *name, const char *value);
/* Appends an attribute that is a colour, and "@name-opacity" where the colour is not opaque. */
void heddle_svg_append_color (GString *text, const char *name, const HeddleColor *color);
/* Appends an element whose content is text, escaped and made valid UTF-8. */
void heddle_svg_append_element (GString *text, const char *name, const char *content);
/* Appends "x y", as it stands in the attribute of a path. */
void heddle_svg_append_point (GString *text, double x, double y);
/* Appends a path of a scene as the data of an SVG path, horizontal and vertical lines in short. */
void heddle_svg_append_segments (GString *text, const HeddlePath *path);
/* Appends a path of Cairo, such as the outlines of glyphs, as the data of an SVG path. */
void heddle_svg_append_cairo_path (GString *text, const cairo_path_t *path);
/* Appends the attributes of an item's line: colour, width, ends and dashes. An item without a line gets none. */
void heddle_svg_append_stroke (GString *text, const HeddleItem *item);
/* Appends the families of @font as an attribute, those with spaces quoted. */
void heddle_svg_append_family (GString *text, HeddleFont font);
/* Appends the attributes of an item's letters; the family only where it is not that of mathematics, which the
 * root has. */
void heddle_svg_append_font (GString *text, const HeddleItem *item);
