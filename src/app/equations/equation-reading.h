/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* A text, the diagram that it may be another spelling of, and what comes of reading it. */
typedef struct
{
  char *text;
  HeddleSnapshot *present;
  const HeddleDiagram *diagram; /* of it; or NULL */
  HeddleSnapshot *read; /* NULL: it is no diagram */
  GPtrArray *problems; /* of HeddleProblem */
  gboolean differs; /* what was read means something else, or is written otherwise */
} HeddleReading;

/* Returns a new reading; @text is taken, and @diagram (nullable) is one of @present. */
HeddleReading *heddle_reading_new (char *text, HeddleSnapshot *present, const HeddleDiagram *diagram);
/* Frees the reading with its text, what was read and the problems. */
void heddle_reading_free (HeddleReading *self);
/* Reads the text in the calling thread: sets read, adds to problems, and sets differs. */
void heddle_reading_run (HeddleReading *self);
/* Runs it in a worker thread. @self: taken, and the task's until its callback returns */
void heddle_reading_run_async (HeddleReading *self, gpointer source, GCancellable *cancellable,
    GAsyncReadyCallback callback, gpointer data);
/* Returns the reading, which stays the task's; NULL means that it was cancelled. */
const HeddleReading *heddle_reading_run_finish (GAsyncResult *result);
