/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "figure/layout/layout.h"

G_BEGIN_DECLS

/* source.c: constants and units */
gboolean heddle_source_fits (const HeddleLayout *self, const HeddleOperation *operation);
char *heddle_source_title (const HeddleLayout *self, const HeddleOperation *operation);
void heddle_source_measure (HeddleFigureNode *node, double title_width);

G_END_DECLS
