/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @text as an identifier that @taken does not have, added to it. Interned. */
const char *heddle_identifier (const char *text, GHashTable *taken);

G_END_DECLS
