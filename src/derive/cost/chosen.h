/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"
#include <glib.h>

/* The most matrices among which rows are sorted: a block counts the rows of each. */
#define HEDDLE_DEALT_MATRICES 512

/* Matrices that rows choose by an index, as in a mixture of experts: W[I[t],m,f]. A loop program reads one for
 * each row. A kernel that goes through the matrices by passes reads each at most once a block, however many of
 * its rows chose it, and this is what it moves. */

/* Returns how many of n matrices some of @rows chooses, each as likely as another: n (1 - (1 - 1/n)^rows). */
double heddle_chosen_matrices (double n, double rows);
/* Returns how many of n matrices a block with @rows of @all rows has on average, where rows are dealt out to
 * blocks in the order of the matrices that they choose: one, and another one for each border between two
 * matrices. With more than HEDDLE_DEALT_MATRICES of them rows are not dealt out. */
double heddle_chosen_when_sorted (double n, double rows, double all);
/* Returns the part of a transfer that a kernel which goes through @self->matrices by passes moves: of all
 * blocks at these tiles, or, where @tiles is NULL, of everything once. Returns 1 for other transfers. */
double heddle_cost_chosen_share (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles);
/* Returns whether a buffer has matrices that the rows along @axis choose, of which a pass of such a kernel holds
 * one, however many rows its block has. */
gboolean heddle_cost_is_chosen_along (const HeddleCost *self, guint buffer, const char *axis);
/* Returns the bits of the groups along which rows choose what the transfer reads: blocks that differ there
 * share it. Returns 0 for other transfers. */
guint32 heddle_cost_choosing_groups (const HeddleCost *self, const HeddleTerms *terms);

/* Returns in how many turns blocks along those groups read the array: the matrices that are chosen, where rows are
 * dealt out sorted by them, since blocks that run one after the other then read different ones, except at a
 * border. Returns 1 for other transfers, of which each block reads any part. */
double heddle_cost_choosing_turns (const HeddleCost *self, const HeddleTerms *terms);
