/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

double heddle_layout_wrap_width (const HeddleLayout *self); /* 0: one line */
gboolean heddle_layout_choose_breaks (HeddleLayout *self); /* columns have places; FALSE: it fits */
void heddle_layout_widest_in_line (const HeddleLayout *self, double *x1, double *x2);

G_END_DECLS
