/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* columns.c */
void heddle_layout_place_columns (HeddleLayout *self);

G_END_DECLS
