/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/kernel.h"

G_BEGIN_DECLS

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

void heddle_labelling_init (HeddleLabelling *self, const HeddleDeriveContext *context,
    const HeddleRegionTerm *term, HeddleKernel *kernel);
void heddle_labelling_clear (HeddleLabelling *self);
/* Uses the region's active labels; refused ones go into the kernel's refusals. Error: %HEDDLE_DERIVE_ERROR_LABEL. */
gboolean heddle_labelling_read (HeddleLabelling *self, const HeddleRegion *region, GError **error);
/* What the machine asks of tiles, as far as the options have it. --- divisors-machine.c */
void heddle_labelling_add_machine_divisors (HeddleLabelling *self);
/* Whether values are placed where the region can put them: inside at its level, at its ends in global memory; what is to be read again in
 * between is taken down. */
gboolean heddle_labelling_check_residency (HeddleLabelling *self, GError **error);
/* Whether all that is to be read again is, in @program. */
gboolean heddle_labelling_check_rereads (
    const HeddleLabelling *self, const HeddleLoopProgram *program, GError **error);
/* The axis that streams at some level; NULL: none. */
const char *heddle_labelling_stream (const HeddleLabelling *self);
/* Loops in the order of their labels, then of the region's axes. */
void heddle_labelling_sort (HeddleLabelling *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleLabelling, heddle_labelling_clear)

G_END_DECLS
