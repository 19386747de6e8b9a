/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"

G_BEGIN_DECLS

/* A way to compile the device part of a kernel. %NULL with %HEDDLE_CODEGEN_ERROR_MISSING (not here) or _COMPILE. */
HeddleCompilation *heddle_nvrtc_compile (
    const char *source, const char *arch, GCancellable *cancellable, GError **error);
HeddleCompilation *heddle_nvcc_compile (
    const char *source, const char *arch, GCancellable *cancellable, GError **error);
/* HEDDLE_COMPILER=nvrtc or nvcc leaves that one alone; with HEDDLE_COMPILER=none all is as on a machine without CUDA. @name is "nvrtc" or "nvcc". */
gboolean heddle_compiler_is_wanted (const char *name);
/* Neither is found where it is not wanted. */
gboolean heddle_nvrtc_is_available (void);
char *heddle_nvcc_find (void); /* its path, or NULL */
/* Runs nvcc without a shell, within bounds of time and memory; @output receives what it says. */
gboolean heddle_nvcc_run (
    const char *const *arguments, char **output, GCancellable *cancellable, GError **error);
/* Removes a temporary folder of it. */
void heddle_nvcc_clean (const char *directory);
/* Registers, spills and stack from what `ptxas -v` prints. */
void heddle_compilation_read_log (HeddleCompilation *self);

/* compile-cache.c: what was compiled before in this process, by content. */
char *heddle_compile_cache_key (const char *compiler, const char *arch, const char *source);
HeddleCompilation *heddle_compile_cache_get (const char *key); /* a copy, or NULL */
void heddle_compile_cache_put (const char *key, const HeddleCompilation *compilation);

G_END_DECLS
