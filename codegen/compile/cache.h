/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

G_BEGIN_DECLS

/* The cache keeps what this process compiled before, by content: a key stands for the compiler, the architecture and the source.
 * A key is newly allocated. */
char *heddle_compile_cache_key (const char *compiler, const char *arch, const char *source);
HeddleCompilation *heddle_compile_cache_get (const char *key); /* a copy, or NULL */
/* Keeps a copy of @compilation under @key, unless there is one; the oldest goes where there are too many. Any thread may call it. */
void heddle_compile_cache_put (const char *key, const HeddleCompilation *compilation);

G_END_DECLS
