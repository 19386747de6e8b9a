/* SPDX-License-Identifier: MIT */
#include "figure/scene/draw.h"
#include "figure/scene/measure.h"

#include <math.h>

/* Measures repeat (an axis is labelled at every column), and each costs Pango some ten microseconds. */
#define MOST_MEASURES 16384

/* A measured run is a piece of text, and what it measures. */
typedef struct
{
  HeddleFont font;
  int size; /* px / 64 */
  const char *text;
  HeddleRunMeasure measure;
} Measured;

typedef struct
{
  PangoLayout *layout;
  GHashTable *measures; /* set of Measured, by their runs */
} Ruler;

static guint
run_hash (gconstpointer data)
{
  const Measured *run = data;

  return (g_str_hash (run->text) * 31 + (guint) run->size) * 31 + run->font;
}

static gboolean
run_equal (gconstpointer a, gconstpointer b)
{
  const Measured *one = a, *other = b;

  return one->size == other->size && one->font == other->font && g_str_equal (one->text, other->text);
}

static void
measured_free (gpointer data)
{
  Measured *self = data;

  g_free ((char *) self->text);
  g_free (self);
}

static void
ruler_free (gpointer data)
{
  Ruler *ruler = data;

  g_object_unref (ruler->layout);
  g_hash_table_unref (ruler->measures);
  g_free (ruler);
}

static GPrivate ruler_key = G_PRIVATE_INIT (ruler_free);

static Ruler *
get_ruler (void)
{
  Ruler *ruler = g_private_get (&ruler_key);

  if (ruler == NULL)
    {
      PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
      ruler = g_new0 (Ruler, 1);
      ruler->layout = pango_layout_new (context);
      g_object_unref (context);
      heddle_layout_unhint (ruler->layout);
      ruler->measures = g_hash_table_new_full (run_hash, run_equal, measured_free, NULL);
      g_private_set (&ruler_key, ruler);
    }
  return ruler;
}

static HeddleRunMeasure
measure_with_pango (Ruler *ruler, HeddleFont font, double size, const char *text)
{
  PangoRectangle ink, logical;

  heddle_layout_set_run (ruler->layout, font, size, text);
  pango_layout_get_extents (ruler->layout, &ink, &logical);
  const double baseline = (double) pango_layout_get_baseline (ruler->layout) / PANGO_SCALE;
  return (HeddleRunMeasure){
    .width = (double) logical.width / PANGO_SCALE,
    .ascent = baseline - (double) ink.y / PANGO_SCALE,
    .descent = (double) (ink.y + ink.height) / PANGO_SCALE - baseline,
  };
}

/* Measures a run in px: the advance, and how far the ink reaches above and below the baseline. */
HeddleRunMeasure
heddle_measure_run (HeddleFont font, double size, const char *text)
{
  Ruler *ruler = get_ruler ();
  Measured run = { font, (int) lround (size * 64.), text, { 0 } };
  const Measured *known = g_hash_table_lookup (ruler->measures, &run);

  if (known != NULL)
    return known->measure;
  run.measure = measure_with_pango (ruler, font, size, text);
  if (g_hash_table_size (ruler->measures) >= MOST_MEASURES)
    g_hash_table_remove_all (ruler->measures);
  run.text = g_strdup (text);
  g_hash_table_add (ruler->measures, g_memdup2 (&run, sizeof run));
  return run.measure;
}
