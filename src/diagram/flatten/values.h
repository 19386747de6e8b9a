/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

G_BEGIN_DECLS

/* @own: the operation of the frame's diagram that it is; NULL: it only reads */
HeddleOperation *heddle_flatten_add_operation (HeddleFlattener *self, const HeddleExpansion *frame,
    const char *own, const char *id, const HeddleOperationKind *kind, const GArray *operands,
    const char *result, const GArray *axes);
/* A value of the frame that is none of its own diagram's alone. */
const char *heddle_flatten_add_value (HeddleFlattener *self, const HeddleExpansion *frame,
    const HeddleValue *value, HeddleDtype dtype, const GArray *axes);
/* @result is @operand at @indices (taken). */
void heddle_flatten_add_read (HeddleFlattener *self, const HeddleExpansion *frame, const char *operand,
    const char *result, GPtrArray *indices);
/* The index of each axis: those before @own as they are, then @own. */
GPtrArray *heddle_flatten_indices (const GArray *axes, const GArray *own);
/* Gives the frame its inputs and parameters: each formal stands for the flat value in @arguments (ids, as
 * many as formals) or a read of it, and other parameters become parameters of the flat diagram. */
void heddle_flatten_take_inputs (HeddleFlattener *self, HeddleExpansion *frame, const char *const *arguments);

G_END_DECLS
