/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/base/files.h"

G_BEGIN_DECLS

/* The source a picture carries begins with this; all before it is the drawing. */
#define HEDDLE_SVG_SOURCE_START                                                                              \
  "<metadata>\n<heddle:source xmlns:heddle=\"" HEDDLE_NCD_NAMESPACE "\" sha256=\""

/* The hash of a drawing and its source, by which a picture that was changed is told. Newly allocated. */
char *heddle_svg_hash (const char *drawing, gsize length, const char *source);
/* Whether a file is an SVG picture, by its root element. */
gboolean heddle_svg_is (const char *data, gsize length);
HeddleSnapshot *heddle_svg_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);

G_END_DECLS
