/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns @text as an identifier that is not in @taken, and adds it there. Interned. */
const char *heddle_identifier (const char *text, GHashTable *taken);
