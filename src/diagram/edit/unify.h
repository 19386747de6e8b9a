/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Joins axis @from into @into everywhere (their sizes must agree or one be unset): "unify". */
gboolean heddle_edit_unify_axes (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *from, const char *into, GError **error);
