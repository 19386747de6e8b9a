/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* measure-node.c */
char *heddle_reindex_group_text (
    const HeddleLayout *self, const HeddleFigureNode *node, const HeddleReindexGroup *group);
void heddle_layout_measure_node (HeddleLayout *self, HeddleFigureNode *node);

G_END_DECLS
