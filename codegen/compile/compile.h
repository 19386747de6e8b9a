/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"

G_BEGIN_DECLS

void heddle_compilation_free (HeddleCompilation *self);
/* Registers, spills and stack from what `ptxas -v` prints. */
void heddle_compilation_read_log (HeddleCompilation *self);
/* HEDDLE_COMPILER=nvrtc or nvcc leaves that one alone; with HEDDLE_COMPILER=none all is as on a machine without CUDA. @name is "nvrtc" or "nvcc". */
gboolean heddle_compiler_is_wanted (const char *name);
/* Whether a compiler is here; @why: what is missing and how to get it. */
gboolean heddle_compile_is_available (char **why);
HeddleCompilation *heddle_compile (const HeddleKernelText *text, GCancellable *cancellable, GError **error);
HeddleCompilation *heddle_compile_device (GPtrArray *texts, GCancellable *cancellable, GError **error);
void heddle_compile_async (
    const HeddleKernelText *text, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
HeddleCompilation *heddle_compile_finish (GAsyncResult *result, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCompilation, heddle_compilation_free)

G_END_DECLS
