/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns how wide a figure may be at a venue such as "icml-column", in pt (1/72 in); 0 means that no venue
 * has that name. */
double heddle_venue_get_width (const char *name);
/* Returns how wide, in px of a scene, what is drawn may be at a venue before it is printed smaller than by itself; 0: no venue has that name. */
double heddle_venue_get_room (const char *name);
/* Returns how wide, in pt, a scene of which @drawn px are drawn from left to right is printed by itself. */
double heddle_venue_measure (double drawn);
/* Returns what a person calls a venue, "ICML, column", translated and static; NULL means that no venue has that name. */
const char *heddle_venue_get_title (const char *name);
/* Returns the names of all venues with a space between, "icml-column icml-page …"; newly allocated. */
char *heddle_venue_list (void);
