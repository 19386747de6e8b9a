/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* Writes what was found of a piece, whose canonical text is @text, into the user's cache. A cache that cannot be
 * written is no error. */
void heddle_piece_remember (
    const HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);
/* Fills a piece with what the cache knows of it: plan, steps, refusals and, where its kernels are the same still,
 * verification. FALSE means that the cache knows nothing. */
gboolean heddle_piece_recall (
    HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);

G_END_DECLS
