/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "files/optimise/optimise.h"

/* Puts a kernel for each statement in the place of the first kernel of a piece that does not compile or is wrong,
 * and of those that are the same but for their names; all others stay as they are. It must be verified again.
 * Returns FALSE, and changes nothing, if it is the piece's only kernel, if no single kernel is to blame, or if its
 * statements were taken apart before. */
gboolean heddle_piece_unfuse (
    HeddleOptimisedPiece *self, const HeddleOptimiseOptions *options, GCancellable *cancellable);
/* Frees a HeddleOptimiseUnfused, which must not be NULL. */
void heddle_optimise_unfused_free (gpointer unfused);
