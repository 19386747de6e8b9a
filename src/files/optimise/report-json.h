/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* Returns the report as JSON; newly allocated. */
char *heddle_optimised_json (const HeddleOptimised *self);

G_END_DECLS
