/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Makes what is joined end to end a choice by the index, where all parts are reads of arrays or maps of such:
 * concat[k](-X[i + 64], X[j]) becomes where(k < 64, -X[k + 64], X[k - 64]). FALSE means that the operation joins
 * nothing, or that some part is made otherwise, has a name or is an output. */
gboolean heddle_rewrite_choose_joined (HeddleDiagram *diagram, const char *operation_id);
