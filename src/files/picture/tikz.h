/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"

/* Returns a scene for `\input` in a paper that uses heddle.sty, or a document by itself that has it inside
 * (transfer full); @options may be NULL. Each label is one formula in the paper's own font; one with a
 * character that not every TeX has is drawn as outlines. Nothing of a label reaches TeX but through fixed
 * lists. The same scene gives the same bytes. NULL means that @error is set: HEDDLE_FILES_ERROR_LIMIT where
 * TeX cannot hold a side of 16000 px or more, or that many points; that of writing the source; or a
 * GFileError where heddle.sty is not installed. */
GBytes *heddle_tikz_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
