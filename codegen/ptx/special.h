/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean ptx_special_find (const char *name, guint32 *slot, guint *bits);

G_END_DECLS
