/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/kernel-private.h"
#include "derive/legality.h"

#include <glib/gi18n-lib.h>

void
heddle_labelling_clear (HeddleLabelling *self)
{
  g_array_unref (self->tiling.groups);
  g_hash_table_unref (self->divisors);
  g_hash_table_unref (self->orders);
}

static gboolean
check_label (const HeddleDeriveContext *context, const HeddleLabel *label, GError **error)
{
  const HeddleMachine *machine = context->options->machine;
  const HeddleAxis *axis = heddle_diagram_get_axis (context->diagram, label->axis);

  if (axis == NULL)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("a label is on “%s”, which is no axis"), label->axis);
  else if (label->size < 1)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("the label on %s is %lld; it must be at least 1"), axis->name, (long long) label->size);
  else if (heddle_machine_find_level (machine, label->level) < 0)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL, _ ("%s has no memory level “%s”"),
        machine->title, label->level);
  else if (!g_str_equal (label->level, context->level))
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("axes are labelled at %s, not at %s"), context->level, label->level);
  else
    return TRUE;
  return FALSE;
}

static gint64
common_multiple (gint64 a, gint64 b)
{
  gint64 x = a, y = b;

  while (y != 0)
    {
      gint64 rest = x % y;

      x = y;
      y = rest;
    }
  return heddle_saturating_multiply (a / x, b);
}

static void
add_divisor (HeddleLabelling *self, const HeddleLabel *label)
{
  gint64 *before = g_hash_table_lookup (self->divisors, label->axis);
  gint64 divisor = common_multiple (before != NULL ? *before : 1, label->size);

  g_hash_table_insert (self->divisors, (gpointer) label->axis, g_memdup2 (&divisor, sizeof divisor));
}

static gboolean
is_grouped (const HeddleTiling *tiling, const char *axis)
{
  for (guint i = 0; i < tiling->groups->len; i++)
    if (g_array_index (tiling->groups, HeddleTile, i).axis == axis)
      return TRUE;
  return FALSE;
}

/* A label that is legal alone may not go with those before it. */
static HeddleRefusal *
check_together (const HeddleLabelling *self, const HeddleLabel *label)
{
  const char *name = heddle_diagram_get_axis (self->context->diagram, label->axis)->name;
  gboolean loops = label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM;

  if (!loops)
    return NULL;
  if (label->kind == HEDDLE_LABEL_GROUP ? is_grouped (&self->tiling, label->axis)
                                        : self->tiling.stream == label->axis)
    return heddle_refusal_new (label->axis, label->kind, NULL,
        g_strdup_printf (_ ("%s has a label at %s already."), name, label->level), NULL);
  for (guint i = 0; i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *other = g_ptr_array_index (self->kernel->labels, i);
      HeddleRefusal *refusal
          = heddle_legality_check_other (self->term, other->axis, other->kind, label->axis, label->kind);

      if (refusal != NULL)
        return refusal;
    }
  if (label->kind == HEDDLE_LABEL_GROUP && self->tiling.groups->len == HEDDLE_MAX_GROUPS)
    return heddle_refusal_new (label->axis, label->kind, NULL,
        g_strdup_printf (_ ("At most %d axes are grouped at one level."), HEDDLE_MAX_GROUPS), NULL);
  return NULL;
}

static void
use_label (HeddleLabelling *self, const HeddleLabel *label)
{
  HeddleTile tile = { label->axis, label->size };

  if (label->kind == HEDDLE_LABEL_GROUP)
    {
      g_array_append_val (self->tiling.groups, tile);
      if (!heddle_legality_can_group (self->term, label->axis))
        self->split = label->axis;
    }
  else if (label->kind == HEDDLE_LABEL_STREAM)
    {
      self->tiling.stream = label->axis;
      self->tiling.chunk = label->size;
    }
  else if (label->kind == HEDDLE_LABEL_DIVISOR)
    add_divisor (self, label);
  else
    g_hash_table_insert (
        self->orders, (gpointer) label->axis, GINT_TO_POINTER ((gint) MIN (label->size, G_MAXINT)));
  g_ptr_array_add (self->kernel->labels, heddle_label_copy (label));
}

