/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Replaces the diagram by the first one of @read, and the definitions by those that were read with it. */
void heddle_edit_replace_document (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *read);
/* Sets how often a call is repeated (NULL: once), and with which parameters. */
gboolean heddle_edit_set_repeat (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call,
    const char *repeat, gboolean shared, GError **error);

G_END_DECLS
