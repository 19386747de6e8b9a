/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* A program that works for this one within bounds, such as a compiler; never through a shell. */

typedef struct
{
  double seconds; /* by the clock, for one task */
  gint64 processor_seconds; /* for one task */
  gint64 bytes; /* of addresses, for each of its processes */
} HeddleBounds;

/* The bounds of each program of a compiler: a kernel takes a second and a third of a GiB. */
#define HEDDLE_COMPILER_BOUNDS                                                                               \
  {                                                                                                          \
    900, 600, G_GINT64_CONSTANT (8) << 30                                                                    \
  }

typedef struct _HeddleProcess HeddleProcess;

typedef enum
{
  HEDDLE_PROCESS_OUTPUT, /* what it prints is read */
  HEDDLE_PROCESS_ALL_OUTPUT, /* … and what it prints of errors */
} HeddleProcessOutput;

/* Returns how many bytes of the answer so far are the whole answer; 0 if more is to come. */
typedef gsize (*HeddleIsAnswer) (const guint8 *data, gsize length);

/* Starts the program @arguments[0] with @arguments, NULL-terminated, within @bounds; each process that it
 * starts may take as much memory and processor time. Messages call it @name. Its standard input, and what
 * @output says of its output, go to this program. The caller frees it; returns NULL with the error of
 * g_spawn_async () where it cannot be started. */
HeddleProcess *heddle_process_start (const char *name, const char *const *arguments,
    const HeddleBounds *bounds, HeddleProcessOutput output, GError **error);

/* Sends @question, which may be NULL, and appends what comes back to @answer until @is_answer finds it
 * whole; the bounds begin anew for each question. Returns FALSE with HEDDLE_CODEGEN_ERROR_COMPILE where the
 * program ends first or exceeds its bounds, one of which the message names, or with G_IO_ERROR_CANCELLED;
 * the program is then no longer there. */
gboolean heddle_process_ask (HeddleProcess *self, GBytes *question, HeddleIsAnswer is_answer,
    GByteArray *answer, GCancellable *cancellable, GError **error);

/* Appends all remaining output to @output, and waits for the end of the program; @successful tells whether
 * its exit status was 0. Returns FALSE with HEDDLE_CODEGEN_ERROR_COMPILE where a signal ended it or it
 * exceeds its bounds, one of which the message names, or with G_IO_ERROR_CANCELLED; it is then killed with
 * all that it started. */
gboolean heddle_process_finish (
    HeddleProcess *self, GByteArray *output, gboolean *successful, GCancellable *cancellable, GError **error);

/* Returns the bounds that the program was started with, owned by @self. */
const HeddleBounds *heddle_process_get_bounds (const HeddleProcess *self);

/* Returns whether the program still runs. */
gboolean heddle_process_is_there (HeddleProcess *self);

/* Ends the program and all processes that it started, if they still run, and frees @self, which may be NULL. */
void heddle_process_free (HeddleProcess *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleProcess, heddle_process_free)
