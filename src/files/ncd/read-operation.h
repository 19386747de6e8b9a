/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "files/ncd/private.h"

G_BEGIN_DECLS

/* Reads an <operation> into the diagram at hand. Errors are reported with their places. */
void heddle_ncd_read_operation (HeddleNcdReader *self, xmlNode *node);

G_END_DECLS
