/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* rows.c */
void heddle_layout_solve_rows (HeddleLayout *self);

G_END_DECLS
