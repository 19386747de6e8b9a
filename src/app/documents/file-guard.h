/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* SHA-256 of what the file holds, newly allocated; NULL where it cannot be read. */
char *heddle_file_digest (const char *path);
/* Says to other programs that the file is open here. -1: one of them was first, or the file is not there. Let go by close (). */
int heddle_file_lock (const char *path, gboolean *in_use);
