/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/region/private.h"
#include "diagram/analysis/term.h"
#include "diagram/graph/diagram.h"

/* This file adds definitions of the forms that are no plain fold: scans, selections of the largest, reads at
 * indices. The builder owns what is added. */

/* Adds the definition of a SCAN, whose state moves along the operation's axis; a factor of 1 is left out. */
void heddle_region_builder_add_scan (HeddleRegionBuilder *self, const HeddleOperation *operation);
/* Adds the definitions of a SELECT: the largest values in order, and their places. */
void heddle_region_builder_add_select (HeddleRegionBuilder *self, const HeddleOperation *operation);
/* Adds @operation as a maximum with the first place of it. FALSE means that it is none, and nothing is
 * added. */
gboolean heddle_region_builder_try_argmax (
    HeddleRegionBuilder *self, const HeddleOperation *operation, const HeddleTerm *term);
/* Returns a new array of HeddleExpr: the indices of a REINDEX over the definitions of its operands. */
GPtrArray *heddle_region_builder_bind_indices (HeddleRegionBuilder *self, const HeddleOperation *operation);
/* Adds a read of a value in global memory element by element: as much crosses as is read, however large the
 * value is. */
void heddle_region_builder_add_gather (HeddleRegionBuilder *self, const HeddleOperation *operation);
