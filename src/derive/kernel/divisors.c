/* SPDX-License-Identifier: MIT */
#include "derive/index/saturate.h"
#include "derive/kernel/divisors.h"

/* This file keeps the divisors of tiles and chunks, each with its reason; together they demand their least
 * common multiple. */

static void
divisor_free (gpointer data)
{
  HeddleDivisor *self = data;

  g_free (self->reason);
  g_free (self);
}

GPtrArray *
heddle_divisors_new (void)
{
  return g_ptr_array_new_with_free_func (divisor_free);
}

void
heddle_divisors_add (GPtrArray *self, const char *axis, guint depth, gint64 size, char *reason)
{
  HeddleDivisor *divisor = g_new0 (HeddleDivisor, 1);

  *divisor = (HeddleDivisor){ axis, depth, size, reason };
  g_ptr_array_add (self, divisor);
}

gint64
heddle_common_multiple (gint64 a, gint64 b)
{
  gint64 x = a, y = b;

  while (y != 0)
    {
      gint64 rest = x % y;

      x = y;
      y = rest;
    }
  return heddle_saturating_multiply (a / x, b);
}

gint64
heddle_divisors_get (const GPtrArray *self, const char *axis, guint depth)
{
  gint64 product = 1;

  for (guint i = 0; i < self->len; i++)
    {
      const HeddleDivisor *divisor = g_ptr_array_index (self, i);

      if (divisor->axis == axis && divisor->depth >= depth)
        product = heddle_common_multiple (product, divisor->size);
    }
  return product;
}

char *
heddle_divisors_explain (const GPtrArray *self, const char *axis, guint depth)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->len; i++)
    {
      const HeddleDivisor *divisor = g_ptr_array_index (self, i);

      if (divisor->axis == axis && divisor->depth >= depth && divisor->size > 1)
        g_string_append_printf (
            text, "%s%" G_GINT64_FORMAT ": %s", text->len > 0 ? "; " : "", divisor->size, divisor->reason);
    }
  return g_string_free (text, FALSE);
}

gint64
heddle_kernel_divisor (const HeddleKernel *self, const char *axis)
{
  g_return_val_if_fail (self != NULL && axis != NULL, 1);

  return heddle_divisors_get (self->divisors, axis, 0);
}

char *
heddle_kernel_explain_divisor (const HeddleKernel *self, const char *axis)
{
  g_return_val_if_fail (self != NULL && axis != NULL, NULL);

  return heddle_divisors_explain (self->divisors, axis, 0);
}
