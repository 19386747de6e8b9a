/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"

/* The compiler nvcc of the CUDA toolkit as a process of its own, in a temporary folder that is removed
 * afterwards. */

G_BEGIN_DECLS

char *heddle_nvcc_find (void); /* its path, or NULL */
/* Runs nvcc without a shell, within bounds of time and memory; @output receives what it says. */
gboolean heddle_nvcc_run (
    const char *const *arguments, char **output, GCancellable *cancellable, GError **error);
/* Removes a temporary folder of it. */
void heddle_nvcc_clean (const char *directory);

/* Compiles @source for @arch (“sm_90a”) by nvcc, which must have been found, and reads registers and spills
 * from its log. The caller frees the result; returns NULL, with @error set, where the compiler refuses the
 * source, takes too long or is cancelled. */
HeddleCompilation *heddle_nvcc_compile (
    const char *source, const char *arch, GCancellable *cancellable, GError **error);

G_END_DECLS
