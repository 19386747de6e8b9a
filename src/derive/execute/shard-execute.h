/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/shard/shard.h"

/* Runs every GPU's part in turn, evaluated, with what they pass to one another done on arrays; @inputs as of
 * heddle_evaluate (), whole. Returns a new table, value id -> HeddleArray, of the outputs, whole again; NULL
 * with an error. */
GHashTable *heddle_sharding_execute (
    const HeddleSharding *self, GHashTable *inputs, GCancellable *cancellable, GError **error);
/* Executes as the function above, with each GPU's part done by @run; what is combined is rounded to the
 * arrays' own data type. */
GHashTable *heddle_sharding_execute_by (const HeddleSharding *self, GHashTable *inputs, HeddleShardRun run,
    gpointer data, GCancellable *cancellable, GError **error);
