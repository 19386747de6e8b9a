/* SPDX-License-Identifier: MIT */
#include "figure/paint/note-cards.h"
#include "figure/paint/notes.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#define TARGET_PAD 7. /* around what a call-out is about */
#define WEDGE 26. /* px, of its foot on the card */
#define MOST_NOTES 1000

/* --- what a note is about ------------------------------------------------------------------------------ */

static void
cover (HeddleNoteArea *area, const HeddleItem *item)
{
  double x, y, width, height;

  heddle_item_get_bounds (item, &x, &y, &width, &height);
  const gboolean within
      = area->found && x >= area->x1 && y >= area->y1 && x + width <= area->x2 && y + height <= area->y2;
  area->x1 = area->found ? MIN (area->x1, x) : x;
  area->y1 = area->found ? MIN (area->y1, y) : y;
  area->x2 = area->found ? MAX (area->x2, x + width) : x + width;
  area->y2 = area->found ? MAX (area->y2, y + height) : y + height;
  area->found = TRUE;
  if (within)
    return;
  area->carded = item->kind == HEDDLE_ITEM_PATH && item->fill && x <= area->x1 && y <= area->y1
                 && x + width >= area->x2 && y + height >= area->y2;
  area->card = item->fill_color;
}

/* Of an operation or a block all that is drawn of it but wires; of an axis or a value the first of its names. */
static void
find_targets (const HeddleScene *scene, GHashTable *areas)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      HeddleNoteArea *area = item->object != NULL ? g_hash_table_lookup (areas, item->object) : NULL;
      const gboolean name = item->part == HEDDLE_PART_AXIS_LABEL || item->part == HEDDLE_PART_VALUE_LABEL;
      if (area == NULL || item->kind == HEDDLE_ITEM_SHADOW || item->part == HEDDLE_PART_WIRE
          || (name && area->found))
        continue;
      if (item->part == HEDDLE_PART_BACKGROUND && area->ground < 0)
        area->ground = i;
      cover (area, item);
    }
}

static HeddleNoteArea *
area_new (void)
{
  HeddleNoteArea *area = g_new0 (HeddleNoteArea, 1);

  area->ground = -1;
  return area;
}

static GHashTable *
find_areas (const HeddlePainter *self, const HeddlePresentation *presentation)
{
  GHashTable *areas = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < presentation->annotations->len; i++)
    {
      const HeddleAnnotation *note = presentation->annotations->pdata[i];
      if (note->target != NULL)
        g_hash_table_insert (areas, (gpointer) note->target, area_new ());
    }
  find_targets (self->scene, areas);
  return areas;
}

static const HeddleNoteDrawer *const kinds[] = {
  [HEDDLE_NOTE_CARD] = &heddle_note_card,
  [HEDDLE_NOTE_TEXT] = &heddle_note_card,
  [HEDDLE_NOTE_LEGEND] = &heddle_note_legend,
  [HEDDLE_NOTE_ARRAY] = &heddle_note_array,
  [HEDDLE_NOTE_ARROW] = &heddle_note_arrow,
  [HEDDLE_NOTE_BANNER] = &heddle_note_banner,
  [HEDDLE_NOTE_LISTING] = &heddle_note_card,
};

/* --- call-outs ----------------------------------------------------------------------------------------------- */

/* Returns how far the ground of the target reaches around it: nowhere where the target is a card of the note's own colour. */
static double
target_pad (const HeddleNote *self)
{
  const HeddleColor fill = heddle_theme_fill (self->painter->theme, heddle_note_fill (self->note)),
                    card = self->target->card;
  const gboolean alike = card.r == fill.r && card.g == fill.g && card.b == fill.b;

  return self->target->carded && alike && heddle_theme_outline (self->painter->theme) <= 0. ? 0. : TARGET_PAD;
}

/* Returns whether the card is beside the ground of its target, as high as that or nearly: a wedge from its top or its
 * foot would be flat. */
static gboolean
is_beside (const HeddleNote *self)
{
  const HeddleNoteArea *at = self->target;
  const double pad = target_pad (self);
  const gboolean apart = at->x2 + pad < self->x || at->x1 - pad > self->x + self->width;

  return apart && at->y2 + pad > self->y - WEDGE / 2. && at->y1 - pad < self->y + self->height + WEDGE / 2.;
}

