/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double heddle_venue_get_width (const char *name);
const char *heddle_venue_get_title (const char *name);
char *heddle_venue_list (void);

G_END_DECLS
