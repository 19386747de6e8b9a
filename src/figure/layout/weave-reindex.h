/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/layout/layout.h"

G_BEGIN_DECLS

void heddle_layout_weave_reindex (HeddleLayout *self, HeddleFigureNode *node);

G_END_DECLS
