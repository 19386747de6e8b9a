/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"
#include "files/optimise/stages.h"

/* Returns the report as JSON; newly allocated. */
char *heddle_optimised_json (const HeddleOptimised *self);
/* Returns the reports of all stages and what runs between them; of a diagram without boxes its one report. Newly
 * allocated. */
char *heddle_optimised_stages_json (const HeddleOptimisedStages *self);
