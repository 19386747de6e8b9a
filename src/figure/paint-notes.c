/* SPDX-License-Identifier: MIT */
#include "figure/paint.h"
#include "figure/prose.h"
#include "figure/scene-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_SIZE 13.
#define PAD 8.
#define LEGEND_PAD 10.
#define RULE_DROP 5.
#define TARGET_PAD 7. /* around what a call-out is about */
#define WEDGE 26. /* px, of its foot on the card */
#define CELL 17. /* of an array */
#define MOST_CELLS 64
#define MOST_NOTES 1000
#define BANNER_HEAD 18.
#define ARROW_GAP 3.
#define MOST_SAG 40.

typedef struct
{
  double x1, y1, x2, y2;
  gboolean found;
} Area;

/* --- what a note is about ------------------------------------------------------------------------------ */

static void
cover (Area *area, const HeddleItem *item)
{
  double x, y, width, height;

  heddle_item_get_bounds (item, &x, &y, &width, &height);
  area->x1 = area->found ? MIN (area->x1, x) : x;
  area->y1 = area->found ? MIN (area->y1, y) : y;
  area->x2 = area->found ? MAX (area->x2, x + width) : x + width;
  area->y2 = area->found ? MAX (area->y2, y + height) : y + height;
  area->found = TRUE;
}

/* Of an operation or a block all that is drawn of it but wires; of an axis or a value the first of its names. */
static void
find_targets (const HeddleScene *scene, GHashTable *areas)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      Area *area = item->object != NULL ? g_hash_table_lookup (areas, item->object) : NULL;
      const gboolean name = item->part == HEDDLE_PART_AXIS_LABEL || item->part == HEDDLE_PART_VALUE_LABEL;
      if (area == NULL || item->kind == HEDDLE_ITEM_SHADOW || item->part == HEDDLE_PART_WIRE
          || (name && area->found))
        continue;
      cover (area, item);
    }
}

static GHashTable *
find_areas (const HeddlePainter *self, const HeddlePresentation *presentation)
{
  GHashTable *areas = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < presentation->annotations->len; i++)
    {
      const HeddleAnnotation *note = presentation->annotations->pdata[i];
      if (note->target != NULL)
        g_hash_table_insert (areas, (gpointer) note->target, g_new0 (Area, 1));
    }
  find_targets (self->scene, areas);
  return areas;
}

/* --- cards ----------------------------------------------------------------------------------------------- */

typedef struct
{
  HeddlePainter *painter;
  const HeddleAnnotation *note;
  const Area *target; /* or NULL */
  char *text; /* instead of the note's own, or NULL */
  double x, y, width, height;
} Note;

static const char *
fill_of (const HeddleAnnotation *note)
{
  static const char *const fills[] = {
    [HEDDLE_NOTE_CARD] = "callout",
    [HEDDLE_NOTE_TEXT] = NULL,
    [HEDDLE_NOTE_LEGEND] = "legend",
    [HEDDLE_NOTE_ARRAY] = "index",
    [HEDDLE_NOTE_ARROW] = "index",
    [HEDDLE_NOTE_BANNER] = "broadcast",
  };

  return note->fill != NULL ? note->fill : fills[note->kind];
}

static HeddleProse
prose_of (const Note *self)
{
  return (HeddleProse){ .part = HEDDLE_PART_ANNOTATION,
    .object = self->note->id,
    .size = TEXT_SIZE,
    .width = self->note->width > 2. * PAD + 10. ? self->note->width - 2. * PAD : 0. };
}

static const char *
text_of (const Note *self)
{
  return self->text != NULL ? self->text : self->note->text != NULL ? self->note->text : "";
}

/* A legend that says nothing says what bundles are made of. */
static char *
bundles_text (const HeddlePainter *painter)
{
  const HeddleFigure *figure = painter->layout->figure;
  GString *text = g_string_new (NULL);

  for (guint i = 0; figure->presentation != NULL && i < figure->presentation->bundles->len; i++)
    {
      const HeddleBundle *bundle = figure->presentation->bundles->pdata[i];
      g_string_append_printf (text, "%s$%s =", i > 0 ? "\n" : "", bundle->name);
      for (guint j = 0; j < bundle->axes->len; j++)
        {
          const HeddleAxis *axis
              = heddle_diagram_get_axis (figure->diagram, heddle_ids_index (bundle->axes, j));
          g_string_append_printf (text, "%s %s", j > 0 ? " \\times" : "", axis != NULL ? axis->name : "?");
        }
      g_string_append_c (text, '$');
    }
  return g_string_free (text, FALSE);
}

static void
measure_text (Note *self)
{
  const HeddleProse prose = prose_of (self);
  HeddlePainter ruler = *self->painter;

  ruler.scene = NULL;
  heddle_prose_set (&ruler, &prose, text_of (self), 0., 0., &self->width, &self->height);
}

