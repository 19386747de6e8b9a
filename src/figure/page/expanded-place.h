/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/page/expanded-private.h"

/* The places of an expanded loop program: columns from left to right, rows from the top, in px of the scene. */

G_BEGIN_DECLS

/* Frees the texts of a column, but not the column itself. */
void heddle_expanded_column_clear (HeddleExpandedColumn *self);
/* Appends the column of statement number @t with its texts and its width in px; its x comes later. */
void heddle_expanded_add_column (HeddleExpanded *self, guint t);
/* Returns the room in px that the label of what a column makes takes after it. */
double heddle_expanded_label_width (const HeddleExpanded *self, const HeddleExpandedColumn *column);
/* Gives each column its x, in px, with room where the stream begins and ends, and sets the right end of the kernel. */
void heddle_expanded_place_columns (HeddleExpanded *self);
/* Gives each buffer the topmost row that is free while it is held; what is made in place of another keeps its row.
 * Sets `rows` and `n_rows`. */
void heddle_expanded_place_rows (HeddleExpanded *self);
/* Returns the height in px of the line of the buffer of that number. */
double heddle_expanded_row_y (const HeddleExpanded *self, guint buffer);
/* Returns the height in px of the line of global memory, below all rows. */
double heddle_expanded_global_y (const HeddleExpanded *self);

G_END_DECLS
