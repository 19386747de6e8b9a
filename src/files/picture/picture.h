/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"
#include "files/picture/private.h"

G_BEGIN_DECLS

HeddlePage heddle_page_for (const HeddleScene *scene, const HeddlePictureOptions *options);
void heddle_picture_append_number (GString *text, double value);
GBytes *heddle_pdf_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
GBytes *heddle_png_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);

G_END_DECLS
