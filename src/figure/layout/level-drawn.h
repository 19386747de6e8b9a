/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether the memory level has a look of its own: those above one GPU have none. --- regions.c */
gboolean heddle_level_is_drawn (const char *level);

G_END_DECLS
