/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The form of a kernel's loop: which parts of a step run beside one another, and what a block costs before
 * and after its steps. These numbers belong to the emitted text, not to a GPU; each has a meaning, and those
 * that were fitted were fitted to the points of data/measured that are not held out. */
typedef struct
{
  const char *name; /* "fa3-pingpong": what files and descriptions call it */
  const char *title; /* in words, untranslated: N_() */
  /* Exponent of the norm over the units of a step: 1 one after the other, 8 nearly all hidden */
  double overlap;
  double memory_overlap; /* exponent of the norm of the steps with L2 and DRAM: how far copies run ahead */
  /* Share of the sustained tensor rate that this instruction reaches with nothing else to do */
  double tensor_share;
  double begin_cycles; /* of a block before its first step, beside the latency of its first load */
  double end_cycles; /* of a block after its last step, beside its stores */
  double barrier_cycles; /* that one barrier and the shuffles around it take */
  double hidden; /* share of beginnings and ends that another block of a persistent kernel hides */
  gboolean persistent; /* one block an SM takes tile after tile, in a fixed order */
} HeddleClockForm;

/* Returns the form of that name; %NULL if there is none. */
const HeddleClockForm *heddle_clock_form_find (const char *name);
/* Returns all forms; *@n receives their number. */
const HeddleClockForm *heddle_clock_forms (gsize *n);
