/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/prose-private.h"

/* Listings are lines of a program, whose words are coloured by what they are. */

G_BEGIN_DECLS

/* Reads the lines of a program into pieces, each with the colour of its word. */
void heddle_prose_read_listing (HeddleProseReader *self, const char *text);

G_END_DECLS
