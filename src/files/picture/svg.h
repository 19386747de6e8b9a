/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"

G_BEGIN_DECLS

/* The hash of a drawing and its source, by which a picture that was changed is told. Newly allocated. */
char *heddle_svg_hash (const char *drawing, gsize length, const char *source);
GBytes *heddle_svg_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);

G_END_DECLS
