/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/verify/verify.h"
#include "diagram/base/array.h"
#include "diagram/graph/diagram.h"

/* Rows that a kernel deals out to its blocks, sorted by the matrix that they choose. */
typedef struct _HeddleVerifyDealt HeddleVerifyDealt;

/* Returns where the rows of the kernel go with the choices that it is given; NULL if its blocks have rows as they
 * stand. */
HeddleVerifyDealt *heddle_verify_dealt_new (const HeddleVerifyLaunch *launch);
/* Frees it; NULL is none. */
void heddle_verify_dealt_free (HeddleVerifyDealt *self);
/* Returns the number of the tile of @axis that the block with element @element of @array, which is the value's,
 * takes; -1 if rows are not dealt out along the axis. */
gint64 heddle_verify_dealt_tile (const HeddleVerifyDealt *self, const char *axis, const HeddleValue *value,
    const HeddleArray *array, gint64 element);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleVerifyDealt, heddle_verify_dealt_free)
