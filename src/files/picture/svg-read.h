/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

G_BEGIN_DECLS

/* Whether a file is an SVG picture, by its root element. */
gboolean heddle_svg_is (const char *data, gsize length);
HeddleSnapshot *heddle_svg_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);

G_END_DECLS
