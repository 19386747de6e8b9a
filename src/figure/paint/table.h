/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/paint/paint.h"

/* The table of H (values moved) and M (values held) stands above the diagram, column by column. */

/* Returns an amount of memory, "12.5 KiB"; where @bytes is 0 the count of values, "3.15 M". Newly allocated. */
char *heddle_paint_held_text (gint64 elements, gint64 bytes);
/* Paints the table of H and M above the diagram's columns. */
void heddle_paint_table (HeddlePainter *self);
