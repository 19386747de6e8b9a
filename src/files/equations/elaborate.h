/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include <glib.h>
#include "files/equations/private.h"

/* A scalar expression being put together, and what it reads. */
typedef struct
{
  HeddleEqScope *scope;
  GPtrArray *operands; /* of HeddleEqTree */
} HeddleEqMap;

/* Returns the operations that a scoped expression means, the last with the axes @left (ids), transfer full. NULL
 * means that an error was reported. */
HeddleEqTree *heddle_eq_elaborate (HeddleEqScope *scope, const HeddleEqNode *root, const GArray *left);

/* Returns a reindexing of @operand, which it takes; its indices and axes are yet to come. */
HeddleEqTree *heddle_eq_reindex_new (HeddleEqTree *operand);
