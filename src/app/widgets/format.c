/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>

#include "app/widgets/format.h"

/* Among words written from right to left a number and its unit are one thing, in that order. */
static const char *
mark (void)
{
  return gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL ? "\342\200\216" : "";
}

static char *
scaled (double value, double step, const char *const *units, guint n)
{
  guint i = 0;

  while (i + 1 < n && value >= step)
    {
      value /= step;
      i++;
    }
  return g_strdup_printf (value >= 100 || (i == 0 && value == (int) value) ? "%s%.0f%s"
                          : value >= 10                                    ? "%s%.1f%s"
                                                                           : "%s%.2f%s",
      mark (), value, units[i]);
}

char *
heddle_format_bytes (double bytes)
{
  static const char *const units[] = { " B", " KiB", " MiB", " GiB", " TiB" };

  return scaled (bytes, 1024, units, G_N_ELEMENTS (units));
}

char *
heddle_format_count (double count)
{
  static const char *const units[] = { "", " k", " M", " G", " T", " P" };

  return scaled (count, 1000, units, G_N_ELEMENTS (units));
}

char *
heddle_format_seconds (double seconds)
{
  static const char *const units[] = { " ns", " µs", " ms", " s" };

  return scaled (seconds * 1e9, 1000, units, G_N_ELEMENTS (units));
}

char *
heddle_format_rate (double bytes_per_s)
{
  static const char *const units[] = { " B/s", " kB/s", " MB/s", " GB/s", " TB/s" };

  return scaled (bytes_per_s, 1000, units, G_N_ELEMENTS (units));
}

char *
heddle_format_memory (double amount, gboolean in_values)
{
  return in_values ? heddle_format_count (amount) : heddle_format_bytes (amount);
}

const char *
heddle_format_place (const char *title)
{
  /* The words among those of data/hardware; the rest are names. */
  static const char *const titles[]
      = { N_ ("Host memory"), N_ ("Network"), N_ ("NVLink bridge"), N_ ("NVLink node"),
          N_ ("Other GPUs’ memory"), N_ ("Registers"), N_ ("Tensor memory"), N_ ("The other GPU’s memory"),
          N_ ("Threadgroup memory"), N_ ("Unified memory"), N_ ("Vector registers") };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (titles[i], title))
      return _ (titles[i]);
  return title;
}

const char *
heddle_format_unit (const char *unit)
{
  static const struct
  {
    const char *unit, *title;
  } rows[] = { { "tensor", N_ ("Tensor") }, { "special", N_ ("Special") }, { "fp32", N_ ("fp32") },
    { "dram", N_ ("GMEM") }, { "l2", N_ ("L2") }, { "smem", N_ ("SMEM") }, { "above", N_ ("Beyond GMEM") },
    { "links", N_ ("Links") } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_strcmp0 (rows[i].unit, unit) == 0)
      return _ (rows[i].title);
  return unit ? unit : "";
}
