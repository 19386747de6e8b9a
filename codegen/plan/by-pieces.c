/* SPDX-License-Identifier: MIT */
#include "codegen/plan/by-pieces.h"
#include "derive/region/pieces.h"

/* This file suggests kernels for a model layer by layer. A search of the whole cuts a long diagram into windows
 * that know nothing of its layers, and labels each layer anew; here every layer that is like another one has
 * the same kernels, which were searched thoroughly once. */

/* The number of operations of all pieces up to which they are searched: a model has some dozens for each kind of
 * its layers. Where there are more, little is alike, and searching them takes longer than searching the whole. */
#define MOST_SEARCHED 1024

/* The ids of a piece where it stands first, and what they are where it stands another time. */
typedef struct
{
  const HeddleDiagram *diagram; /* the whole */
  const GPtrArray *operations; /* those of the whole that are no views */
  const HeddlePiece *piece;
  const HeddlePieceTime *first, *time;
} Place;

static const char *
translate_id (const GArray *from, const GArray *to, const char *id)
{
  int i = heddle_ids_find (from, id);

  return i >= 0 ? heddle_ids_index (to, (guint) i) : id;
}

static const char *
translate_operation (const Place *self, const char *id)
{
  guint n = self->piece->diagram->operations->len;

  for (guint i = 0; i < n; i++)
    if (((const HeddleOperation *) g_ptr_array_index (self->operations, self->first->first + i))->id == id)
      return ((const HeddleOperation *) g_ptr_array_index (self->operations, self->time->first + i))->id;
  return id;
}

static void
copy_labels (const Place *self, const GPtrArray *from, GPtrArray *to)
{
  for (guint i = 0; i < from->len; i++)
    {
      HeddleLabel *label = heddle_label_copy (g_ptr_array_index (from, i));

      label->axis = translate_id (self->first->axes, self->time->axes, label->axis);
      g_ptr_array_add (to, label);
    }
}

static void
copy_region (const Place *self, const HeddleRegion *from, HeddleSchedule *to)
{
  HeddleRegion *region = heddle_schedule_add_region (to);

  for (guint i = 0; i < from->operations->len; i++)
    heddle_ids_append (
        region->operations, translate_operation (self, heddle_ids_index (from->operations, i)));
  copy_labels (self, from->labels, region->labels);
}

/* Copies a layout. What the piece is given and the whole makes is laid out where it is made, by a kernel that
 * copies nothing and has no labels for it; a view of a parameter becomes the kernel that copies. */
static void
copy_layout (const Place *self, const HeddleValueLayout *from, HeddleSchedule *to)
{
  const char *value = translate_id (self->first->values, self->time->values, from->value);
  const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, value);
  g_autoptr (GArray) axes = heddle_ids_new ();
  HeddleValueLayout *layout;

  for (guint i = 0; i < from->axes->len; i++)
    heddle_ids_append (
        axes, translate_id (self->first->axes, self->time->axes, heddle_ids_index (from->axes, i)));
  layout = heddle_schedule_set_layout (to, value, axes);
  if (from->labels->len == 0)
    return;
  if (producer == NULL && layout->labels->len == 0)
    copy_labels (self, from->labels, layout->labels);
  else if (producer != NULL && heddle_schedule_region_of (to, producer->id) == NULL)
    {
      HeddleRegion *region = heddle_schedule_add_region (to);

      heddle_ids_append (region->operations, producer->id);
      copy_labels (self, from->labels, region->labels);
    }
}

static void
copy_schedule (const Place *self, const HeddleSchedule *from, HeddleSchedule *to)
{
  for (guint i = 0; i < from->regions->len; i++)
    copy_region (self, g_ptr_array_index (from->regions, i), to);
  for (guint i = 0; i < from->layouts->len; i++)
    copy_layout (self, g_ptr_array_index (from->layouts, i), to);
}

static void
copy_to_all (const HeddleDiagram *diagram, const GPtrArray *operations, const HeddlePiece *piece,
    const HeddleSchedule *from, HeddleSchedule *to)
{
  for (guint i = 0; i < piece->times->len; i++)
    {
      const Place place = { diagram, operations, piece, g_ptr_array_index (piece->times, 0),
        g_ptr_array_index (piece->times, i) };

      copy_schedule (&place, from, to);
    }
}

/* Returns the operations of pieces that are there several times; of all pieces once in @once. */
static guint
count_repeated (const GPtrArray *pieces, guint *once)
{
  guint repeated = 0;

  *once = 0;
  for (guint i = 0; i < pieces->len; i++)
    {
      const HeddlePiece *piece = g_ptr_array_index (pieces, i);
      guint n = piece->diagram->operations->len;

      repeated += piece->times->len > 1 ? n * piece->times->len : 0;
      *once += n;
    }
  return repeated;
}

HeddleSchedule *
heddle_plan_suggest_by_pieces (const HeddleDiagram *diagram, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, HeddlePlanSuggestFunc suggest, gboolean *are_most,
    GCancellable *cancellable)
{
  g_autoptr (GPtrArray) pieces = heddle_pieces_new (diagram, sizes),
                        operations = heddle_pieces_operations (diagram);
  guint once, repeated = count_repeated (pieces, &once);
  HeddleSchedule *schedule;

  *are_most = 2 * repeated > operations->len;
  if (repeated == 0 || once > MOST_SEARCHED)
    return NULL;
  schedule = heddle_schedule_new (diagram->id);
  for (guint i = 0; schedule != NULL && i < pieces->len; i++)
    {
      const HeddlePiece *piece = g_ptr_array_index (pieces, i);
      HeddleSchedule *own = suggest (piece->diagram, sizes, options, cancellable);

      if (own != NULL)
        copy_to_all (diagram, operations, piece, own, schedule);
      else
        g_clear_pointer (&schedule, heddle_schedule_free);
      g_clear_pointer (&own, heddle_schedule_free);
    }
  return schedule;
}
