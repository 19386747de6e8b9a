/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* The diagram is computed for so many heads at once, and in batches of so many. */

typedef enum
{
  HEDDLE_BATCH_HEADS,
  HEDDLE_BATCH_BATCH,
  HEDDLE_N_BATCHES
} HeddleBatch;

/* The axis that stands for it in the diagram shown; NULL: there is none. */
const HeddleAxis *heddle_edits_find_batch (HeddleEditor *editor, HeddleBatch batch);
/* Returns how many there are: 1 where there is no axis for it, 0 where its size is not known. */
gint64 heddle_edits_get_batch (HeddleEditor *editor, HeddleBatch batch);
/* Has so many, as one undo step: an axis is made where there is none, and one that nothing needs goes when there is to be one alone. Kernels with
 * labels take one of a new axis at a time. Where it fails the editor says why in a message. */
gboolean heddle_edits_set_batch (HeddleEditor *editor, HeddleBatch batch, gint64 size);
