/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns how wide a figure may be at a venue such as "icml-column", in pt (1/72 in); 0 means that no venue has that
 * name. */
double heddle_venue_get_width (const char *name);
/* Returns what a person calls a venue, "ICML, column", translated and static; NULL means that no venue has that name. */
const char *heddle_venue_get_title (const char *name);
/* Returns the names of all venues with a space between, "icml-column icml-page …"; newly allocated. */
char *heddle_venue_list (void);

G_END_DECLS
