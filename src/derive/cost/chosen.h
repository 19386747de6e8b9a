/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/cost.h"
#include <glib.h>

/* Matrices that rows choose by an index, as in a mixture of experts: W[I[t],m,f]. A loop program reads one for
 * each row. A kernel that goes through the matrices by passes reads each at most once a block, however many of
 * its rows chose it, and this is what it moves. */

/* Returns how many of n matrices some of @rows chooses, each as likely as another: n (1 - (1 - 1/n)^rows). */
double heddle_chosen_matrices (double n, double rows);
/* Returns the part of a transfer that a kernel which goes through @self->matrices by passes moves: of all
 * blocks at these tiles, or, where @tiles is NULL, of everything once. Returns 1 for other transfers. */
double heddle_cost_chosen_share (const HeddleCost *self, const HeddleTerms *terms, const gint64 *tiles);
/* Returns the bits of the groups along which rows choose what the transfer reads: blocks that differ there
 * share it. Returns 0 for other transfers. */
guint32 heddle_cost_choosing_groups (const HeddleCost *self, const HeddleTerms *terms);
