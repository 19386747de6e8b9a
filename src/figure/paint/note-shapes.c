/* SPDX-License-Identifier: MIT */
#include "figure/paint/note-cards.h"
#include "figure/paint/notes.h"
#include "figure/paint/paint.h"
#include "figure/paint/prose.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/prose-pieces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELL 17. /* of an array */
#define MOST_CELLS 64
#define BANNER_HEAD 18.
#define ARROW_GAP 3.
#define SAG 0.17 /* of its width: how far down the arrow goes, at most */
#define MOST_SAG 40.

/* --- arrays, cell by cell ---------------------------------------------------------------------------------- */

typedef struct
{
  guint rows, columns;
  char **lines;
} Cells;

static void
read_cells (const HeddleNote *self, Cells *cells)
{
  cells->rows = cells->columns = 1;
  cells->lines = g_strsplit (heddle_note_text (self), "\n", -1);
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
measure_array (HeddleNote *self)
{
  Cells cells;

  read_cells (self, &cells);
  self->width = cells.columns * CELL;
  self->height = cells.rows * CELL;
  g_strfreev (cells.lines);
}

/* Returns the colour of a side's bar: "rows broadcast" or "columns #8C14FC" in a line of its own; else the
 * ink. */
static HeddleColor
side_color (const HeddleNote *self, const Cells *cells, gboolean across)
{
  const char *prefix = across ? "columns " : "rows ";

  for (guint i = 1; cells->lines[0] != NULL && cells->lines[i] != NULL; i++)
    if (g_str_has_prefix (cells->lines[i], prefix))
      return heddle_theme_fill (self->painter->theme, cells->lines[i] + strlen (prefix));
  return self->painter->ink;
}

/* Paints a side: how long it is, and the bar that says along which. */
static void
paint_side (HeddleNote *self, const Cells *cells, gboolean across)
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

/* Paints "arrow 2": along that row, in the colour of what is marked. */
static void
paint_row_arrow (const HeddleNote *self, const Cells *cells, guint row, const HeddleColor *color)
{
  const double middle = self->y + (row + 0.5) * CELL, end = self->x + self->width, neck = end - 0.7 * CELL;
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, NULL, color);

  heddle_item_move_to (item, self->x + 1., middle - 0.36 * CELL);
  heddle_item_line_to (item, neck, middle - 0.36 * CELL);
  heddle_item_line_to (item, neck, middle - 0.58 * CELL);
  heddle_item_line_to (item, end, middle);
  heddle_item_line_to (item, neck, middle + 0.58 * CELL);
  heddle_item_line_to (item, neck, middle + 0.36 * CELL);
  heddle_item_line_to (item, self->x + 1., middle + 0.36 * CELL);
  heddle_item_close (item);
}

/* Paints "beside 4 1 broadcast": a side of four rows, of which the array is the second. */
static void
paint_beside (const HeddleNote *self, guint n, guint at, const char *class)
{
  const HeddleStroke thick = { .color = heddle_theme_fill (self->painter->theme, class), .width = 3. };
  const double top = self->y - at * CELL, bottom = top + n * CELL, x = self->x - 3.;
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, &thick, NULL);

  heddle_item_move_to (item, x - 6., top);
  heddle_item_line_to (item, x + 6., top);
  heddle_item_move_to (item, x, top);
  heddle_item_line_to (item, x, bottom);
  heddle_item_move_to (item, x - 6., bottom);
  heddle_item_line_to (item, x + 6., bottom);
}

static void
paint_array_marks (const HeddleNote *self, const Cells *cells, const HeddleColor *marked)
{
  for (guint i = 1; cells->lines[0] != NULL && cells->lines[i] != NULL; i++)
    {
      guint n = 0, at = 0;
      char class[32] = "";
      if (sscanf (cells->lines[i], "arrow %u", &at) == 1 && at < cells->rows)
        paint_row_arrow (self, cells, at, marked);
      else if (sscanf (cells->lines[i], "beside %u %u %31s", &n, &at, class) == 3 && n <= MOST_CELLS
               && at < n)
        paint_beside (self, n, at, class);
    }
}

static void
paint_array (HeddleNote *self)
{
  const HeddleColor marked = heddle_theme_fill (self->painter->theme, heddle_note_fill (self->note));
  const HeddleColor empty = heddle_theme_fill (self->painter->theme, "loop");
  const HeddleStroke line = { .color = self->painter->ink, .width = 1. };
  Cells cells;

  read_cells (self, &cells);
  for (guint row = 0; row < cells.rows; row++)
    for (guint column = 0; column < cells.columns; column++)
      heddle_item_rectangle (heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, &line,
                                 is_marked (&cells, row, column) ? &marked : &empty),
          self->x + column * CELL, self->y + row * CELL, CELL, CELL, 0.);
  paint_array_marks (self, &cells, &marked);
  paint_side (self, &cells, TRUE);
  if (cells.rows > 1)
    paint_side (self, &cells, FALSE);
  g_strfreev (cells.lines);
}

/* --- arrows ---------------------------------------------------------------------------------------------- */

static void
measure_arrow (HeddleNote *self)
{
  self->width = self->note->width != 0. ? self->note->width : 60.;
  self->height = self->note->height;
}

/* Two lines that hang between the ends, and its text under the middle. */
static void
paint_arrow (HeddleNote *self)
{
  const HeddleStroke stroke
      = { .color = heddle_theme_fill (self->painter->theme, heddle_note_fill (self->note)), .width = 1.6 };
  const double sag = MIN (SAG * fabs (self->width), MOST_SAG), x = self->x, y = self->y,
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
  if (*heddle_note_text (self) != '\0')
    heddle_paint_label (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, heddle_note_text (self),
        HEDDLE_FONT_MATH, 18., &stroke.color, x + self->width / 2., (y + foot) / 2. + 0.75 * sag + 22., 0.5);
}

static void
measure_banner (HeddleNote *self)
{
  heddle_note_measure_text (self);
  self->width = MAX (self->width + 2. * HEDDLE_NOTE_PAD + BANNER_HEAD, self->note->width);
  self->height = self->height + 6.;
}

static void
paint_banner (HeddleNote *self)
{
  const HeddleColor fill = heddle_theme_fill (self->painter->theme, heddle_note_fill (self->note));
  const HeddleColor on = heddle_theme_on_fill (self->painter->theme, heddle_note_fill (self->note));
  const double x = self->x, y = self->y, neck = x + self->width - BANNER_HEAD, low = y + self->height;
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, NULL, &fill);
  HeddleProse prose = heddle_note_prose (self);

  prose.color = &on;
  heddle_item_move_to (item, x, y);
  heddle_item_line_to (item, neck, y);
  heddle_item_line_to (item, neck, y - 8.);
  heddle_item_line_to (item, x + self->width, (y + low) / 2.);
  heddle_item_line_to (item, neck, low + 8.);
  heddle_item_line_to (item, neck, low);
  heddle_item_line_to (item, x, low);
  heddle_item_close (item);
  heddle_prose_set (self->painter, &prose, heddle_note_text (self), x + HEDDLE_NOTE_PAD, y + 2., NULL, NULL);
}

const HeddleNoteDrawer heddle_note_array = { measure_array, paint_array };
const HeddleNoteDrawer heddle_note_arrow = { measure_arrow, paint_arrow };
const HeddleNoteDrawer heddle_note_banner = { measure_banner, paint_banner };
