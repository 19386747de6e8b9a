/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/region.h"

/* The labels given to a kernel, read into a tiling. */
typedef struct
{
  const HeddleDeriveContext *context;
  const HeddleRegionTerm *term;
  HeddleKernel *kernel;
  HeddleTiling tiling;
  HeddleTiling below[HEDDLE_MAX_LEVELS - 1]; /* of the levels below */
  GPtrArray *inner; /* those of them that have labels */
  GHashTable *orders[HEDDLE_MAX_LEVELS]; /* per level: axis id -> position + 1 of its loop */
  const char *split; /* the axis grouped whose parts are merged; NULL: none */
  GArray *rereads; /* of HeddleReread */
} HeddleLabelling;
