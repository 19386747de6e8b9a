/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <math.h>
#include <string.h>

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
heddle_format_number (double value, int digits)
{
  const int magnitude = value != 0 && isfinite (value) ? (int) floor (log10 (fabs (value)) + 1e-12) : 0;
  const int decimals = CLAMP (digits - 1 - magnitude, 0, 12);
  g_autofree char *text = g_strdup_printf ("%.*f", decimals, value);

  for (gsize end = strlen (text); decimals > 0 && end > 0; end--)
    {
      const gboolean zero = text[end - 1] == '0';

      if (!zero && g_ascii_isdigit (text[end - 1]))
        break;
      text[end - 1] = '\0';
      if (!zero)
        break; /* the point, after which nothing is left */
    }
  return g_steal_pointer (&text);
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

char *
heddle_format_limit (const HeddleForecast *forecast)
{
  HeddleTimePart limit = heddle_forecast_limit (forecast);
  double share = forecast->seconds > 0 ? 100 * forecast->parts[limit] / forecast->seconds : 0;

  if (limit == HEDDLE_TIME_IDLE)
    return g_strdup_printf (_ ("%.0f %% of the SMs are busy"), 100 * forecast->efficiency);
  if (limit == HEDDLE_TIME_LAUNCH)
    return g_strdup_printf (_ ("%.0f %% of it is starting kernels"), share);
  if (limit == HEDDLE_TIME_BLOCKS)
    return g_strdup_printf (_ ("%.0f %% of it is starting blocks"), share);
  if (limit == HEDDLE_TIME_MERGING)
    return g_strdup_printf (_ ("%.0f %% of it is merging parts"), share);
  return g_strdup_printf (_ ("%s-bound"), heddle_format_unit (forecast->bound));
}

char *
heddle_fold_case (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL_COMPOSE);

  return g_utf8_casefold (normal != NULL ? normal : text, -1);
}
