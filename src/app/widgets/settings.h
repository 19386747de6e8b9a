/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* The settings, by the schema that is installed or else by the one in the program; NULL where neither can be read (the program then uses its
 * defaults and forgets). Transfer none. */
GSettings *heddle_settings_get (void);
/* @fallback where there are no settings. Newly allocated. */
char *heddle_settings_dup_string (const char *key, const char *fallback);
/* Sets @key to @value, which is copied; nothing happens where there are no settings. */
void heddle_settings_set_string (const char *key, const char *value);
