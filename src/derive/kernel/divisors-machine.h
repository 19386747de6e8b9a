/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/private.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* What the machine asks of tiles, as far as the options have it. */
void heddle_labelling_add_machine_divisors (HeddleLabelling *self);
/* "mma,copies,lines,warps", or some of them. FALSE: @text has another. */
gboolean heddle_divisors_from_string (const char *text, guint *flags);
char *heddle_divisors_to_string (guint flags); /* NULL: none; newly allocated */
/* Those of the schedule (NULL: it says nothing) besides @flags. */
guint heddle_schedule_divisors (const HeddleSchedule *schedule, guint flags);

G_END_DECLS
