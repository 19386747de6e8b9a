/* SPDX-License-Identifier: MIT */
#include "figure/scene/draw.h"
#include "figure/scene/lettering.h"
#include "figure/scene/scene.h"

/* Runs kept: a layout is a few kilobytes. */
#define MOST_RUNS 1024

typedef struct
{
  HeddleFont font;
  double size;
  char *text;
} Run;

struct HeddleLettering
{
  PangoContext *context; /* of no scale: what is drawn is scaled as it is drawn */
  GHashTable *runs; /* Run -> PangoLayout */
};

static guint
run_hash (gconstpointer data)
{
  const Run *self = data;

  return g_str_hash (self->text) * 31 + self->font + g_double_hash (&self->size);
}

static gboolean
run_equal (gconstpointer a, gconstpointer b)
{
  const Run *one = a, *other = b;

  return one->font == other->font && one->size == other->size && g_str_equal (one->text, other->text);
}

static void
run_free (gpointer data)
{
  Run *self = data;

  g_free (self->text);
  g_free (self);
}

/**
 * heddle_lettering_new:
 *
 * Returns: (transfer full): one with no runs yet
 */
HeddleLettering *
heddle_lettering_new (void)
{
  HeddleLettering *self = g_new (HeddleLettering, 1);
  g_autoptr (PangoLayout) first = NULL;

  self->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  first = pango_layout_new (self->context);
  heddle_layout_unhint (first); /* the context, and so all that follow */
  self->runs = g_hash_table_new_full (run_hash, run_equal, run_free, g_object_unref);
  return self;
}

/**
 * heddle_lettering_free:
 * @self: (transfer full): a lettering
 *
 * Forgets all runs.
 */
void
heddle_lettering_free (HeddleLettering *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->runs);
  g_object_unref (self->context);
  g_free (self);
}

static PangoLayout *
new_layout (HeddleLettering *self, const HeddleItem *item)
{
  PangoLayout *layout = pango_layout_new (self->context);

  heddle_layout_set_run (layout, item->font, item->size, item->text);
  return layout;
}

/**
 * heddle_lettering_get:
 * @self: a lettering
 * @item: a text
 *
 * Returns: (transfer none): its run, shaped
 */
PangoLayout *
heddle_lettering_get (HeddleLettering *self, const HeddleItem *item)
{
  Run *run = NULL;
  PangoLayout *layout = NULL;

  g_return_val_if_fail (self != NULL && item != NULL && item->kind == HEDDLE_ITEM_TEXT, NULL);

  layout = g_hash_table_lookup (self->runs, &(Run){ item->font, item->size, item->text });
  if (layout != NULL)
    return layout;
  if (g_hash_table_size (self->runs) >= MOST_RUNS)
    g_hash_table_remove_all (self->runs);
  run = g_new (Run, 1);
  *run = (Run){ item->font, item->size, g_strdup (item->text) };
  layout = new_layout (self, item);
  g_hash_table_insert (self->runs, run, layout);
  return layout;
}

/**
 * heddle_lettering_get_n_runs:
 * @self: a lettering
 *
 * Returns: how many runs are kept
 */
guint
heddle_lettering_get_n_runs (const HeddleLettering *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return g_hash_table_size (self->runs);
}
