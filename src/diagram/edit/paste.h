/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

gboolean heddle_edit_paste (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *clip,
    GArray *made, GError **error);

G_END_DECLS
