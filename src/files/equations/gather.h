/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"

G_BEGIN_DECLS

/* A reindexing of @operand, its indices and axes yet to come. */
HeddleEqTree *heddle_eq_reindex_new (HeddleEqTree *operand);
/* The array read, or a reindexing of it: a gather where indices are values. NULL: an error was reported. */
HeddleEqTree *heddle_eq_read_tree (HeddleEqScope *scope, const HeddleEqNode *node);

G_END_DECLS
