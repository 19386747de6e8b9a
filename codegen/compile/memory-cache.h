/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

/* The cache in memory keeps what this process compiled last, by the content of its text without comments: an editor compiles the same kernel to show, to
 * check and to export it. The cache on disk (disk-cache.h) has the same keys. Any thread may use it. */

/* Returns the key of a kernel: it stands for this version of Heddle, the build of the compiler, the architecture and the source. The caller frees it. */
char *heddle_memory_cache_key (const char *compiler, const char *arch, const char *source);
/* Returns a copy of what is kept under @key, which the caller frees, or NULL. */
HeddleCompilation *heddle_memory_cache_get (const char *key);
/* Keeps a copy of @compilation under @key, unless there is one; the oldest goes where there are too many. */
void heddle_memory_cache_put (const char *key, const HeddleCompilation *compilation);
