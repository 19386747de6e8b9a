/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A program that works for this one within bounds, such as a compiler; never through a shell. */

typedef struct
{
  double seconds; /* by the clock, for one task */
  gint64 processor_seconds; /* for one task */
  gint64 bytes; /* of addresses, for each of its processes */
} HeddleBounds;

/* Of each program of a compiler: a kernel takes a second and a third of a GiB. */
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

/* How much of what was answered so far is the whole answer; 0: more is to come. */
typedef gsize (*HeddleIsAnswer) (const guint8 *data, gsize length);

HeddleProcess *heddle_process_start (const char *name, const char *const *arguments,
    const HeddleBounds *bounds, HeddleProcessOutput output, GError **error);
gboolean heddle_process_ask (HeddleProcess *self, GBytes *question, HeddleIsAnswer is_answer,
    GByteArray *answer, GCancellable *cancellable, GError **error);
gboolean heddle_process_finish (
    HeddleProcess *self, GByteArray *output, gboolean *successful, GCancellable *cancellable, GError **error);
const HeddleBounds *heddle_process_get_bounds (const HeddleProcess *self);
gboolean heddle_process_is_there (HeddleProcess *self);
void heddle_process_free (HeddleProcess *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleProcess, heddle_process_free)

G_END_DECLS
