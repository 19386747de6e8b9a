/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Returns whether a file is an SVG picture, by its root element. */
gboolean heddle_svg_is (const char *data, gsize length);
/* Returns the document that a picture was exported from, its embedded source, as the reader of `.ncd` files
 * reads it (transfer full). Nothing in @data is trusted; what is wrong is added to @problems, also a
 * warning where the picture was changed since, which its hash shows. NULL means that it holds no source, or
 * that it is wrong. */
HeddleSnapshot *heddle_svg_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);
