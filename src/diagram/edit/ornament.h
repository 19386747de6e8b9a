/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

gboolean heddle_edit_set_field (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id,
    const char *name, const char *text, GError **error);
gboolean heddle_edit_set_fill (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *object, const char *fill, GError **error);
void heddle_edit_set_wrap (HeddleSnapshot *snapshot, HeddleDiagram *diagram, double width);
void heddle_edit_set_title (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *title);

G_END_DECLS
