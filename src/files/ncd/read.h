/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

G_BEGIN_DECLS

HeddleSnapshot *heddle_ncd_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);

G_END_DECLS
