/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "derive/legality/refusal.h"
#include "derive/machine/machine.h"
#include "diagram/document/schedule.h"

/* A proposal is what dropping an axis on a level, or on a link between GPUs, would do: a schedule to try,
 * or why it cannot be. */
typedef struct
{
  HeddleSchedule *schedule; /* NULL: refused */
  HeddleRefusal *refusal; /* NULL: legal */
  char *name; /* of the undo step: "Stream x at SMEM, 64" */
} HeddleProposal;

/* @size 0 takes the label away. */
HeddleProposal *heddle_proposal_new (
    HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind, gint64 size);
/* Returns what was refused last with its remedy: the operations to fuse are fused, and every kernel that has the axis has the label.
 * NULL: there is no such remedy, or another kernel refuses the label still. */
HeddleProposal *heddle_proposal_new_remedied (HeddleEditor *editor);
/* Frees the proposal with its schedule, refusal and name; NULL is allowed. */
void heddle_proposal_free (HeddleProposal *self);

/* The link of the editor's machine that has this name; %NULL: none has, it is a level. */
const HeddleLink *heddle_proposal_find_link (HeddleEditor *editor, const char *level);
/* The sizes offered for an axis: powers of two from 16 (or the axis' own size where smaller); at a link those that leave each GPU the same. How many. */
#define HEDDLE_MAX_PROPOSED_SIZES 8
/* Fills @sizes with the sizes offered for @axis at @level, rising, and returns how many there are: powers of
 * two from 16 that are smaller than the axis (else the axis' own size), at a link those that leave each GPU
 * the same. */
guint heddle_proposal_sizes (
    HeddleEditor *editor, const char *axis, const char *level, gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES]);
/* The size a label has now, or the one to begin with. */
gint64 heddle_proposal_start_size (
    HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind);
/* Returns the next size up (@direction 1) or down (-1) from @size: a power of two, or the whole axis; at a
 * link one of those offered. */
gint64 heddle_proposal_next_size (
    HeddleEditor *editor, const char *axis, const char *level, gint64 size, int direction);
/* Returns whether every kernel would fit with the label at @size. */
gboolean heddle_proposal_fits (
    HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind, gint64 size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleProposal, heddle_proposal_free)
