/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/optimise/optimise.h"

G_BEGIN_DECLS

char *heddle_optimised_html (const HeddleOptimised *self);

G_END_DECLS
