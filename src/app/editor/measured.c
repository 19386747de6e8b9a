/* SPDX-License-Identifier: MIT */

#include "app/editor/measured.h"
#include "app/editor/private.h"

/* The same result read again is one point. */
static gboolean
is_known (HeddleEditor *self, const HeddleBenchResult *measurement)
{
  for (guint i = 0; i < self->measured->len; i++)
    {
      const HeddleBenchResult *known = g_ptr_array_index (self->measured, i);

      if (g_str_equal (known->date, measurement->date) && known->median_s == measurement->median_s
          && g_str_equal (known->gpu, measurement->gpu))
        return TRUE;
    }
  return FALSE;
}

void
heddle_editor_add_measurement (HeddleEditor *self, HeddleBenchResult *measurement)
{
  g_return_if_fail (HEDDLE_IS_EDITOR (self) && measurement != NULL);

  if (is_known (self, measurement))
    {
      heddle_bench_result_free (measurement);
      return;
    }
  g_ptr_array_add (self->measured, measurement);
  g_signal_emit (self, heddle_editor_signals[MEASURED], 0);
}

GPtrArray *
heddle_editor_get_measured (HeddleEditor *self)
{
  GPtrArray *measured = g_ptr_array_new ();

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), measured);

  for (guint i = 0; i < self->measured->len; i++)
    {
      HeddleBenchResult *one = g_ptr_array_index (self->measured, i);

      if (self->machine != NULL && g_str_equal (one->machine, self->machine->name)
          && one->dtype == self->dtype)
        g_ptr_array_add (measured, one);
    }
  return measured;
}

const GPtrArray *
heddle_editor_peek_measurements (HeddleEditor *self)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);

  return self->measured;
}
