/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

G_BEGIN_DECLS

/* "12.5 KiB"; without @bytes the count of values, "3.15 M". Newly allocated. */
char *heddle_paint_held_text (gint64 elements, gint64 bytes);
/* paint-table.c */
void heddle_paint_table (HeddlePainter *self);

G_END_DECLS
