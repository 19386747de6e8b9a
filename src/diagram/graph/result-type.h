/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Returns the type in which every result of @operation can be stored whole, where the widest type of what it
 * reads is @widest, an integer type or bool: @widest itself where results are again such numbers,
 * %HEDDLE_DTYPE_I64 where numbers are counted from truth values, and %HEDDLE_DTYPE_UNSET, a real type that
 * the caller knows, where results may have fractions or be infinite. @operation is none of the forms that
 * only move elements, nor a call. */
HeddleDtype heddle_operation_dtype_of_integers (const HeddleOperation *operation, HeddleDtype widest);
