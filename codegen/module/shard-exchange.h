/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/shard/shard.h"

/* The exchange between GPUs that a sharded value takes from one layout to another. */

/* Returns the bytes of scratch memory that the all-to-all of @step takes on each GPU, where elements have
 * @bytes bytes; 0 where its pieces lie together on both sides. */
gint64 heddle_shard_exchange_scratch (
    const HeddleSharding *sharding, const HeddleShardStep *step, gint64 bytes);
/* --- The text of an all-to-all between two buffers of elements of @bytes; and the bytes of "in_pieces" that
 * it uses. */
void heddle_shard_print_exchange (GString *out, const HeddleSharding *sharding, const HeddleShardStep *step,
    gint64 bytes, const char *from, const char *to, const char *comm);
