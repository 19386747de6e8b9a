/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

/* Kernels that were compiled before stay in files, so that what was opened, verified or optimised yesterday costs no compiler today. They lie in
 * "heddle/compiled" of the user's cache folder, or in the folder that HEDDLE_COMPILE_CACHE names; HEDDLE_COMPILE_CACHE=none keeps nothing. The folder has to
 * be the user's own, and writable by nobody else, since what is read there runs on a GPU. It holds at most 256 MiB; those that nobody asked for longest go
 * first. A file that cannot be read or written is no error: the kernel is compiled. Any thread and any number of processes may use it. */

/* Returns what was compiled under @key, which the caller frees, or NULL if nothing is kept or what is kept is damaged. */
HeddleCompilation *heddle_disk_cache_get (const char *key);
/* Keeps @compilation under @key. */
void heddle_disk_cache_put (const char *key, const HeddleCompilation *compilation);
/* Returns which build of a compiler @file is: its path, size and time of change. The caller frees it; it is NULL if there is no such file. */
char *heddle_disk_cache_build_of (const char *file);
/* Removes the files that were not asked for longest from @folder, until at most @bytes are left. */
void heddle_disk_cache_sweep (const char *folder, gint64 bytes);