static void
measure_card (Note *self)
{
  const gboolean bare = self->note->kind == HEDDLE_NOTE_TEXT;
  const double pad = bare ? 0. : PAD;

  measure_text (self);
  self->width = MAX (self->width + 2. * pad, self->note->width);
  self->height = MAX (self->height + 2. * pad - 2., self->note->height);
}

static void
paint_card (Note *self)
{
  const gboolean bare = self->note->kind == HEDDLE_NOTE_TEXT;
  const double pad = bare ? 0. : PAD;
  HeddleProse prose = prose_of (self);
  HeddleColor on;

  if (!bare || self->note->fill != NULL)
    {
      heddle_paint_card (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, fill_of (self->note), self->x,
          self->y, self->width, self->height);
      on = heddle_theme_on_fill (self->painter->theme, fill_of (self->note));
      prose.color = &on;
    }
  heddle_prose_set (self->painter, &prose, text_of (self), self->x + pad, self->y + pad - 1., NULL, NULL);
}

static HeddleProse
legend_title (const Note *self)
{
  HeddleProse prose = prose_of (self);

  prose.size = TEXT_SIZE + 1.;
  prose.width = self->width - 2. * LEGEND_PAD;
  prose.align = 0.5;
  return prose;
}

static const char *
title_of (const Note *self)
{
  return self->note->title != NULL ? self->note->title : "Legend";
}

static double
legend_head (void)
{
  return (TEXT_SIZE + 1.) * HEDDLE_PROSE_LEADING + RULE_DROP + 3.;
}

static void
measure_legend (Note *self)
{
  const HeddleProse prose = { .size = TEXT_SIZE + 1. };
  HeddlePainter ruler = *self->painter;
  double title;

  ruler.scene = NULL;
  measure_text (self);
  heddle_prose_set (&ruler, &prose, title_of (self), 0., 0., &title, NULL);
  self->width = MAX (MAX (self->width, title) + 2. * LEGEND_PAD, self->note->width);
  self->height = MAX (self->height + legend_head () + 2. * LEGEND_PAD - 6., self->note->height);
}

static void
paint_legend (Note *self)
{
  const HeddleProse prose = prose_of (self), title = legend_title (self);
  const HeddleStroke rule = { .color = self->painter->ink, .width = 1. };
  const double x = self->x + LEGEND_PAD, y = self->y + LEGEND_PAD - 3.;

  heddle_paint_card (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, fill_of (self->note), self->x,
      self->y, self->width, self->height);
  heddle_prose_set (self->painter, &title, title_of (self), x, y, NULL, NULL);
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, &rule, NULL);
  heddle_item_move_to (item, x, y + legend_head () - 3.);
  heddle_item_line_to (item, self->x + self->width - LEGEND_PAD, y + legend_head () - 3.);
  heddle_prose_set (self->painter, &prose, text_of (self), x, y + legend_head () + 2., NULL, NULL);
}

/* --- arrays, cell by cell ---------------------------------------------------------------------------------- */

typedef struct
{
  guint rows, columns;
  char **lines;
} Cells;

static void
read_cells (const Note *self, Cells *cells)
{
  cells->rows = cells->columns = 1;
  cells->lines = g_strsplit (text_of (self), "\n", -1);
  if (cells->lines[0] != NULL)
    sscanf (cells->lines[0], "%u %u", &cells->rows, &cells->columns);
  cells->rows = CLAMP (cells->rows, 1, MOST_CELLS);
  cells->columns = CLAMP (cells->columns, 1, MOST_CELLS);
}

static gboolean
is_marked (const Cells *cells, guint row, guint column)
{
  for (guint i = 1; cells->lines[0] != NULL && cells->lines[i] != NULL; i++)
    {
      guint a = 0, b = 0;
      if ((sscanf (cells->lines[i], "row %u", &a) == 1 && a == row)
          || (sscanf (cells->lines[i], "column %u", &a) == 1 && a == column)
          || (sscanf (cells->lines[i], "cell %u %u", &a, &b) == 2 && a == row && b == column))
        return TRUE;
    }
  return FALSE;
}

static void
measure_array (Note *self)
{
  Cells cells;

  read_cells (self, &cells);
  self->width = cells.columns * CELL;
  self->height = cells.rows * CELL;
  g_strfreev (cells.lines);
}

/* The colour of a side's bar: "rows broadcast" or "columns #8C14FC" in a line of its own; else the ink. */
static HeddleColor
side_color (const Note *self, const Cells *cells, gboolean across)
{
  const char *prefix = across ? "columns " : "rows ";

  for (guint i = 1; cells->lines[0] != NULL && cells->lines[i] != NULL; i++)
    if (g_str_has_prefix (cells->lines[i], prefix))
      return heddle_theme_fill (self->painter->theme, cells->lines[i] + strlen (prefix));
  return self->painter->ink;
}

