/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "diagram/expression/expr.h"
#include "files/ncd/private.h"

G_BEGIN_DECLS

/* ncd-read-meaning.c: what may stand in an attribute of the diagram at hand; what is not is reported. */
HeddleExpr *heddle_ncd_expr (HeddleNcdReader *self, xmlNode *node, const char *attribute, const char *text);
/* An id not yet taken in the diagram, or %NULL. */
const char *heddle_ncd_new_id (HeddleNcdReader *self, xmlNode *node, const char *text);
gboolean heddle_ncd_are_axes (HeddleNcdReader *self, xmlNode *node, const GArray *ids);
gboolean heddle_ncd_are_values (HeddleNcdReader *self, xmlNode *node, const GArray *ids);
void heddle_ncd_read_diagram (HeddleNcdReader *self, xmlNode *node);

G_END_DECLS
