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

/* Kernels that are alike, while all of them are gone through: in a frame of a drag of ten thousand. */
typedef struct
{
  const HeddleKernel *first;
  guint n, number; /* in the order of the kernels, from 0 on */
  double seconds;
} Alike;

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const Alike *one = a, *other = b;

  return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

static gboolean
has_time (const HeddleKernel *kernel)
{
  return kernel->expected_s > 0 && kernel->fits && kernel->refusals->len == 0;
}

#define NO_TIME G_MAXUINT

/* Returns the kernels of a derivation by those that are alike, in their order. @numbers (of guint) receives which of
 * these each kernel is one of, or %NO_TIME. */
static GArray *
collect (const HeddleDerivation *derivation, HeddleKernelTimes *all, GArray *numbers)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Alike));
  g_autoptr (GHashTable) known = g_hash_table_new (alike_hash, alike_equal);

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      HeddleKernel *kernel = derivation->kernels->pdata[i];
      const gboolean timed = has_time (kernel);
      const guint place = timed ? GPOINTER_TO_UINT (g_hash_table_lookup (known, kernel)) : 0;
      const guint number = !timed ? NO_TIME : place > 0 ? place - 1 : found->len;
      Alike *alike = NULL;

      g_array_append_val (numbers, number);
      if (!timed)
        continue;
      if (place == 0)
        {
          g_array_append_vals (found, &(Alike){ .first = kernel, .number = number }, 1);
          g_hash_table_insert (known, kernel, GUINT_TO_POINTER (number + 1));
        }
      alike = &g_array_index (found, Alike, number);
      alike->n++;
      alike->seconds += kernel->expected_s;
      all->n++;
      all->seconds += kernel->expected_s;
    }
  return found;
}

static HeddleKernelTime *
kernel_time_new (const Alike *alike, double all)
{
  HeddleKernelTime *self = g_new0 (HeddleKernelTime, 1);

  self->title = g_strdup (alike->first->title);
  self->n = alike->n;
  self->seconds = alike->seconds;
  self->share = alike->seconds / all;
  self->bound = alike->first->bound;
  self->point = heddle_roofline_kernel_point (alike->first);
  self->operations = heddle_ids_new ();
  return self;
}

/* Gives a kernel time the operations of its kernels, which are number @number. */
static void
add_operations (
    HeddleKernelTime *self, guint number, const HeddleDerivation *derivation, const GArray *numbers)
{
  for (guint i = 0, n = 0; n < self->n; i++)
    if (g_array_index (numbers, guint, i) == number)
      {
        const HeddleKernel *kernel = derivation->kernels->pdata[i];

        g_array_append_vals (self->operations, kernel->operations->data, kernel->operations->len);
        n++;
      }
}

HeddleKernelTimes *
heddle_kernel_times_new (const HeddleDerivation *derivation)
{
  HeddleKernelTimes *self = g_new0 (HeddleKernelTimes, 1);
  g_autoptr (GArray) found = NULL, numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  self->longest = g_ptr_array_new_with_free_func (kernel_time_free);
  if (derivation == NULL)
    return self;
  found = collect (derivation, self, numbers);
  g_array_sort (found, compare_times);
  for (guint i = 0; i < MIN (found->len, MOST); i++)
    {
      const Alike *alike = &g_array_index (found, Alike, i);
      HeddleKernelTime *time = kernel_time_new (alike, self->seconds);

      add_operations (time, alike->number, derivation, numbers);
      g_ptr_array_add (self->longest, time);
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
