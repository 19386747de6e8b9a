/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "figure/page/chart.h"
#include "figure/page/expanded-private.h"
#include "figure/paint/paint.h"
#include "figure/scene/scene.h"

/* A loop program with its columns expanded, as "FlashAttention on a Napkin" draws algorithms: a line for each array
 * while it is held, in the stroke of its memory, and a column for each statement. */

/* Returns the loop program of each kernel with its columns expanded: what is held, worked out and moved before, in
 * each step and after. The caller owns the scene. */
HeddleScene *heddle_chart_render_expanded (const HeddleChart *self);

/* The grounds and signs of an expanded loop program, which stand behind and around its columns. */

/* The places of an expanded loop program: columns from left to right, rows from the top, in px of the scene. */

/* The texts of an expanded loop program, newly allocated. */
