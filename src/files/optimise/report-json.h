/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* The report as JSON, and as a page that needs nothing else. */
char *heddle_optimised_json (const HeddleOptimised *self);

G_END_DECLS
