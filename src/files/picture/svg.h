/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"

/* Returns a scene as SVG 1.1 by presentation attributes alone (transfer full), text as text or as outlines;
 * runs that readers' fonts may lack are outlined too, with their text as title. @options may be NULL. The
 * same scene gives the same bytes; the first item of each object carries its id and name. NULL means that
 * @error is set by writing the embedded source. */
GBytes *heddle_svg_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
