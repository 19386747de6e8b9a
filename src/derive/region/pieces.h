/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

/* The pieces of a model: its layers, of which those that are alike are one piece that stands at several
 * places. What is found for a piece holds at each of them. */

/* One of the places at which a piece stands in the model. */
typedef struct
{
  guint first; /* operation: of those of the model that are no views, in order */
  GArray *values, *axes; /* of const char *: of the model, in the order in which the piece's are met */
} HeddlePieceTime;

typedef struct
{
  HeddleDiagram *diagram; /* of the first time, with its ids */
  HeddleDiagram *canonical; /* the same with names by their order, which all that are alike have */
  GArray *sizes; /* of gint64: of its axes, in their order */
  GPtrArray *times; /* of HeddlePieceTime */
} HeddlePiece;

/* Returns the operations that say only where in a parameter something lies and belong to no piece, of
 * HeddleOperation; the caller owns the array, the diagram its operations. */
GPtrArray *heddle_pieces_views (const HeddleDiagram *diagram);
/* Returns the diagram's other operations, in their order, by whose places pieces stand; likewise. */
GPtrArray *heddle_pieces_operations (const HeddleDiagram *diagram);
/* Returns some of a diagram's operations, in their order, as a diagram that the caller owns. What they read
 * and do not make are its inputs; what the diagram or its other operations read of them are its outputs,
 * views of parameters left out. Ids stay, and what had no name has its label. */
HeddleDiagram *heddle_pieces_extract (const HeddleDiagram *diagram, const GPtrArray *operations);
/* Cuts a flat diagram where that divides layers that are alike. Returns pieces of HeddlePiece; the caller
 * owns the array, which frees them. */
GPtrArray *heddle_pieces_new (const HeddleDiagram *diagram, const HeddleSizes *sizes);
