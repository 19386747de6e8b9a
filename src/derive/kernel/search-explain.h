/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/search-private.h"

/* Returns a translated text, newly allocated and never NULL, on what keeps the best tiles of the current
 * structure from being larger, or that nothing does or nothing fits. */
char *heddle_search_explain (const HeddleSearch *self);
/* Returns a translated phrase, newly allocated, on the best other structure and how much more it takes or
 * transfers; NULL where there was no other. */
char *heddle_search_explain_runner_up (
    const HeddleSearch *self, const HeddleScore *best, const HeddleRunnerUp *other);
