/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Writes @diagram of @snapshot as equations in a worker thread: each is read back to see that it says the same, which takes as long as laying
 * the diagram out. */
void heddle_writing_async (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, gpointer source,
    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Returns: (transfer full): the text; NULL: it was cancelled */
char *heddle_writing_finish (GAsyncResult *result);
