/* SPDX-License-Identifier: MIT */
#include "derive/shard/layout.h"
#include "derive/shard/steps.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

/* This file finds what GPUs pass to one another between segments, so that each finds what it reads in the
 * layout that it wants. */

typedef struct
{
  HeddleSharding *made;
  const HeddleMachine *machine;
  HeddleDtype dtype;
  GPtrArray *segments; /* of HeddleShardSegment, before steps are made of them */
  GHashTable *have; /* value id -> GPtrArray of HeddleShardLayout: as it is on the GPUs by now */
} Build;

static void
set_layout (GHashTable *table, const char *value, const HeddleShardLayout *layout)
{
  g_hash_table_insert (table, (gpointer) value, g_memdup2 (layout, sizeof *layout));
}

/* --- collectives ------------------------------------------------------------------------ */

static GPtrArray *
layouts_of (Build *self, const char *value)
{
  GPtrArray *list = g_hash_table_lookup (self->have, value);

  if (list == NULL)
    {
      list = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (self->have, (gpointer) value, list);
    }
  return list;
}

/* Prices a collective. In a ring of n each GPU sends a piece of 1/n of the array n - 1 times, and twice as
 * often to combine and hand it out; in an exchange each GPU sends an nth of a piece directly to each other
 * one. */
static void
price (const Build *self, HeddleShardStep *step)
{
  const HeddleSharding *made = self->made;
  const HeddleLink *link = g_ptr_array_index (self->machine->links, step->link);
  HeddleShardLayout whole = step->to;
  double n = made->ways[step->link],
         rounds = step->kind == HEDDLE_COLLECTIVE_ALL_REDUCE ? 2. * (n - 1.) : n - 1.;

  whole.how[step->link] = HEDDLE_SPREAD_WHOLE;
  step->bytes
      = heddle_shard_layout_elements (&whole, made, step->value)
        * (gint64) heddle_dtype_bytes (heddle_diagram_dtype (made->diagram, step->value, self->dtype));
  if (step->kind == HEDDLE_COLLECTIVE_SLICE)
    return;
  step->sent_bytes
      = rounds / n * (double) step->bytes / (step->kind == HEDDLE_COLLECTIVE_ALL_TO_ALL ? n : 1.);
  step->seconds = step->sent_bytes / link->bandwidth + rounds * link->latency;
}

static HeddleCollectiveKind
kind_of (const HeddleShardLayout *from, const HeddleShardLayout *to, guint l)
{
  if (from->how[l] == HEDDLE_SPREAD_PARTIAL)
    return to->how[l] == HEDDLE_SPREAD_SPLIT ? HEDDLE_COLLECTIVE_REDUCE_SCATTER
                                             : HEDDLE_COLLECTIVE_ALL_REDUCE;
  if (from->how[l] == HEDDLE_SPREAD_SPLIT)
    return to->how[l] == HEDDLE_SPREAD_SPLIT ? HEDDLE_COLLECTIVE_ALL_TO_ALL : HEDDLE_COLLECTIVE_ALL_GATHER;
  return HEDDLE_COLLECTIVE_SLICE;
}

/* Changes how the value lies at one link. */
static void
add_collective (
    Build *self, const char *value, HeddleShardLayout *layout, guint l, HeddleSpread how, const char *axis)
{
  HeddleShardStep *step = g_new0 (HeddleShardStep, 1);

  step->value = value;
  step->from = *layout;
  layout->how[l] = how;
  layout->axis[l] = axis;
  step->to = *layout;
  step->link = l;
  step->kind = kind_of (&step->from, &step->to, l);
  step->axis = axis != NULL ? axis : step->from.axis[l];
  price (self, step);
  self->made->sent_bytes += step->sent_bytes;
  self->made->seconds += step->seconds;
  g_ptr_array_add (self->made->steps, step);
  g_ptr_array_add (layouts_of (self, value), g_memdup2 (layout, sizeof *layout));
}

/* Returns the bytes that it takes to change the layout, by which the one to start from is chosen. */
static double
distance (const HeddleShardLayout *from, const HeddleShardLayout *to)
{
  double sum = 0.;

  for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
    if (from->how[l] != to->how[l] || from->axis[l] != to->axis[l])
      sum += from->how[l] == HEDDLE_SPREAD_PARTIAL ? 2. : from->how[l] == HEDDLE_SPREAD_SPLIT ? 1. : 0.;
  return sum;
}

