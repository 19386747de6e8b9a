/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Returns a reindexing of @operand, which it takes; its indices and axes are yet to come. */
HeddleEqTree *heddle_eq_reindex_new (HeddleEqTree *operand);
/* Returns the array read, or a reindexing of it: a gather where indices are values (transfer full). NULL means that
 * an error was reported. */
HeddleEqTree *heddle_eq_read_tree (HeddleEqScope *scope, const HeddleEqNode *node);

G_END_DECLS
