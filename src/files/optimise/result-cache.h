/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

/* Writes the result of a piece, whose canonical text is @text, into the user's cache. A cache that cannot be
 * written is no error. */
void heddle_piece_store (
    const HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);
/* Fills a piece with its result in the cache: plan, steps, refusals and, where its kernels are still the
 * same, their verification. Returns FALSE where the cache has no result. */
gboolean heddle_piece_load (
    HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);
