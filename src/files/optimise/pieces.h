/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Its operations that say only where in a parameter something lies: they belong to no piece. Of HeddleOperation. */
GPtrArray *heddle_pieces_views (const HeddleDiagram *diagram);
/* Cuts a flat diagram where that divides layers that are alike. Of HeddlePiece. */
GPtrArray *heddle_pieces_new (const HeddleDiagram *diagram, const HeddleSizes *sizes);

G_END_DECLS
