/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"

/* Builds @source, what heddle_codegen_module () gave, by nvcc for the architecture of each machine (of
 * HeddleMachine). The program never loads what it built. A kernel that one of them cannot run is
 * %HEDDLE_CODEGEN_ERROR_COMPILE or %HEDDLE_CODEGEN_ERROR_UNSUPPORTED. */
GBytes *heddle_compile_library (const char *source, GPtrArray *texts, GPtrArray *machines,
    HeddleLibraryKind kind, GCancellable *cancellable, GError **error);
