/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/search-private.h"

G_BEGIN_DECLS

/* a sentence each, of the structure at hand and its best tiles; NULL: there was no other */
char *heddle_search_explain (const HeddleSearch *self);
char *heddle_search_explain_runner_up (
    const HeddleSearch *self, const HeddleScore *best, const HeddleRunnerUp *other);

G_END_DECLS
