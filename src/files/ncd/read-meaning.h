/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "diagram/expression/expr.h"
#include "files/ncd/private.h"

G_BEGIN_DECLS

/* Returns the expression in an @attribute, over the axes of the current diagram (transfer full). NULL means
 * that an error was reported. */
HeddleExpr *heddle_ncd_expr (HeddleNcdReader *self, xmlNode *node, const char *attribute, const char *text);
/* Returns an interned id that is not yet taken in the current diagram, and takes it. NULL means that an error
 * was reported. */
const char *heddle_ncd_new_id (HeddleNcdReader *self, xmlNode *node, const char *text);
/* Returns whether all ids are axes of the current diagram, each named once; else it was reported. */
gboolean heddle_ncd_are_axes (HeddleNcdReader *self, xmlNode *node, const GArray *ids);
/* Returns whether all ids are values of the current diagram; else it was reported. */
gboolean heddle_ncd_are_values (HeddleNcdReader *self, xmlNode *node, const GArray *ids);
/* Reads a <diagram> of the meaning into the snapshot: axes, values, operations, outputs. Errors are reported with
 * their places. */
void heddle_ncd_read_diagram (HeddleNcdReader *self, xmlNode *node);

/* Reads an <operation> into the current diagram. Errors are reported with their places. */
void heddle_ncd_read_operation (HeddleNcdReader *self, xmlNode *node);

G_END_DECLS
