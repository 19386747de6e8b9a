/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/shard/shard.h"

G_BEGIN_DECLS

gint64 heddle_shard_exchange_scratch (
    const HeddleSharding *sharding, const HeddleShardStep *step, gint64 bytes);
/*  --- The text of an all-to-all between two buffers of elements of @bytes; and the bytes of "in_pieces" that it uses. */
void heddle_shard_print_exchange (GString *out, const HeddleSharding *sharding, const HeddleShardStep *step,
    gint64 bytes, const char *from, const char *to, const char *comm);

G_END_DECLS
