/* SPDX-License-Identifier: MIT */

#include "app/editor/kernel-times.h"
#include "app/editor/flat.h"
#include "app/editor/private.h"
#include "app/editor/selection.h"

#include <string.h>

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

/* --- kernels of layers that are alike ------------------------------------------------------------------ */

/* Returns where a title goes on after the number of a layer, which is the 12 in "Y.12.F"; elsewhere @at itself. */
static const char *
skip_layer (const char *at)
{
  while (at[0] == '.' && g_ascii_isdigit (at[1]))
    {
      const char *end = at + 1 + strspn (at + 1, "0123456789");

      if (*end != '.')
        break;
      at = end;
    }
  return at;
}

static guint
alike_hash (gconstpointer data)
{
  const HeddleKernel *self = data;
  guint hash = g_double_hash (&self->expected_s);

  for (const char *at = skip_layer (self->title); *at != '\0'; at = skip_layer (at + 1))
    hash = hash * 33 + (guchar) *at;
  return hash;
}

/* Returns whether kernels are the same one of two layers: they are called so, and take the same time. */
static gboolean
alike_equal (gconstpointer a, gconstpointer b)
{
  const HeddleKernel *one = a, *other = b;
  const char *left = skip_layer (one->title), *right = skip_layer (other->title);

  while (*left != '\0' && *left == *right)
    {
      left = skip_layer (left + 1);
      right = skip_layer (right + 1);
    }
  return *left == *right && one->operations->len == other->operations->len
         && one->expected_s == other->expected_s && one->flops == other->flops
         && g_str_equal (one->bound, other->bound);
}

static HeddleKernelTime *
kernel_time_new (const HeddleKernel *kernel)
{
  HeddleKernelTime *self = g_new0 (HeddleKernelTime, 1);

  self->title = g_strdup (kernel->title);
  self->bound = kernel->bound;
  self->point = heddle_roofline_kernel_point (kernel);
  self->operations = heddle_ids_new ();
  return self;
}

static void
add_kernel (HeddleKernelTime *self, const HeddleKernel *kernel)
{
  self->n++;
  self->seconds += kernel->expected_s;
  g_array_append_vals (self->operations, kernel->operations->data, kernel->operations->len);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const HeddleKernelTime *one = *(HeddleKernelTime *const *) a, *other = *(HeddleKernelTime *const *) b;

  return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

static gboolean
has_time (const HeddleKernel *kernel)
{
  return kernel->expected_s > 0 && kernel->fits && kernel->refusals->len == 0;
}

HeddleKernelTimes *
heddle_kernel_times_new (const HeddleDerivation *derivation)
{
  HeddleKernelTimes *self = g_new0 (HeddleKernelTimes, 1);
  g_autoptr (GHashTable) alike = g_hash_table_new (alike_hash, alike_equal);

  self->longest = g_ptr_array_new_with_free_func (kernel_time_free);
  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    {
      HeddleKernel *kernel = derivation->kernels->pdata[i];
      HeddleKernelTime *time = has_time (kernel) ? g_hash_table_lookup (alike, kernel) : NULL;

      if (!has_time (kernel))
        continue;
      self->n++;
      self->seconds += kernel->expected_s;
      if (time == NULL)
        {
          g_ptr_array_add (self->longest, time = kernel_time_new (kernel));
          g_hash_table_insert (alike, kernel, time);
        }
      add_kernel (time, kernel);
    }
  g_ptr_array_sort (self->longest, compare_times);
  g_ptr_array_set_size (self->longest, (int) MIN (self->longest->len, MOST));
  for (guint i = 0; i < self->longest->len; i++)
    {
      HeddleKernelTime *time = self->longest->pdata[i];

      time->share = time->seconds / self->seconds;
    }
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

/* Warms what has the time of kernel number @part of those that are alike: a call is warmed by all of its kernels; a
 * kernel warms each of its operations alike, but none twice. */
static void
warm_part (HeddleEditor *self, const HeddleKernelTime *kernel, guint part, double *most)
{
  const guint each = kernel->operations->len / kernel->n;
  g_autoptr (GArray) ids = heddle_ids_new ();

  for (guint i = part * each; i < (part + 1) * each; i++)
    {
      const char *id = heddle_editor_get_shown_operation (self, heddle_ids_index (kernel->operations, i));
      double *warmth = id != NULL ? g_hash_table_lookup (self->warmth, id) : NULL;

      if (id == NULL || heddle_ids_contain (ids, id))
        continue;
      if (warmth == NULL)
        g_hash_table_insert (self->warmth, (gpointer) id, warmth = g_new0 (double, 1));
      heddle_ids_append (ids, id);
      *warmth += kernel->seconds / kernel->n;
      *most = MAX (*most, *warmth);
    }
}

static void
warm (HeddleEditor *self, const HeddleKernelTime *kernel, double *most)
{
  for (guint part = 0; part < kernel->n; part++)
    warm_part (self, kernel, part, most);
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
