/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"

/* Returns what a schedule of the diagram at hand says, as bytes by which its results are kept as long as
 * the program runs: its ids are interned, and are compared as they are. @completed says whether what is in
 * none of its regions is to be as it is best alone. Keys are equal for two schedules that say the same;
 * transfer full. */
GBytes *heddle_schedule_key (const HeddleSchedule *schedule, gboolean completed);
