/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/search-private.h"

G_BEGIN_DECLS

/* Returns a translated sentence, newly allocated, on what keeps the best tiles of the structure at hand from
 * being larger; NULL where nothing does. */
char *heddle_search_explain (const HeddleSearch *self);
/* Returns a translated phrase, newly allocated, on the best other structure and how much more it takes or
 * transfers; NULL where there was no other. */
char *heddle_search_explain_runner_up (
    const HeddleSearch *self, const HeddleScore *best, const HeddleRunnerUp *other);

G_END_DECLS
