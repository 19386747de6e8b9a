/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/**
 * heddle_schedule_key:
 * @schedule: a schedule of the diagram at hand
 * @completed: whether what is in none of its regions is to be as it is best alone
 *
 * What a schedule says, as bytes that what was found out of it is kept by, as long as the program runs: its ids are interned, and are
 * compared as they are.
 *
 * Returns: (transfer full): equal for two schedules that say the same
 */
GBytes *heddle_schedule_key (const HeddleSchedule *schedule, gboolean completed);

G_END_DECLS