/* How long a side is, and the bar that says along which. */
static void
paint_side (Note *self, const Cells *cells, gboolean across)
{
  const guint n = across ? cells->columns : cells->rows;
  const HeddleStroke thick = { .color = side_color (self, cells, across), .width = 3. };
  g_autofree char *text = g_strdup_printf ("%u", n);
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, &thick, NULL);

  heddle_item_move_to (item, self->x, self->y);
  heddle_item_line_to (
      item, across ? self->x + self->width : self->x, across ? self->y : self->y + self->height);
  heddle_item_move_to (
      item, across ? self->x + self->width : self->x - 6., across ? self->y - 6. : self->y + self->height);
  heddle_item_line_to (
      item, across ? self->x + self->width : self->x + 6., across ? self->y + 6. : self->y + self->height);
  heddle_paint_label (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, text, HEDDLE_FONT_MATH, 15.,
      &thick.color, across ? self->x + self->width / 2. : self->x - 5.,
      across ? self->y - 5. : self->y + self->height / 2. + 5., across ? 0.5 : 1.);
}

static void
paint_array (Note *self)
{
  const HeddleColor marked = heddle_theme_fill (self->painter->theme, fill_of (self->note));
  const HeddleColor empty = heddle_theme_fill (self->painter->theme, "loop");
  const HeddleStroke line = { .color = self->painter->ink, .width = 1. };
  Cells cells;

  read_cells (self, &cells);
  for (guint row = 0; row < cells.rows; row++)
    for (guint column = 0; column < cells.columns; column++)
      heddle_item_rectangle (heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, &line,
                                 is_marked (&cells, row, column) ? &marked : &empty),
          self->x + column * CELL, self->y + row * CELL, CELL, CELL, 0.);
  paint_side (self, &cells, TRUE);
  if (cells.rows > 1)
    paint_side (self, &cells, FALSE);
  g_strfreev (cells.lines);
}

/* --- arrows ---------------------------------------------------------------------------------------------- */

static void
measure_arrow (Note *self)
{
  self->width = self->note->width != 0. ? self->note->width : 60.;
  self->height = self->note->height;
}

/* Two lines that hang between the ends, and its text under the middle. */
static void
paint_arrow (Note *self)
{
  const HeddleStroke stroke
      = { .color = heddle_theme_fill (self->painter->theme, fill_of (self->note)), .width = 1.6 };
  const double sag = MIN (0.3 * fabs (self->width), MOST_SAG), x = self->x, y = self->y,
               end = x + self->width, foot = y + self->height;
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, &stroke, NULL);

  for (int side = 0; side < 2; side++)
    {
      const double off = side * ARROW_GAP;
      heddle_item_move_to (item, x, y + off);
      heddle_item_curve_to (item, x + self->width * 0.25, y + sag + off, end - self->width * 0.25,
          foot + sag + off, end, foot + off);
    }
  heddle_item_move_to (item, end - 4., foot + 10.);
  heddle_item_line_to (item, end + 2., foot - 1.);
  heddle_item_line_to (item, end - 9., foot + 2.);
  if (*text_of (self) != '\0')
    heddle_paint_label (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, text_of (self),
        HEDDLE_FONT_MATH, 18., &stroke.color, x + self->width / 2., (y + foot) / 2. + 0.75 * sag + 22., 0.5);
}

static void
measure_banner (Note *self)
{
  measure_text (self);
  self->width = MAX (self->width + 2. * PAD + BANNER_HEAD, self->note->width);
  self->height = self->height + 6.;
}

static void
paint_banner (Note *self)
{
  const HeddleColor fill = heddle_theme_fill (self->painter->theme, fill_of (self->note));
  const HeddleColor on = heddle_theme_on_fill (self->painter->theme, fill_of (self->note));
  const double x = self->x, y = self->y, neck = x + self->width - BANNER_HEAD, low = y + self->height;
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, NULL, &fill);
  HeddleProse prose = prose_of (self);

  prose.color = &on;
  heddle_item_move_to (item, x, y);
  heddle_item_line_to (item, neck, y);
  heddle_item_line_to (item, neck, y - 8.);
  heddle_item_line_to (item, x + self->width, (y + low) / 2.);
  heddle_item_line_to (item, neck, low + 8.);
  heddle_item_line_to (item, neck, low);
  heddle_item_line_to (item, x, low);
  heddle_item_close (item);
  heddle_prose_set (self->painter, &prose, text_of (self), x + PAD, y + 2., NULL, NULL);
}

