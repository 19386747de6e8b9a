/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/machine/derive-options.h"
#include "diagram/graph/diagram.h"
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* What one statement makes is one kernel, or each operation of it is: where names are left out, as in a traced model, that is too much at a time.
 * A copy in which the parts of a statement with several sums have names, so that any of them may be a kernel. */
HeddleDiagram *heddle_piece_name_parts (const HeddleDiagram *diagram);
/* Looks for the fastest kernels of a piece, with rewrites. @recall: of what was found for kernels of other pieces. */
gboolean heddle_piece_search (HeddleOptimisedPiece *self, const HeddleOptimiseOptions *options,
    HeddleRecall *recall, GCancellable *cancellable, GError **error);
/* Why kernels are not one with those after them. */
void heddle_piece_explain (HeddleOptimisedPiece *self, GCancellable *cancellable);

G_END_DECLS
