/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "derive/program/pseudocode-private.h"

/* Prints what a load gathers, as E[T, m₀ : m₀+64]. */
void heddle_listing_print_gathered (HeddleListing *self, const HeddleNode *node);
/* Prints what a buffer holds, as [q₀ : q₀+373, :]. @more: after indices that are there already. */
void heddle_listing_print_held (HeddleListing *self, const HeddleBuffer *buffer, gboolean more);
/* Prints the part of an array that is moved, as Q[q₀ : q₀+373, :]; of a buffer of the level above as
 * Q_smem[q₀′ : q₀′+16, :]. */
void heddle_listing_print_part (HeddleListing *self, const HeddleNode *node);
