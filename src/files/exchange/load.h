/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

G_BEGIN_DECLS

/* any of .ncd, .eq, .svg (embedded source), by content */
HeddleSnapshot *heddle_file_load (const char *path, GPtrArray *problems, GError **error);

G_END_DECLS
