/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"

G_BEGIN_DECLS

/* Returns a scene as a tikzpicture for `\input`, in plain TikZ (transfer full); @options may be NULL, and no
 * source is embedded. The same scene gives the same bytes. NULL means that @error is
 * HEDDLE_FILES_ERROR_LIMIT: TeX cannot hold a side of 16000 px or pt. */
GBytes *heddle_tikz_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);

G_END_DECLS
