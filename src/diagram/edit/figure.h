/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The figure: see ornament.h. Each is kept apart from the meaning. */
const char *heddle_edit_add_block (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *title, GError **error);
const char *heddle_edit_add_bundle (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *axes, const char *name, GError **error);
const char *heddle_edit_add_note (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleNoteKind kind,
    const char *text, double x, double y, const char *target);
gboolean heddle_edit_set_text (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *text, GError **error);
gboolean heddle_edit_set_skip (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *reader, gboolean skip, GError **error);
gboolean heddle_edit_set_look (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *operation_id,
    HeddleLookKind look, const char *label, GError **error);

G_END_DECLS
