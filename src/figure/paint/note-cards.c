/* SPDX-License-Identifier: MIT */
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/paint/note-cards.h"
#include "figure/paint/paint.h"
#include "figure/paint/prose.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#define LEAST_SIZE 4.
#define MOST_SIZE 200.
#define LEGEND_PAD 10.
#define RULE_DROP 5.

/* --- what every note has ----------------------------------------------------------------------------------- */

const char *
heddle_note_fill (const HeddleAnnotation *note)
{
  static const char *const fills[] = {
    [HEDDLE_NOTE_CARD] = "callout",
    [HEDDLE_NOTE_TEXT] = NULL,
    [HEDDLE_NOTE_LEGEND] = "legend",
    [HEDDLE_NOTE_ARRAY] = "index",
    [HEDDLE_NOTE_ARROW] = "index",
    [HEDDLE_NOTE_BANNER] = "broadcast",
    [HEDDLE_NOTE_LISTING] = NULL,
  };

  return note->fill != NULL ? note->fill : fills[note->kind];
}

/* Returns the size in px of a note's letters: its own within limits, else HEDDLE_NOTE_SIZE. */
static double
note_size (const HeddleAnnotation *note)
{
  return note->size > 0. ? CLAMP (note->size, LEAST_SIZE, MOST_SIZE) : HEDDLE_NOTE_SIZE;
}

HeddleProse
heddle_note_prose (const HeddleNote *self)
{
  return (HeddleProse){ .part = HEDDLE_PART_ANNOTATION,
    .object = self->note->id,
    .size = note_size (self->note),
    .listing = self->note->kind == HEDDLE_NOTE_LISTING,
    .width = self->note->width > 2. * HEDDLE_NOTE_PAD + 10. ? self->note->width - 2. * HEDDLE_NOTE_PAD : 0. };
}

const char *
heddle_note_text (const HeddleNote *self)
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

void
heddle_note_measure_text (HeddleNote *self)
{
  const HeddleProse prose = heddle_note_prose (self);
  HeddlePainter ruler = *self->painter;

  ruler.scene = NULL;
  heddle_prose_set (&ruler, &prose, heddle_note_text (self), 0., 0., &self->width, &self->height);
}

/* On nothing, unless it is given a fill. */
static gboolean
is_bare (const HeddleAnnotation *note)
{
  return note->kind == HEDDLE_NOTE_TEXT || note->kind == HEDDLE_NOTE_LISTING;
}

static void
measure_card (HeddleNote *self)
{
  const gboolean bare = is_bare (self->note);
  const double pad = bare ? 0. : HEDDLE_NOTE_PAD;

  heddle_note_measure_text (self);
  self->width = MAX (self->width + 2. * pad, self->note->width);
  self->height = MAX (self->height + 2. * pad - 2., self->note->height);
}

static void
paint_card (HeddleNote *self)
{
  const gboolean bare = is_bare (self->note);
  const double pad = bare ? 0. : HEDDLE_NOTE_PAD;
  HeddleProse prose = heddle_note_prose (self);
  HeddleColor on;

  if (!bare || self->note->fill != NULL)
    {
      heddle_paint_card (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, heddle_note_fill (self->note),
          self->x, self->y, self->width, self->height);
      on = heddle_theme_on_fill (self->painter->theme, heddle_note_fill (self->note));
      prose.color = &on;
    }
  heddle_prose_set (
      self->painter, &prose, heddle_note_text (self), self->x + pad, self->y + pad - 1., NULL, NULL);
}

static HeddleProse
legend_title (const HeddleNote *self)
{
  HeddleProse prose = heddle_note_prose (self);

  prose.size += 1.;
  prose.width = self->width - 2. * LEGEND_PAD;
  prose.align = 0.5;
  return prose;
}

static const char *
title_of (const HeddleNote *self)
{
  return self->note->title != NULL ? self->note->title : "Legend";
}

static double
legend_head (const HeddleNote *self)
{
  return (note_size (self->note) + 1.) * HEDDLE_PROSE_LEADING + RULE_DROP + 3.;
}

static void
measure_legend (HeddleNote *self)
{
  const HeddleProse prose = { .size = note_size (self->note) + 1. };
  HeddlePainter ruler = *self->painter;
  double title;

  ruler.scene = NULL;
  if (*heddle_note_text (self) == '\0')
    self->text = bundles_text (self->painter);
  heddle_note_measure_text (self);
  heddle_prose_set (&ruler, &prose, title_of (self), 0., 0., &title, NULL);
  self->width = MAX (MAX (self->width, title) + 2. * LEGEND_PAD, self->note->width);
  self->height = MAX (self->height + legend_head (self) + 2. * LEGEND_PAD - 6., self->note->height);
}

static void
paint_legend (HeddleNote *self)
{
  const HeddleProse prose = heddle_note_prose (self), title = legend_title (self);
  const HeddleStroke rule = { .color = self->painter->ink, .width = 1. };
  const double x = self->x + LEGEND_PAD, y = self->y + LEGEND_PAD - 3.;

  heddle_paint_card (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, heddle_note_fill (self->note),
      self->x, self->y, self->width, self->height);
  heddle_prose_set (self->painter, &title, title_of (self), x, y, NULL, NULL);
  HeddleItem *item = heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, &rule, NULL);
  heddle_item_move_to (item, x, y + legend_head (self) - 3.);
  heddle_item_line_to (item, self->x + self->width - LEGEND_PAD, y + legend_head (self) - 3.);
  heddle_prose_set (
      self->painter, &prose, heddle_note_text (self), x, y + legend_head (self) + 2., NULL, NULL);
}

const HeddleNoteDrawer heddle_note_card = { measure_card, paint_card };
const HeddleNoteDrawer heddle_note_legend = { measure_legend, paint_legend };
