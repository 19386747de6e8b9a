/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

int heddle_layout_add_line (HeddleLayout *self, int prefer, double offset);
int heddle_layout_add_line_between (HeddleLayout *self, int above, int below);
void heddle_member_set_order (HeddleLayout *self, HeddleMember *member, const guint *order);
/* weave.c, weave-node.c, weave-cup.c, weave-reindex.c */
void heddle_layout_weave (HeddleLayout *self);

G_END_DECLS