/* The divisor of an axis, by which a tile that does not hold all of it must go. */
static void
check_divisors (HeddleLabelling *self)
{
  for (guint i = 0; i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (self->kernel->labels, i);
      const gint64 *divisor = g_hash_table_lookup (self->divisors, label->axis);
      gboolean loops = label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM;
      const char *name;
      gint64 next;

      if (!loops || divisor == NULL || label->size % *divisor == 0
          || label->size >= heddle_sizes_get (self->context->sizes, label->axis))
        continue;
      name = heddle_diagram_get_axis (self->context->diagram, label->axis)->name;
      next = heddle_saturating_multiply (label->size / *divisor + 1, *divisor);
      g_ptr_array_add (
          self->kernel->refusals, heddle_refusal_new (label->axis, label->kind, NULL,
                                      g_strdup_printf (_ ("%lld of %s is no multiple of its divisor %lld."),
                                          (long long) label->size, name, (long long) *divisor),
                                      g_strdup_printf (_ ("Make it %lld."), (long long) next)));
    }
}

/* A split axis is folded in one step where nothing says in which; else every group has whole chunks. */
static void
check_nesting (HeddleLabelling *self)
{
  HeddleTiling *tiling = &self->tiling;
  gint64 size = 0;
  const char *name;

  if (self->split != NULL && tiling->stream == NULL)
    tiling->stream = self->split;
  for (guint i = 0; i < tiling->groups->len; i++)
    if (g_array_index (tiling->groups, HeddleTile, i).axis == tiling->stream)
      size = g_array_index (tiling->groups, HeddleTile, i).size;
  if (size > 0 && tiling->chunk == 0 && !self->context->options->suggest)
    tiling->chunk = size;
  if (size == 0 || tiling->chunk == 0 || size % tiling->chunk == 0
      || size >= heddle_sizes_get (self->context->sizes, tiling->stream))
    return;
  name = heddle_diagram_get_axis (self->context->diagram, tiling->stream)->name;
  g_ptr_array_add (self->kernel->refusals,
      heddle_refusal_new (tiling->stream, HEDDLE_LABEL_GROUP, NULL,
          g_strdup_printf (_ ("A group of %lld of %s is no whole number of chunks of %lld."),
              (long long) size, name, (long long) tiling->chunk),
          g_strdup_printf (_ ("Make it %lld."), (long long) ((size / tiling->chunk + 1) * tiling->chunk))));
}

gboolean
heddle_labelling_read (HeddleLabelling *self, const HeddleRegion *region, GError **error)
{
  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);
      HeddleRefusal *refusal;

      if (label->inactive != NULL)
        continue;
      if (!check_label (self->context, label, error))
        return FALSE;
      refusal = heddle_legality_check (self->term, self->context->schedule, label->axis, label->kind);
      if (refusal == NULL)
        refusal = check_together (self, label);
      if (refusal != NULL)
        g_ptr_array_add (self->kernel->refusals, refusal);
      else
        use_label (self, label);
    }
  check_nesting (self);
  check_divisors (self);
  return TRUE;
}

/* Values are placed where the region puts them: inside at its level, at its ends in global memory. Other places are not had. */
gboolean
heddle_labelling_check_residency (const HeddleLabelling *self, GError **error)
{
  const HeddleSchedule *schedule = self->context->schedule;

  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);
      const HeddleOperation *producer = heddle_diagram_get_producer (self->context->diagram, place->value);
      gboolean inside = producer != NULL && heddle_ids_contain (self->term->operations, producer->id)
                        && !heddle_ids_contain (self->term->outputs, place->value);
      g_autofree char *label = NULL;

      if (producer == NULL || !heddle_ids_contain (self->term->operations, producer->id)
          || g_str_equal (place->level, inside ? self->context->level : "gmem"))
        continue;
      label = heddle_diagram_value_label (self->context->diagram, place->value);
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
          inside ? _ ("%s cannot be placed at %s: its kernel keeps it at %s; unfuse it to place it elsewhere")
                 : _ ("%s cannot be placed at %s: it leaves its kernel, by %s; fuse what reads it"),
          label, place->level, inside ? self->context->level : "gmem");
      return FALSE;
    }
  return TRUE;
}

static gint
order_of (const HeddleLabelling *self, const char *axis)
{
  gpointer order = g_hash_table_lookup (self->orders, axis);

  return order != NULL ? GPOINTER_TO_INT (order) : G_MAXINT;
}

static gint
compare_tiles (gconstpointer a, gconstpointer b, gpointer data)
{
  const HeddleLabelling *self = data;
  const HeddleTile *x = a, *y = b;
  gint first = order_of (self, x->axis), second = order_of (self, y->axis);

  if (first != second)
    return first < second ? -1 : 1;
  return heddle_ids_find (self->term->axes, x->axis) - heddle_ids_find (self->term->axes, y->axis);
}

void
heddle_labelling_sort (HeddleLabelling *self)
{
  g_array_sort_with_data (self->tiling.groups, compare_tiles, self);
}
