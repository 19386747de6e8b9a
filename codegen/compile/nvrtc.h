/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "codegen/compile/process.h"

G_BEGIN_DECLS

/* NVRTC compiles in a process of its own. It says which version it is, and then answers one question after the other; each message is its
 * length, 8 bytes, and a GVariant in the order of this machine's bytes. */
#define HEDDLE_NVRTC_GREETING "(ii)" /* version, major and minor */
#define HEDDLE_NVRTC_QUESTION "(ayay)" /* architecture, source */
#define HEDDLE_NVRTC_ANSWER "(iaydayayay)" /* status, in words; milliseconds; PTX, cubin, log */

/* The argument with which a program is this process. */
#define HEDDLE_NVRTC_WORKER "nvrtc-worker"

/* Says which program, by its path, is such a process, and within which bounds; @bounds: %NULL: those of a compiler. From then on, others are
 * no longer asked. Without a program it is that of the environment, HEDDLE_NVRTC_PROGRAM; without one, there is no NVRTC. */
void heddle_nvrtc_set_program (const char *program, const HeddleBounds *bounds);

/* Neither is found where it is not wanted. */
gboolean heddle_nvrtc_is_available (void);
/* A way to compile the device part of a kernel. %NULL with %HEDDLE_CODEGEN_ERROR_MISSING (not here) or _COMPILE. */
HeddleCompilation *heddle_nvrtc_compile (
    const char *source, const char *arch, GCancellable *cancellable, GError **error);

G_END_DECLS
