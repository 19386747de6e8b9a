/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Returns whether a file is a figure for TeX, as heddle_tikz_write () makes them, by how it begins or by its
 * source. */
gboolean heddle_tikz_is (const char *data, gsize length);
/* Returns the document that a figure for TeX was exported from, its source in comments (transfer full).
 * Nothing in @data is trusted; what is wrong is added to @problems, also a warning where the figure was
 * changed since. NULL means that it holds no source, or that it is wrong. */
HeddleSnapshot *heddle_tikz_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);
