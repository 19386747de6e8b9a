/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* paint-squeeze.c */
void heddle_paint_squeeze (const GPtrArray *items);

G_END_DECLS
