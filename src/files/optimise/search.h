/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/derive-options.h"
#include "diagram/graph/diagram.h"
#include "files/optimise/optimise.h"

/* Returns a copy of a diagram in which the parts of a statement with several sums have names, so that any of
 * them may be a kernel: where names are left out, as in a traced model, one statement is too much at a time.
 * The caller owns it. */
HeddleDiagram *heddle_piece_name_parts (const HeddleDiagram *diagram);
/* Looks for the fastest kernels of a piece, with rewrites; @search_cache holds what was found for kernels of
 * other pieces. No rewrite is tried after @share steps of the search; if that is 0, plans are quick ones.
 * FALSE means that @error is set: cancelled, or no kernels can be made. */
gboolean heddle_piece_search (HeddleOptimisedPiece *self, const HeddleOptimiseOptions *options, guint64 share,
    HeddleSearchCache *search_cache, GCancellable *cancellable, GError **error);
/* Adds to the refusals of a piece why kernels are not one with those after them. */
void heddle_piece_explain (HeddleOptimisedPiece *self, GCancellable *cancellable);
