/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The parts of the expected time of a kernel; they add up to it, in this order. */
typedef enum
{
  HEDDLE_TIME_LONGEST, /* the unit that takes longest, with all SMs busy at their peak clock */
  HEDDLE_TIME_EXPOSED, /* the work of the loop between two contractions that the tensor cores do not hide */
  HEDDLE_TIME_COPIES, /* threads copy tiles element by element, since an array's rows are odd or cut, or lie in another direction */
  HEDDLE_TIME_THREADS, /* threads of plain loops work out indices, and wait for what they read, longer than the units work; or they sort rows by what these choose */
  HEDDLE_TIME_CLOCK, /* tensor cores draw so much power that the SMs run below their peak clock */
  HEDDLE_TIME_IDLE, /* SMs that have no group in the last wave */
  HEDDLE_TIME_BLOCKS, /* beginnings and ends of the blocks that an SM runs one after another */
  HEDDLE_TIME_MERGING, /* the second kernel of a split program */
  HEDDLE_TIME_LAUNCH, /* from the end of the kernel before to the beginning of this one, and of the second one */
  HEDDLE_TIME_N_PARTS
} HeddleTimePart;

/* Returns how files call a part, such as "idle"; the text is static. */
const char *heddle_time_part_name (HeddleTimePart part);
/* Returns one plain sentence, translated and newly allocated, on what @part adds to a time of @parts, seconds
 * by part. @unit: the unit that takes longest, as HeddleTime gives it in `bound`; @busy: the share of the SMs
 * that have a group over all waves. */
char *heddle_time_part_sentence (
    const double parts[HEDDLE_TIME_N_PARTS], HeddleTimePart part, const char *unit, double busy);
