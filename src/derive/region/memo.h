/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* What regions of one diagram at one set of sizes ask of all that runs before them: found once for all of them, as a long chain would otherwise be walked
 * from its beginning for each of its kernels. */
typedef struct
{
  GHashTable *marks; /* value id -> GPtrArray of HeddleMark: see marks.h */
  GHashTable *
      refusing; /* operation id -> GArray of the places (guint) of reads that a kernel with it has to make itself: see outside.c; NULL: not looked for yet */
} HeddleRegionMemo;

/* Returns a memo that knows nothing yet. */
HeddleRegionMemo *heddle_region_memo_new (void);
/* Frees the memo with all it knows; NULL is allowed. */
void heddle_region_memo_free (HeddleRegionMemo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRegionMemo, heddle_region_memo_free)
