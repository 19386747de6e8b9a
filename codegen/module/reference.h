/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/analysis/sizes.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Returns whether there is reference code for the library: "numpy", "jax" or "torch". */
gboolean heddle_codegen_reference_is_for (const char *library);
/* Returns plain code for Python that computes what @diagram of @snapshot does, as heddle_snapshot_flatten_steps ()
 * makes it: a function of its inputs and parameters by name, a line for each operation and a loop for each scan,
 * after a function for each step, which @equations (the diagram as text) describe at the head. Newly allocated;
 * %NULL with %HEDDLE_CODEGEN_ERROR_UNSUPPORTED names an operation that it does not say. @library must be one that
 * heddle_codegen_reference_is_for (). */
char *heddle_codegen_reference (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleSizes *sizes, const char *library, const char *equations, GError **error);
