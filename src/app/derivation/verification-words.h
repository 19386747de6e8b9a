/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns what heddle_plan_verify_line () says, which goes into files in English, in the person's language.
 * Newly allocated. */
char *heddle_verification_words (const char *line);
