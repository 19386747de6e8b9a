/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* Files that were opened or saved here, as the desktop knows them. */
void heddle_recent_add (GFile *file);
/* Returns those files (GFile) that are still there, the latest first. */
GPtrArray *heddle_recent_list (guint most);
