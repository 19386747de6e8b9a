/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/private.h"
#include "diagram/document/schedule.h"

/* Adds the divisors that the machine asks of tiles, as far as the options have it. */
void heddle_labelling_add_machine_divisors (HeddleLabelling *self);
/* Reads "mma,copies,lines,warps", or some of them. Returns FALSE if @text has another word. */
gboolean heddle_divisors_from_string (const char *text, guint *flags);
char *heddle_divisors_to_string (guint flags); /* NULL: none; newly allocated */
/* Returns the divisors of the schedule (which may be NULL) and those of @flags. */
guint heddle_schedule_divisors (const HeddleSchedule *schedule, guint flags);
