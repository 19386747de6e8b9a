/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

gboolean heddle_figure_node_rounds (const HeddleLayout *self, const HeddleFigureNode *node);

/* Whether the operation acts along the axis of strand @i, rather than being mapped over it. */
gboolean heddle_member_acts (const HeddleMember *member, guint i);

/* The wire beside one that a batch norm acts along, as far down as there is one: the strand that enters in that place. NULL: the
 * node is no batch norm, or has no such wire. */
const HeddleStrand *heddle_figure_node_channel (const HeddleLayout *self, const HeddleFigureNode *node);

G_END_DECLS
