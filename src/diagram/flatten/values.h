/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* Adds an operation to the flat diagram. @own is the operation of the frame's diagram that it stands for;
 * NULL if it only reads. */
HeddleOperation *heddle_flatten_add_operation (HeddleFlattener *self, const HeddleExpansion *frame,
    const char *own, const char *id, const HeddleOperationKind *kind, const GArray *operands,
    const char *result, const GArray *axes);
/* Adds a value to the flat diagram that does not belong to the frame's diagram alone, and returns its id. */
const char *heddle_flatten_add_value (HeddleFlattener *self, const HeddleExpansion *frame,
    const HeddleValue *value, HeddleDtype dtype, const GArray *axes);
/* Adds a read that makes @result of @operand at @indices (taken). */
void heddle_flatten_add_read (HeddleFlattener *self, const HeddleExpansion *frame, const char *operand,
    const char *result, GPtrArray *indices);
/* Returns the index of each axis: those before @own as they are, then @own. */
GPtrArray *heddle_flatten_indices (const GArray *axes, const GArray *own);
/* Gives the frame its inputs and parameters: each formal stands for the flat value in @arguments (ids, as
 * many as formals) or a read of it, and other parameters become parameters of the flat diagram. */
void heddle_flatten_take_inputs (HeddleFlattener *self, HeddleExpansion *frame, const char *const *arguments);
