/* SPDX-License-Identifier: MIT */
#include "derive/index/saturate.h"
#include "derive/kernel/search-tiles.h"

/* The tiles worth trying. */

gint64
heddle_size_at (const GArray *sizes, guint i)
{
  return g_array_index (sizes, gint64, i);
}

static gint64
round_up (gint64 size, gint64 divisor)
{
  gint64 times = size / divisor + (size % divisor != 0);

  return heddle_saturating_multiply (times, divisor);
}

static void
append_size (GArray *sizes, gint64 size)
{
  if (sizes->len == 0 || heddle_size_at (sizes, sizes->len - 1) < size)
    g_array_append_val (sizes, size);
}

/* Returns the least tile of each number of groups, from the least up. */
GArray *
heddle_sizes_of_classes (gint64 n, gint64 divisor)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 size = 1; size <= n;)
    {
      gint64 groups = n / size + (n % size != 0);
      gint64 next = groups > 1 ? (n + groups - 2) / (groups - 1) : n + 1;

      append_size (sizes, round_up (n / groups + (n % groups != 0), divisor));
      size = MAX (next, size + 1);
    }
  return sizes;
}

/* The longest axis of which every multiple of @divisor is tried; of longer ones the least of each number of
 * groups is. */
#define MOST_SIZES 4096

GArray *
heddle_sizes_of_all (gint64 n, gint64 divisor)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (n / divisor > MOST_SIZES)
    {
      g_array_unref (sizes);
      return heddle_sizes_of_classes (n, divisor);
    }
  for (gint64 size = divisor; size - divisor < n; size += divisor)
    append_size (sizes, size);
  return sizes;
}

gboolean
heddle_sizes_are_all (gint64 n, gint64 divisor)
{
  return n / divisor <= MOST_SIZES;
}

GArray *
heddle_sizes_of_powers (gint64 n, gint64 divisor, gint64 least, gint64 most)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 size = round_up (MIN (least, n), divisor);

  for (; size < n && size <= most; size = heddle_saturating_multiply (size, 2))
    append_size (sizes, size);
  if (n <= most || sizes->len == 0)
    append_size (sizes, round_up (MIN (n, MAX (most, size)), divisor));
  return sizes;
}

GArray *
heddle_one_size (gint64 size)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_array_append_val (sizes, size);
  return sizes;
}
