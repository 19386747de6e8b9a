/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The same with the definitions that were read with it. */
void heddle_edit_replace_document (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *read);
/* How often a call is repeated (NULL: once), and with which parameters. */
gboolean heddle_edit_set_repeat (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call,
    const char *repeat, gboolean shared, GError **error);

G_END_DECLS
