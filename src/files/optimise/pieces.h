/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Returns the operations that say only where in a parameter something lies and belong to no piece, of
 * HeddleOperation; the caller owns the array, the diagram its operations. */
GPtrArray *heddle_pieces_views (const HeddleDiagram *diagram);
/* Returns some of a diagram's operations, in their order, as a diagram that the caller owns. What they read
 * and do not make are its inputs; what the diagram or its other operations read of them are its outputs,
 * views of parameters left out. Ids stay, and what had no name has its label. */
HeddleDiagram *heddle_pieces_extract (const HeddleDiagram *diagram, const GPtrArray *operations);
/* Cuts a flat diagram where that divides layers that are alike. Returns pieces of HeddlePiece; the caller
 * owns the array, which frees them. */
GPtrArray *heddle_pieces_new (const HeddleDiagram *diagram, const HeddleSizes *sizes);

G_END_DECLS
