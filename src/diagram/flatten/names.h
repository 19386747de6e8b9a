/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* "a.b", or something short that is as different where that is long. */
char *heddle_flatten_join (const char *a, const char *b);
const char *heddle_flatten_id (HeddleFlattener *self, const char *wanted);
/* A name that is not taken yet; it is now. @name NULL, or for an array too long a name: NULL. */
char *heddle_flatten_name (HeddleFlattener *self, const char *prefix, const char *name);
HeddleAxis *heddle_flatten_add_axis (
    HeddleFlattener *self, const char *id, const char *prefix, const char *name, HeddleExpr *size);

G_END_DECLS
