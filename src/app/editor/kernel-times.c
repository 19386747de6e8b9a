/* SPDX-License-Identifier: MIT */

#include "app/editor/kernel-times.h"
#include "app/editor/flat.h"
#include "app/editor/private.h"
#include "app/editor/selection.h"

/* So many are told of one by one: of a thousand nobody reads more, and the others take little. */
#define MOST 40

static void
kernel_time_free (gpointer data)
{
  HeddleKernelTime *self = data;

  g_free (self->title);
  g_array_unref (self->operations);
  g_free (self);
}

static HeddleKernelTime *
kernel_time_new (const HeddleKernel *kernel, double all)
{
  HeddleKernelTime *self = g_new0 (HeddleKernelTime, 1);

  self->title = g_strdup (kernel->title);
  self->seconds = kernel->expected_s;
  self->share = kernel->expected_s / all;
  self->bound = kernel->bound;
  self->point = heddle_roofline_kernel_point (kernel);
  self->operations = heddle_ids_copy (kernel->operations);
  return self;
}

/* Puts a kernel where it belongs among the longest. */
static void
insert (GPtrArray *longest, gpointer kernel)
{
  guint place = longest->len;

  while (place > 0
         && ((HeddleKernel *) longest->pdata[place - 1])->expected_s < ((HeddleKernel *) kernel)->expected_s)
    place--;
  if (place == MOST)
    return;
  g_ptr_array_insert (longest, place, kernel);
  if (longest->len > MOST)
    g_ptr_array_set_size (longest, MOST);
}

HeddleKernelTimes *
heddle_kernel_times_new (const HeddleDerivation *derivation)
{
  HeddleKernelTimes *self = g_new0 (HeddleKernelTimes, 1);
  g_autoptr (GPtrArray) longest = g_ptr_array_new ();

  self->longest = g_ptr_array_new_with_free_func (kernel_time_free);
  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = derivation->kernels->pdata[i];

      if (!(kernel->expected_s > 0) || !kernel->fits || kernel->refusals->len > 0)
        continue;
      self->n++;
      self->seconds += kernel->expected_s;
      insert (longest, (gpointer) kernel);
    }
  for (guint i = 0; i < longest->len; i++)
    g_ptr_array_add (self->longest, kernel_time_new (longest->pdata[i], self->seconds));
  return self;
}

void
heddle_kernel_times_free (HeddleKernelTimes *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->longest);
  g_free (self);
}

HeddleKernelTimes *
heddle_kernel_times_copy (const HeddleKernelTimes *self)
{
  HeddleKernelTimes *copy = NULL;

  if (self == NULL)
    return NULL;
  copy = g_memdup2 (self, sizeof *self);
  copy->longest = g_ptr_array_new_with_free_func (kernel_time_free);
  for (guint i = 0; i < self->longest->len; i++)
    {
      HeddleKernelTime *one = g_memdup2 (self->longest->pdata[i], sizeof *one);

      one->title = g_strdup (one->title);
      one->operations = heddle_ids_copy (one->operations);
      g_ptr_array_add (copy->longest, one);
    }
  return copy;
}

void
heddle_editor_select_kernel (HeddleEditor *self, const HeddleKernelTime *kernel)
{
  g_autoptr (GArray) ids = heddle_ids_new ();

  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const char *id = heddle_editor_get_shown_operation (self, heddle_ids_index (kernel->operations, i));

      if (id != NULL && !heddle_ids_contain (ids, id))
        heddle_ids_append (ids, id);
    }
  heddle_editor_select_ids (self, ids);
}

/* Warms what has the kernel's time: a call is warmed by all of its kernels; a kernel warms each of its
 * operations alike, but none twice. */
static void
warm (HeddleEditor *self, const HeddleKernelTime *kernel, double *most)
{
  g_autoptr (GArray) ids = heddle_ids_new ();

  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const char *id = heddle_editor_get_shown_operation (self, heddle_ids_index (kernel->operations, i));
      double *warmth = id != NULL ? g_hash_table_lookup (self->warmth, id) : NULL;

      if (id == NULL || heddle_ids_contain (ids, id))
        continue;
      if (warmth == NULL)
        g_hash_table_insert (self->warmth, (gpointer) id, warmth = g_new0 (double, 1));
      heddle_ids_append (ids, id);
      *warmth += kernel->seconds;
      *most = MAX (*most, *warmth);
    }
}

void
heddle_editor_set_warmth (HeddleEditor *self, const HeddleKernelTimes *times)
{
  const gboolean was = self->warmth != NULL;
  double most = 0;

  g_return_if_fail (HEDDLE_IS_EDITOR (self));

  g_clear_pointer (&self->warmth, g_hash_table_unref);
  if (times != NULL)
    {
      self->warmth = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      for (guint i = 0; i < times->longest->len; i++)
        warm (self, times->longest->pdata[i], &most);
    }
  self->most_warmth = most;
  if (was || times != NULL)
    g_signal_emit (self, heddle_editor_signals[WARMTH_CHANGED], 0);
}

double
heddle_editor_get_warmth (HeddleEditor *self, const char *operation)
{
  const double *warmth = self->warmth != NULL ? g_hash_table_lookup (self->warmth, operation) : NULL;

  return warmth != NULL && self->most_warmth > 0 ? *warmth / self->most_warmth : 0;
}

gboolean
heddle_editor_is_warm (HeddleEditor *self)
{
  return self->warmth != NULL;
}