/* Gives the foot of the wedge, on the side of the card that faces the target. */
static void
wedge_foot (const HeddleNote *self, double x, double y, double foot[4])
{
  const double left = self->x, right = left + self->width, top = self->y, bottom = top + self->height;
  const gboolean upright = (y < top || y > bottom) && !is_beside (self);
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

/* Begins a ground; where outlines stand for fills, it is a line that hides nothing. */
static HeddleItem *
begin_ground (const HeddleNote *self)
{
  const HeddleColor fill = heddle_theme_fill (self->painter->theme, heddle_note_fill (self->note));
  const HeddleStroke outline
      = { .color = self->painter->ink, .width = heddle_theme_outline (self->painter->theme) };
  const gboolean outlined = outline.width > 0.;

  return heddle_paint_path (self->painter, HEDDLE_PART_ANNOTATION, self->note->id, outlined ? &outline : NULL,
      outlined ? NULL : &fill);
}

/* Paints the ground of the target, and the wedge that leads to it, below the diagram itself. */
static void
paint_wedge (HeddleNote *self)
{
  const HeddleNoteArea *at = self->target;
  const double x = (at->x1 + at->x2) / 2., y = (at->y1 + at->y2) / 2.;
  const double pad = target_pad (self);
  double foot[4];

  if (x >= self->x && x <= self->x + self->width && y >= self->y && y <= self->y + self->height)
    return;
  wedge_foot (self, x, y, foot);
  HeddleItem *item = begin_ground (self);
  heddle_item_rectangle (
      item, at->x1 - pad, at->y1 - pad, at->x2 - at->x1 + 2. * pad, at->y2 - at->y1 + 2. * pad, 0.);
  item = begin_ground (self);
  heddle_item_move_to (item, foot[0], foot[1]);
  if (foot[1] == foot[3]) /* from above or below: as wide as it stands, at most as the target is */
    {
      const double half = MIN (WEDGE / 2., (at->x2 - at->x1) / 2. + pad);
      const double edge = foot[1] < y ? at->y1 - pad : at->y2 + pad;
      const double near = CLAMP ((foot[0] + foot[2]) / 2., at->x1 - pad + half, at->x2 + pad - half);
      heddle_item_line_to (item, near - half, edge);
      heddle_item_line_to (item, near + half, edge);
    }
  else
    {
      const double half = MIN (WEDGE / 2., (at->y2 - at->y1) / 2. + pad);
      const double edge = foot[0] < x ? at->x1 - pad : at->x2 + pad;
      const double near = CLAMP ((foot[1] + foot[3]) / 2., at->y1 - pad + half, at->y2 + pad - half);
      heddle_item_line_to (item, edge, near - half);
      heddle_item_line_to (item, edge, near + half);
    }
  heddle_item_line_to (item, foot[2], foot[3]);
  heddle_item_close (item);
}

/* Numbers of items below which notes go. */
typedef struct
{
  guint bottom; /* what lies under everything */
  guint ground; /* wedges: over the backdrops */
} Layers;

static void
place_note (HeddleNote *self)
{
  const HeddleNoteArea *at = self->target;

  self->x = self->note->x + (at != NULL ? (at->x1 + at->x2) / 2. : 0.);
  self->y = self->note->y + (at != NULL ? (at->y1 + at->y2) / 2. : 0.);
}

/* The items from number @from on go below number @to, and what is counted from the bottom is counted anew. */
static void
lower (HeddlePainter *self, guint from, guint to, GHashTable *areas, Layers *layers)
{
  const guint n = heddle_scene_get_n_items (self->scene) - from;
  GHashTableIter iter;
  gpointer area;

  heddle_scene_lower (self->scene, from, to);
  g_hash_table_iter_init (&iter, areas);
  while (g_hash_table_iter_next (&iter, NULL, &area))
    if (((HeddleNoteArea *) area)->ground >= (int) to)
      ((HeddleNoteArea *) area)->ground += n;
  layers->ground += to <= layers->ground ? n : 0;
  layers->bottom += to <= layers->bottom ? n : 0;
}

/* A wedge lies under the backdrop of what it leads to, where there is one. */
static void
paint_note (HeddlePainter *self, const HeddleAnnotation *note, GHashTable *areas, Layers *layers)
{
  const HeddleNoteArea *target = note->target != NULL ? g_hash_table_lookup (areas, note->target) : NULL;
  HeddleNote state
      = { .painter = self, .note = note, .target = target != NULL && target->found ? target : NULL };
  guint from = heddle_scene_get_n_items (self->scene);

  kinds[note->kind]->measure (&state);
  place_note (&state);
  if (state.target != NULL && note->kind == HEDDLE_NOTE_CARD)
    {
      paint_wedge (&state);
      lower (self, from, target->ground >= 0 ? (guint) target->ground : layers->ground, areas, layers);
    }
  from = heddle_scene_get_n_items (self->scene);
  kinds[note->kind]->paint (&state);
  if (note->layer == HEDDLE_LAYER_UNDER)
    lower (self, from, layers->bottom, areas, layers);
  g_free (state.text);
}

/* Wedges go to item number @ground, over the backdrops. */
void
heddle_paint_notes (HeddlePainter *self, const HeddlePresentation *presentation, guint ground)
{
  g_autoptr (GHashTable) areas = find_areas (self, presentation);
  Layers layers = { 0, ground };

  for (guint i = 0; i < MIN (presentation->annotations->len, MOST_NOTES); i++)
    paint_note (self, presentation->annotations->pdata[i], areas, &layers);
}
