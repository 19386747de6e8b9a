/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* One of the places at which a piece stands in the model. */
typedef struct
{
  guint first; /* operation: of those of the model that are no views, in order */
  GArray *values, *axes; /* of const char *: of the model, in the order in which the piece's are met */
} HeddlePieceTime;

typedef struct
{
  HeddleDiagram *diagram; /* of the first time, with its ids */
  char *text; /* canonical: the same for all that are alike */
  GPtrArray *times; /* of HeddlePieceTime */
} HeddlePiece;

G_END_DECLS