/* Returns whether the axis lies along other links than @l, now or afterwards. */
static gboolean
is_elsewhere (const HeddleShardLayout *from, const HeddleShardLayout *to, guint l, const char *axis)
{
  for (guint k = 0; k < HEDDLE_MAX_LINKS; k++)
    if (k != l && axis != NULL && (from->axis[k] == axis || to->axis[k] == axis))
      return TRUE;
  return FALSE;
}

/* Returns whether pieces of one axis can become pieces of another, without any GPU having all: no other link
 * may be involved. */
static gboolean
can_exchange (const HeddleShardLayout *from, const HeddleShardLayout *to, guint l)
{
  return from->how[l] == HEDDLE_SPREAD_SPLIT && to->how[l] == HEDDLE_SPREAD_SPLIT
         && from->axis[l] != to->axis[l] && !is_elsewhere (from, to, l, from->axis[l])
         && !is_elsewhere (from, to, l, to->axis[l]);
}

/* Returns whether an axis must be gathered first. An axis that lies along several links is cut at the first
 * one first; if one of those changes, the pieces of later ones are put together before. */
static gboolean
must_gather (const HeddleShardLayout *from, const HeddleShardLayout *to, guint l)
{
  if (from->how[l] != HEDDLE_SPREAD_SPLIT || can_exchange (from, to, l))
    return FALSE;
  if (to->axis[l] != from->axis[l])
    return TRUE;
  for (guint k = 0; k < l; k++)
    if ((from->axis[k] == from->axis[l]) != (to->axis[k] == from->axis[l]))
      return TRUE;
  return FALSE;
}

/* Returns an axis of the value that no link has, in pieces for each GPU of @l; NULL if there is none. */
static const char *
free_axis (const Build *self, const char *value, const HeddleShardLayout *layout, guint l)
{
  const GArray *axes = heddle_diagram_get_value (self->made->diagram, value)->axes;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      if (!is_elsewhere (layout, layout, HEDDLE_MAX_LINKS, axis)
          && heddle_sizes_get (self->made->sizes, axis) % self->made->ways[l] == 0)
        return axis;
    }
  return NULL;
}

/* Scatters parts over several links that are wanted whole over the first link, so that each GPU sends no more
 * than its piece over the next ones. Returns the axis along which they are still to be gathered at @l. */
static const char *
scatter_first (
    Build *self, const char *value, HeddleShardLayout *layout, const HeddleShardLayout *wanted, guint l)
{
  gboolean more = FALSE;
  const char *axis = NULL;

  for (guint k = l + 1; k < self->made->n_links; k++)
    more = more || (layout->how[k] == HEDDLE_SPREAD_PARTIAL && wanted->how[k] == HEDDLE_SPREAD_WHOLE);
  if (more && layout->how[l] == HEDDLE_SPREAD_PARTIAL && wanted->how[l] == HEDDLE_SPREAD_WHOLE)
    axis = free_axis (self, value, layout, l);
  if (axis != NULL)
    add_collective (self, value, layout, l, HEDDLE_SPREAD_SPLIT, axis);
  return axis;
}

/* Adds the collectives that change a layout into the one that is wanted. */
static void
change (Build *self, const char *value, HeddleShardLayout layout, const HeddleShardLayout *wanted)
{
  const HeddleShardLayout from = layout;
  const char *scattered[HEDDLE_MAX_LINKS] = { NULL };

  for (guint l = self->made->n_links; l-- > 0;)
    if (must_gather (&from, wanted, l))
      add_collective (self, value, &layout, l, HEDDLE_SPREAD_WHOLE, NULL);
    else if (can_exchange (&from, wanted, l))
      add_collective (self, value, &layout, l, HEDDLE_SPREAD_SPLIT, wanted->axis[l]);
  for (guint l = 0; l < self->made->n_links; l++)
    {
      scattered[l] = scatter_first (self, value, &layout, wanted, l);
      if (layout.how[l] == HEDDLE_SPREAD_PARTIAL && wanted->how[l] != HEDDLE_SPREAD_PARTIAL)
        add_collective (self, value, &layout, l, wanted->how[l], wanted->axis[l]);
    }
  for (guint l = self->made->n_links; l-- > 0;)
    if (scattered[l] != NULL)
      add_collective (self, value, &layout, l, HEDDLE_SPREAD_WHOLE, NULL);
  for (guint l = 0; l < self->made->n_links; l++)
    if (layout.how[l] != wanted->how[l] || layout.axis[l] != wanted->axis[l])
      add_collective (self, value, &layout, l, wanted->how[l], wanted->axis[l]);
}