static const struct
{
  void (*measure) (Note *self);
  void (*paint) (Note *self);
} drawers[] = {
  [HEDDLE_NOTE_CARD] = { measure_card, paint_card },
  [HEDDLE_NOTE_TEXT] = { measure_card, paint_card },
  [HEDDLE_NOTE_LEGEND] = { measure_legend, paint_legend },
  [HEDDLE_NOTE_ARRAY] = { measure_array, paint_array },
  [HEDDLE_NOTE_ARROW] = { measure_arrow, paint_arrow },
  [HEDDLE_NOTE_BANNER] = { measure_banner, paint_banner },
};

/* --- call-outs ----------------------------------------------------------------------------------------------- */

/* The foot of the wedge: on the side of the card that faces the target. */
static void
wedge_foot (const Note *self, double x, double y, double foot[4])
{
  const double left = self->x, right = left + self->width, top = self->y, bottom = top + self->height;
  const gboolean upright = y < top || y > bottom;
  const double half = MIN (WEDGE, upright ? self->width : self->height) / 2.;

  if (upright)
    {
      const double middle = CLAMP (x, left + half, right - half), edge = y < top ? top : bottom;
      foot[0] = middle - half;
      foot[2] = middle + half;
      foot[1] = foot[3] = edge;
      return;
    }
  const double middle = CLAMP (y, top + half, bottom - half), edge = x < left ? left : right;
  foot[0] = foot[2] = edge;
  foot[1] = middle - half;
  foot[3] = middle + half;
}

/* The ground of the target, and the wedge that leads to it: below the diagram itself. */
static void
paint_wedge (Note *self)
{
  const HeddleColor fill = heddle_theme_fill (self->painter->theme, fill_of (self->note));
  const Area *at = self->target;
  const double x = (at->x1 + at->x2) / 2., y = (at->y1 + at->y2) / 2.;
  double foot[4];

  if (x >= self->x && x <= self->x + self->width && y >= self->y && y <= self->y + self->height)
    return;
  wedge_foot (self, x, y, foot);
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, NULL, &fill);
  heddle_item_rectangle (item, at->x1 - TARGET_PAD, at->y1 - TARGET_PAD, at->x2 - at->x1 + 2. * TARGET_PAD,
      at->y2 - at->y1 + 2. * TARGET_PAD, 0.);
  item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, NULL, &fill);
  heddle_item_move_to (item, foot[0], foot[1]);
  if (foot[1] == foot[3]) /* from above or below: as wide as it stands, at most as the target is */
    {
      const double half = MIN (WEDGE / 2., (at->x2 - at->x1) / 2. + TARGET_PAD);
      const double edge = foot[1] < y ? at->y1 - TARGET_PAD : at->y2 + TARGET_PAD;
      const double near
          = CLAMP ((foot[0] + foot[2]) / 2., at->x1 - TARGET_PAD + half, at->x2 + TARGET_PAD - half);
      heddle_item_line_to (item, near - half, edge);
      heddle_item_line_to (item, near + half, edge);
    }
  else
    {
      const double half = MIN (WEDGE / 2., (at->y2 - at->y1) / 2. + TARGET_PAD);
      const double edge = foot[0] < x ? at->x1 - TARGET_PAD : at->x2 + TARGET_PAD;
      const double near
          = CLAMP ((foot[1] + foot[3]) / 2., at->y1 - TARGET_PAD + half, at->y2 + TARGET_PAD - half);
      heddle_item_line_to (item, edge, near - half);
      heddle_item_line_to (item, edge, near + half);
    }
  heddle_item_line_to (item, foot[2], foot[3]);
  heddle_item_close (item);
}

static void
paint_note (HeddlePainter *self, const HeddleAnnotation *note, GHashTable *areas, guint ground)
{
  const Area *target = note->target != NULL ? g_hash_table_lookup (areas, note->target) : NULL;
  Note state = { .painter = self, .note = note, .target = target != NULL && target->found ? target : NULL };

  if (note->kind == HEDDLE_NOTE_LEGEND && *text_of (&state) == '\0')
    state.text = bundles_text (self);
  drawers[note->kind].measure (&state);
  state.x = note->x;
  state.y = note->y;
  if (state.target != NULL)
    {
      state.x += (target->x1 + target->x2) / 2.;
      state.y += (target->y1 + target->y2) / 2.;
    }
  if (state.target != NULL && note->kind == HEDDLE_NOTE_CARD)
    {
      const guint from = heddle_scene_get_n_items (self->scene);
      paint_wedge (&state);
      heddle_scene_lower (self->scene, from, ground);
    }
  drawers[note->kind].paint (&state);
  g_free (state.text);
}

/* Wedges go to item number @ground, over the backdrops. */
void
heddle_paint_notes (HeddlePainter *self, const HeddlePresentation *presentation, guint ground)
{
  g_autoptr (GHashTable) areas = find_areas (self, presentation);

  for (guint i = 0; i < MIN (presentation->annotations->len, MOST_NOTES); i++)
    paint_note (self, presentation->annotations->pdata[i], areas, ground);
}
