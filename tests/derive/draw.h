/* SPDX-License-Identifier: MIT */
#pragma once

#include "fixture.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* A legal schedule drawn at random: which operations are fused, and how axes are labelled at SMEM and at registers. */
typedef struct
{
  const char *name; /* of what it is drawn for */
  GRand *random;
  HeddleDiagram *diagram;
  HeddleSizes *sizes;
  HeddleSchedule *schedule;
  GHashTable *fixed; /* names of axes -> their sizes (gint64), which are not drawn; or NULL */
  guint n_split, n_inner; /* axes that stream within their groups, and labels at registers, so far */
} Draw;

guint draw_number (Draw *self, guint n); /* 0 to n - 1 */
/* Small ragged sizes of the axes whose size is a number. */
HeddleSizes *draw_sizes (Draw *self);
void draw_schedule (Draw *self);
void draw_labels (Draw *self, HeddleRegion *region);
/* Tiles within tiles and chunks within chunks. */
void draw_inner_labels (Draw *self, HeddleRegion *region);