static void
ensure (Build *self, const char *value, const HeddleShardLayout *wanted)
{
  GPtrArray *list = layouts_of (self, value);
  const HeddleShardLayout *best = g_ptr_array_index (list, 0);

  for (guint i = 0; i < list->len; i++)
    {
      if (heddle_shard_layout_equal (g_ptr_array_index (list, i), wanted))
        return;
      if (distance (g_ptr_array_index (list, i), wanted) < distance (best, wanted))
        best = g_ptr_array_index (list, i);
    }
  change (self, value, *best, wanted);
}

/* --- all of it -------------------------------------------------------------------------- */

/* Gives each input the layout that all its readers want; if they differ, it is given whole. */
static void
give_inputs (Build *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      GHashTableIter iter;
      gpointer value, layout;

      g_hash_table_iter_init (&iter, ((HeddleShardSegment *) g_ptr_array_index (self->segments, i))->needs);
      while (g_hash_table_iter_next (&iter, &value, &layout))
        {
          HeddleShardLayout *given = g_hash_table_lookup (self->made->given, value);

          if (heddle_diagram_get_producer (self->made->diagram, value) != NULL)
            continue;
          if (given == NULL)
            set_layout (self->made->given, value, layout);
          for (guint l = 0; given != NULL && l < HEDDLE_MAX_LINKS; l++)
            if (given->axis[l] != ((HeddleShardLayout *) layout)->axis[l])
              {
                given->how[l] = HEDDLE_SPREAD_WHOLE;
                given->axis[l] = NULL;
              }
        }
    }
}

static void
add_given (Build *self)
{
  GHashTableIter iter;
  gpointer value, layout;

  g_hash_table_iter_init (&iter, self->made->given);
  while (g_hash_table_iter_next (&iter, &value, &layout))
    g_ptr_array_add (layouts_of (self, value), g_memdup2 (layout, sizeof (HeddleShardLayout)));
}

/* Adds a segment after its collectives. They are in the order of the diagram, so that all GPUs do the same
 * and every run gives the same text. */
static void
add_segment (Build *self, HeddleShardSegment *segment)
{
  const GPtrArray *values = self->made->diagram->values;
  HeddleShardStep *step = g_new0 (HeddleShardStep, 1);

  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      const HeddleShardLayout *need = g_hash_table_lookup (segment->needs, value->id);

      if (need != NULL)
        ensure (self, value->id, need);
    }
  step->segment = segment;
  g_ptr_array_add (self->made->steps, step);
  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      const HeddleShardLayout *given = g_hash_table_lookup (segment->gives, value->id);

      if (given != NULL)
        g_ptr_array_add (layouts_of (self, value->id), g_memdup2 (given, sizeof *given));
    }
}

/* Combines the outputs that are partial; they may stay in pieces. */
static void
leave_outputs (Build *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->made->diagram);

  for (guint i = 0; i < outputs->len; i++)
    {
      const char *value = heddle_ids_index (outputs, i);
      GPtrArray *list = layouts_of (self, value);
      HeddleShardLayout layout = { { HEDDLE_SPREAD_WHOLE } };

      if (list->len > 0)
        layout = *(HeddleShardLayout *) g_ptr_array_index (list, list->len - 1);
      for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
        if (layout.how[l] == HEDDLE_SPREAD_PARTIAL)
          layout.how[l] = HEDDLE_SPREAD_WHOLE;
      if (list->len > 0)
        ensure (self, value, &layout);
      set_layout (self->made->left, value, &layout);
    }
}

void
heddle_shard_make_steps (
    HeddleSharding *made, GPtrArray *segments, const HeddleMachine *machine, HeddleDtype dtype)
{
  Build self = { made, machine, dtype, segments,
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref) };

  give_inputs (&self);
  add_given (&self);
  while (segments->len > 0)
    add_segment (&self, g_ptr_array_steal_index (segments, 0));
  leave_outputs (&self);
  g_hash_table_unref (self.have);
}
