/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/editor/editor.h"

/* The pages of the inspector consist of these; each appends to @box. */

/* A line that is edited in place and applied by Enter. */
typedef gboolean (*HeddleInspectorApply) (
    HeddleEditor *editor, const char *id, const char *text, GError **error);
