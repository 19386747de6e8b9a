/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/prose-private.h"

G_BEGIN_DECLS

/* listing.c: lines of a program */
void heddle_prose_read_listing (HeddleProseReader *self, const char *text);

G_END_DECLS
