/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gint64 heddle_saturating_multiply (gint64 a, gint64 b);
gint64 heddle_saturating_add (gint64 a, gint64 b);

G_END_DECLS
