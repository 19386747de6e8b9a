/* SPDX-License-Identifier: MIT */
#include "derive/region/memo.h"

HeddleRegionMemo *
heddle_region_memo_new (void)
{
  HeddleRegionMemo *self = g_new0 (HeddleRegionMemo, 1);

  self->marks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
heddle_region_memo_free (HeddleRegionMemo *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->marks);
  g_clear_pointer (&self->refusing, g_hash_table_unref);
  g_free (self);
}
