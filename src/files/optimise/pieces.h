/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Returns the operations that say only where in a parameter something lies and belong to no piece, of
 * HeddleOperation; the caller owns the array, the diagram its operations. */
GPtrArray *heddle_pieces_views (const HeddleDiagram *diagram);
/* Cuts a flat diagram where that divides layers that are alike. Returns pieces of HeddlePiece; the caller owns the
 * array, which frees them. */
GPtrArray *heddle_pieces_new (const HeddleDiagram *diagram, const HeddleSizes *sizes);

G_END_DECLS
