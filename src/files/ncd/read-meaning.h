/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "diagram/expression/expr.h"
#include "files/ncd/private.h"

/* Reads a <diagram> of the meaning into the snapshot: axes, values, operations, outputs. Errors are reported with
 * their places. */
void heddle_ncd_read_diagram (HeddleNcdReader *self, xmlNode *node);
