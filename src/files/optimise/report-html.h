/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

/* Returns the report as a page that needs nothing else and runs no scripts; newly allocated. */
char *heddle_optimised_html (const HeddleOptimised *self);
