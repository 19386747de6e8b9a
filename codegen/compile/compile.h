/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"

/* Compiles generated kernels to PTX and machine code by NVRTC or nvcc, whichever is here. The caller owns a
 * compilation; what was compiled before in this run or is in the cache is not compiled again. */

G_BEGIN_DECLS

/* Frees @self and all that it owns; @self may be NULL. */
void heddle_compilation_free (HeddleCompilation *self);
/* Registers, spills and stack from what `ptxas -v` prints. */
void heddle_compilation_read_log (HeddleCompilation *self);
/* HEDDLE_COMPILER=nvrtc or nvcc leaves that one alone; with HEDDLE_COMPILER=none all is as on a machine without CUDA. @name is "nvrtc" or "nvcc". */
gboolean heddle_compiler_is_wanted (const char *name);
/* Tells whether a compiler is here; where none is, @why says what is missing and how to get it. */
gboolean heddle_compile_is_available (char **why);

/* Compiles one kernel, and waits for it. The caller frees the result. Returns NULL with
 * HEDDLE_CODEGEN_ERROR_MISSING where there is no compiler, and otherwise with the compiler's message, or where
 * @cancellable is cancelled. */
HeddleCompilation *heddle_compile (const HeddleKernelText *text, GCancellable *cancellable, GError **error);

/* Compiles the device code of all @texts (HeddleKernelText) as one source, for the architecture of the first.
 * The caller frees the result; returns NULL, with @error set, where there are none, or as heddle_compile ()
 * does. */
HeddleCompilation *heddle_compile_device (GPtrArray *texts, GCancellable *cancellable, GError **error);

/* Starts heddle_compile () in another thread on a copy of @text; @callback is called in the caller's main
 * context with @data. */
void heddle_compile_async (
    const HeddleKernelText *text, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);

/* Gives the result of heddle_compile_async (), which the caller frees, or NULL with its error. */
HeddleCompilation *heddle_compile_finish (GAsyncResult *result, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleCompilation, heddle_compilation_free)

G_END_DECLS
