/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* Deletes what is selected as one undo step; nothing happens where nothing is. */
void heddle_edits_delete_selection (HeddleEditor *editor);
/* Returns what moving the selection moves: operations, those of blocks too, and notes. Transfer full. */
GArray *heddle_edits_list_moved (HeddleEditor *editor);
/* The presentation of the diagram shown as it would be then. Transfer full. */
HeddlePresentation *heddle_edits_dup_moved_presentation (HeddleEditor *editor, double dx, double dy);
/* Moves the selected operations; repeated moves are one undo step. */
void heddle_edits_nudge_selection (HeddleEditor *editor, double dx, double dy, const char *merge_key);
/* Moves back what was moved by hand: of what is selected, else all; notes stay. FALSE means that there is
 * nothing of the kind. */
gboolean heddle_edits_tidy (HeddleEditor *editor);
