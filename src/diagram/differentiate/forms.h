/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

void heddle_reverse_concat_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
void heddle_reverse_scan_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);

G_END_DECLS
