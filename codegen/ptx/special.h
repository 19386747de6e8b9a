/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Finds the special register @name (“%tid.x”) and its slot and bits. Returns FALSE where there is none. */
gboolean ptx_special_find (const char *name, guint32 *slot, guint *bits);
