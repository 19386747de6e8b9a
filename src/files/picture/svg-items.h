/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/picture/svg-private.h"

G_BEGIN_DECLS

/* svg-items.c */
void heddle_svg_write_items (HeddleSvgWriter *self);

G_END_DECLS
