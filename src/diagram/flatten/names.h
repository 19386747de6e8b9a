/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/expression/expr.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* Returns "a.b" or, if that is too long, something shorter that is as distinct. Newly allocated. */
char *heddle_flatten_join (const char *a, const char *b);
/* Returns @wanted, interned, or with "-2", "-3" … the first id that neither the flat diagram nor an
 * operation of the diagram that is flattened has. */
const char *heddle_flatten_id (HeddleFlattener *self, const char *wanted);
/* Returns a name that is not taken yet, and takes it. Returns NULL if @name is NULL, or too long for the name
 * of an array. */
char *heddle_flatten_name (HeddleFlattener *self, const char *prefix, const char *name);
/* Adds an axis to the flat diagram, which owns it; its id and its name (@prefix before @name, or before
 * @id if that is NULL) are made unique. @size is taken and may be NULL. */
HeddleAxis *heddle_flatten_add_axis (
    HeddleFlattener *self, const char *id, const char *prefix, const char *name, HeddleExpr *size);
