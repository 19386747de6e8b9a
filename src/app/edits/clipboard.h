/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/document/document.h"

/* The operations that are selected, as a document of their own; NULL: none are. Transfer full. */
HeddleSnapshot *heddle_edits_extract_selection (HeddleEditor *editor);
/* Puts a document's diagram into the one shown as one step called @name, and selects what was made: see heddle_edit_paste (). */
gboolean heddle_edits_paste (HeddleEditor *editor, const HeddleSnapshot *clip, const char *name);
/* Selects all operations of the diagram shown. */
void heddle_edits_select_all (HeddleEditor *editor);
