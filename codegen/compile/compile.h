/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/compile/compilation.h"
#include "codegen/compile/process.h"

/* Compiles generated kernels to PTX and machine code by NVRTC or nvcc, whichever is here. The caller owns a
 * compilation; what was compiled before, in this run or an earlier one, is not compiled again. */

/* Returns whether a compiler is here; where none is, @why says what is missing and how to get it. */
gboolean heddle_compile_is_available (char **why);

/* Compiles the device part of a kernel for its architecture, by NVRTC or nvcc, each in a process of its own
 * within bounds of time and memory, and waits for it. No GPU is needed. The same text is compiled once; a
 * kernel that differs from one before it in names alone is that one, which heddle_kernel_text_entry ()
 * starts, and what is reported of it, the time too, is of that one. The caller frees the result. Returns
 * NULL with HEDDLE_CODEGEN_ERROR_MISSING where there is no compiler, with HEDDLE_CODEGEN_ERROR_COMPILE and
 * the log or the bound that it exceeded, or where @cancellable is cancelled. */
HeddleCompilation *heddle_compile (const HeddleKernelText *text, GCancellable *cancellable, GError **error);

/* Compiles the device code of all @texts (HeddleKernelText) as one source, for the architecture of the first.
 * The caller frees the result; returns NULL, with @error set, where there are none, or as heddle_compile ()
 * does. */
HeddleCompilation *heddle_compile_device (GPtrArray *texts, GCancellable *cancellable, GError **error);

/* The compiler nvcc of the CUDA toolkit as a process of its own, in a temporary folder that is removed
 * afterwards. */

char *heddle_nvcc_find (void); /* its path, or NULL */
/* Runs nvcc without a shell, within bounds of time and memory; @output receives what it says. */
gboolean heddle_nvcc_run (
    const char *const *arguments, char **output, GCancellable *cancellable, GError **error);
/* Reads what nvcc wrote at @path into @data, which the caller owns, and compares it with how a file of @kind
 * ("ptx", "cubin", "fatbin", "so") begins. FALSE comes with a GFileError, or HEDDLE_CODEGEN_ERROR_COMPILE
 * where it is none. */
gboolean heddle_nvcc_read (const char *path, const char *kind, char **data, gsize *length, GError **error);
/* Removes a temporary folder of it. */
void heddle_nvcc_clean (const char *directory);

/* Compiles @source for @arch (“sm_90a”) by nvcc, which must have been found, and reads registers and spills
 * from its log. The caller frees the result; returns NULL, with @error set, where the compiler refuses the
 * source, takes too long or is cancelled. */
HeddleCompilation *heddle_nvcc_compile (
    const char *source, const char *arch, GCancellable *cancellable, GError **error);

/* The messages of NVRTC, which compiles in a process of its own. It says which version it is, and then answers one question after the other; each message is its
 * length, 8 bytes, and a GVariant in the order of this machine's bytes. */
#define HEDDLE_NVRTC_GREETING                                                                                \
  "(iis)" /* version, major and minor, and which build of the library it is; "": that is not known */
#define HEDDLE_NVRTC_QUESTION "(ayay)" /* architecture, source */
#define HEDDLE_NVRTC_ANSWER "(iaydayayay)" /* status, in words; milliseconds; PTX, cubin, log */

/* The argument with which a program is this process. */
#define HEDDLE_NVRTC_WORKER "nvrtc-worker"

/* Sets the program, by its path, that runs as such a process, and its bounds; with @bounds %NULL those of a
 * compiler. From then on, no others are asked. Without a program it is that of the environment,
 * HEDDLE_NVRTC_PROGRAM; without one, there is no NVRTC. */
void heddle_nvrtc_set_program (const char *program, const HeddleBounds *bounds);

/* Returns whether NVRTC is on this machine; it is not found where it is not wanted. */
gboolean heddle_nvrtc_is_available (void);
/* Compiles the device part of a kernel by NVRTC. Returns NULL with HEDDLE_CODEGEN_ERROR_MISSING if NVRTC is not here, or with _COMPILE. */
HeddleCompilation *heddle_nvrtc_compile (
    const char *source, const char *arch, GCancellable *cancellable, GError **error);
