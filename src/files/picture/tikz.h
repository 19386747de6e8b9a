/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"

G_BEGIN_DECLS

GBytes *heddle_tikz_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);

G_END_DECLS
