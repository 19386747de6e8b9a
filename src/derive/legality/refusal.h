/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/schedule.h"

/* The reasons why a label is refused, and what would make it legal. */
typedef enum
{
  HEDDLE_REMEDY_NONE,
  HEDDLE_REMEDY_FUSE, /* fuse remedy_operations with the region, then it is legal */
  HEDDLE_REMEDY_STREAM, /* stream the axis instead */
  HEDDLE_REMEDY_AXIS, /* label remedy_axis in the same way instead */
  HEDDLE_REMEDY_CUT, /* run remedy_operations, which are a part of the region, as a kernel of their own: that can have the label */
} HeddleRemedyKind;

typedef struct
{
  const char *axis;
  HeddleLabelKind kind;
  const char *operation; /* the one that forbids it (id) */
  const char *level; /* interned: where the label or the place was wanted; NULL: nobody said */
  const char *value,
      *column; /* interned; of a place that cannot be, which has no axis and no kind: what, where read (or NULL) */
  char *reason; /* a sentence */
  char *remedy; /* a sentence; "": there is none */
  char *no_remedy; /* why there is none, a sentence; NULL: there is one */
  HeddleRemedyKind remedy_kind;
  const char *remedy_axis; /* of AXIS; else NULL */
  GArray *remedy_operations; /* of const char *: of FUSE and CUT: all of the region to be */
} HeddleRefusal;
