/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

void heddle_piece_remember (
    const HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);
/* What is known of a piece from before: its plan, steps, refusals and verification. %FALSE: nothing. */
gboolean heddle_piece_recall (
    HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);

G_END_DECLS
