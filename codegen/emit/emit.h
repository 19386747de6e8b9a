/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Returns the name of a family: "auto", "general", "sm80", "sm90a", "sm90a-copies", "rows". */
const char *heddle_family_to_string (HeddleFamily family);

/* Puts the family that @text names, as heddle_family_to_string () does, into @family. Returns FALSE, and leaves
 * it, where @text names none or is NULL. */
gboolean heddle_family_from_string (const char *text, HeddleFamily *family);
/* Returns all kernels of a derivation (HeddleKernelText), in the order they run; several have named
 * intermediates in one launcher's .cu. The kernel that merges the parts of a split axis follows the one that
 * makes them. Kernels that differ in names alone refer to one another: a launcher starts the first for
 * each. */
GPtrArray *heddle_codegen_emit_all (const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, HeddleFamily family,
    const char *verification, GError **error);
