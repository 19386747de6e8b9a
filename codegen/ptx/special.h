/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Finds the special register @name (“%tid.x”) and its slot and bits. Returns FALSE where there is none. */
gboolean ptx_special_find (const char *name, guint32 *slot, guint *bits);

G_END_DECLS
