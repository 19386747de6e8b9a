/* SPDX-License-Identifier: MIT */
#include "figure/page/legend-sample.h"
#include "figure/page/legend.h"
#include "figure/scene/measure.h"
#include "figure/scene/theme.h"

#include <string.h>

#define ROW HEDDLE_SAMPLE_HEIGHT
#define WORDS_SIZE 13.
#define WORDS_BESIDE 10. /* px between a sign and its words */
#define COLUMN_GAP 28.

/* --- which signs --- */

/* Returns the level whose line @item is; HEDDLE_MEANING_NONE: it is none's. */
static HeddleMeaning
level_of (const HeddleItem *item, HeddleTheme theme)
{
  HeddleColor color;
  double width, dash[8];
  guint n_dashes;

  for (HeddleMeaning meaning = HEDDLE_MEANING_GMEM; meaning <= HEDDLE_MEANING_TENSOR; meaning++)
    if (heddle_level_style (heddle_meaning_level (meaning), theme, &color, &width, dash, &n_dashes)
        && item->line_width == width && item->n_dashes == n_dashes
        && memcmp (&color, &item->stroke_color, sizeof color) == 0)
      return meaning;
  return HEDDLE_MEANING_NONE;
}

/* Finds what is drawn. Lines have the looks of levels only where kernels are shown; elsewhere those of global memory are plain ink. */
static void
find_meanings (const HeddleScene *scene, HeddleTheme theme, gboolean found[HEDDLE_N_MEANINGS])
{
  memset (found, 0, HEDDLE_N_MEANINGS * sizeof *found);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    found[heddle_scene_get_item (scene, i)->meaning] = TRUE;
  for (guint i = 0; found[HEDDLE_MEANING_KERNEL] && i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);

      if (item->part == HEDDLE_PART_WIRE && item->stroke)
        found[level_of (item, theme)] = TRUE;
    }
  found[HEDDLE_MEANING_NONE] = FALSE;
}

gboolean
heddle_legend_has (const HeddleScene *scene, HeddleTheme theme, HeddleMeaning meaning)
{
  gboolean found[HEDDLE_N_MEANINGS];

  g_return_val_if_fail (scene != NULL && meaning < HEDDLE_N_MEANINGS, FALSE);

  find_meanings (scene, theme, found);
  return found[meaning];
}

/* --- how they stand --- */

/* Adds @words with the baseline @y, in one run: their language may go from right to left. */
static void
add_words (HeddlePainter *self, const char *words, double x, double y)
{
  const HeddleRunMeasure measure = heddle_measure_run (HEDDLE_FONT_SANS, WORDS_SIZE, words);
  HeddleItem *item = heddle_scene_add (self->scene, HEDDLE_ITEM_TEXT, HEDDLE_PART_ANNOTATION, NULL);

  item->text = g_strdup (words);
  item->font = HEDDLE_FONT_SANS;
  item->size = WORDS_SIZE;
  item->x = x;
  item->y = y;
  item->width = measure.width;
  item->height = WORDS_SIZE * 1.2;
  item->fill = TRUE;
  item->fill_color = self->ink;
}

/* Paints a sign with its words; (@x, @y) is the left end and the middle of its row. */
static void
paint_row (HeddlePainter *self, HeddleMeaning meaning, double x, double y)
{
  HeddlePainter sample = heddle_painter_for (self->theme);

  heddle_paint_sample (&sample, meaning);
  heddle_scene_take (self->scene, sample.scene, x + HEDDLE_SAMPLE_WIDTH / 2., y);
  heddle_scene_unref (sample.scene);
  add_words (
      self, heddle_meaning_sentence (meaning), x + HEDDLE_SAMPLE_WIDTH + WORDS_BESIDE, y + WORDS_SIZE / 3.);
}

HeddleScene *
heddle_legend_render (const HeddleScene *scene, HeddleTheme theme, double width)
{
  g_return_val_if_fail (scene != NULL, NULL);

  HeddlePainter painter = heddle_painter_for (theme);
  HeddleMeaning shown[HEDDLE_N_MEANINGS];
  gboolean found[HEDDLE_N_MEANINGS];
  double widest = 0.;
  guint n = 0;

  find_meanings (scene, theme, found);
  for (HeddleMeaning meaning = HEDDLE_MEANING_NONE + 1; meaning < HEDDLE_N_MEANINGS; meaning++)
    if (found[meaning])
      {
        widest = MAX (widest,
            heddle_measure_run (HEDDLE_FONT_SANS, WORDS_SIZE, heddle_meaning_sentence (meaning)).width);
        shown[n++] = meaning;
      }
  const double column = HEDDLE_SAMPLE_WIDTH + WORDS_BESIDE + widest + COLUMN_GAP;
  const guint n_columns = CLAMP ((int) ((width + COLUMN_GAP) / column), 1, MAX ((int) n, 1));
  const guint n_rows = (n + n_columns - 1) / n_columns;
  for (guint i = 0; i < n; i++)
    paint_row (&painter, shown[i], i / n_rows * column, (i % n_rows + 0.5) * ROW);
  return painter.scene;
}
