/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

gboolean heddle_member_bends_clear (
    const HeddleLayout *self, const HeddleMember *member, double x1, double x2);
/* bends.c */
void heddle_member_place_bends (HeddleLayout *self, HeddleMember *member);

G_END_DECLS
