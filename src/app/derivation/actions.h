/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* The pane's buttons do these things: each is one undo step, and failures are said as a message. */
void heddle_derivation_fuse (HeddleEditor *editor); /* the selected operations, or all */
/* Takes the selected operations, or all where none is selected, out of the regions they are fused in: one undo step. Says so where
 * nothing is fused. */
void heddle_derivation_unfuse (HeddleEditor *editor);
void heddle_derivation_apply_remedy (HeddleEditor *editor); /* of the refusal at hand */
/* Gives the axis' labels of a kind at a level another size (0: takes them away). Changes of one @merge_key are one undo step. */
void heddle_derivation_set_label_size (HeddleEditor *editor, const char *axis, const char *level,
    HeddleLabelKind kind, gint64 size, const char *merge_key);
/* Returns the name of the remedy of the refusal at hand for a button, with a mnemonic; NULL means that
 * nothing can be applied. Newly allocated. */
char *heddle_derivation_remedy_label (HeddleEditor *editor);
