/* SPDX-License-Identifier: MIT */
#include "draw.h"

#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

#define MAX_SIZE 9
#define MAX_ELEMENTS 100000
#define MAX_RUN 12 /* operations of a kernel */
#define KEEP_PAIRS 20
#define MAX_TRIES 90 /* ever smaller */

guint
draw_number (Draw *self, guint n)
{
  return (guint) g_rand_int_range (self->random, 0, (gint32) n);
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* What is made of windows of images of many channels takes its time. */
static gboolean
is_small (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  gint64 total = 0;

  for (guint i = 0; i < diagram->values->len; i++)
    total += heddle_sizes_elements (sizes, g_ptr_array_index (diagram->values, i));
  return total <= MAX_ELEMENTS;
}

/* Small ragged sizes of the axes whose size is a number; what follows from them follows. Sizes that the diagram does not admit are drawn
 * again. */
HeddleSizes *
draw_sizes (Draw *self)
{
  for (guint tries = 0; tries < MAX_TRIES; tries++)
    {
      g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
      g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
      HeddleSizes *sizes;

      for (guint i = 0; i < self->diagram->axes->len; i++)
        {
          const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);
          gint64 size = 1 + (gint64) draw_number (self, MAX_SIZE - tries * MAX_SIZE / MAX_TRIES);

          if (axis->size != NULL
              && heddle_expr_get_kind (axis->size) == HEDDLE_EXPR_NUMBER
              /* pairs that must stay pairs: those of a transposed convolution */
              && (tries < KEEP_PAIRS || heddle_expr_get_number (axis->size) != 2.)
              && !g_str_has_suffix (axis->name, ".times")
              && !g_str_has_suffix (axis->name, ".step")) /* written out already */
            g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
          const gint64 *fixed = self->fixed != NULL ? g_hash_table_lookup (self->fixed, axis->name) : NULL;
          if (fixed != NULL)
            g_hash_table_insert (overrides, axis->name, g_memdup2 (fixed, sizeof *fixed));
        }
      sizes = heddle_sizes_new (self->diagram, overrides, NULL);
      if (sizes != NULL && is_small (self->diagram, sizes))
        return sizes;
      g_clear_pointer (&sizes, heddle_sizes_unref);
    }
  return heddle_sizes_new (self->diagram, NULL, NULL);
}

/* --- kernels ------------------------------------------------------------------------------------ */

/* Operations @from to before @to: one kernel, where they can be one. */
static gboolean
add_region (Draw *self, guint from, guint to)
{
  g_autoptr (HeddleRegionTerm) term = NULL;
  g_autoptr (GArray) operations = heddle_ids_new ();
  HeddleRegion *region;

  for (guint i = from; i < to; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (heddle_schedule_region_of (self->schedule, operation->id) != NULL)
        return FALSE;
      heddle_ids_append (operations, operation->id);
    }
  term = heddle_region_term_new (self->diagram, operations, self->sizes, NULL);
  if (term == NULL)
    return FALSE;
  region = heddle_schedule_add_region (self->schedule);
  g_array_unref (region->operations);
  region->operations = g_steal_pointer (&operations);
  return TRUE;
}

/* What of the operation's statement is in no region yet: one kernel. */
static void
add_rest (Draw *self, const char *operation)
{
  const char *value = heddle_diagram_statement_of (self->diagram, operation);
  g_autoptr (GPtrArray) statement = heddle_diagram_statement_operations (self->diagram, value);
  HeddleRegion *region = heddle_schedule_add_region (self->schedule);

  for (guint i = 0; i < statement->len; i++)
    {
      const HeddleOperation *member = g_ptr_array_index (statement, i);

      if (heddle_schedule_region_of (self->schedule, member->id) == NULL)
        heddle_ids_append (region->operations, member->id);
    }
}

/* Runs of operations one after another, shortened until they can be one kernel; some are left to statements. */
void
draw_schedule (Draw *self)
{
  guint n = self->diagram->operations->len;

  self->schedule = heddle_schedule_new (self->diagram->id);
  for (guint from = 0, to; from < n; from = to)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, from);
      guint length = draw_number (self, 8) == 0 ? n - from : 1 + draw_number (self, MIN (n - from, MAX_RUN));

      if (heddle_schedule_region_of (self->schedule, operation->id) == NULL && draw_number (self, 4) == 0)
        add_rest (self, operation->id);
      while (length > 0 && !add_region (self, from, from + length))
        length /= 2;
      to = from + MAX (length, 1);
    }
  for (guint i = 0; i < n; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (heddle_schedule_region_of (self->schedule, operation->id) == NULL)
        add_rest (self, operation->id);
    }
}

/* --- labels -------------------------------------------------------------------------------------- */

static void
draw_label (Draw *self, HeddleRegion *region, const char *axis, HeddleLabelKind kind)
{
  const char *operation = heddle_ids_index (region->operations, 0);
  g_autoptr (HeddleRefusal) refusal
      = heddle_derive_try_label (self->diagram, self->schedule, operation, axis, kind);

  if (refusal != NULL)
    {
      g_assert_cmpstr (refusal->reason, !=, "");
      return;
    }
  g_ptr_array_add (
      region->labels, heddle_label_new (axis, "smem", kind, 1 + (gint64) draw_number (self, MAX_SIZE + 1)));
}

/* A group of an axis that streams within its groups is a whole number of chunks. */
static void
fit_stream (Draw *self, HeddleRegion *region, const char *axis)
{
  const HeddleLabel *stream = heddle_region_get_label (region, axis, "smem", HEDDLE_LABEL_STREAM);
  HeddleLabel *group = heddle_region_get_label (region, axis, "smem", HEDDLE_LABEL_GROUP);

  if (stream == NULL || group == NULL)
    return;
  group->size = (group->size + stream->size - 1) / stream->size * stream->size;
  self->n_split++;
}

void
draw_labels (Draw *self, HeddleRegion *region)
{
  g_autoptr (HeddleRegionTerm) term
      = heddle_region_term_new (self->diagram, region->operations, self->sizes, NULL);
  guint first;

  if (term == NULL)
    return;
  first = draw_number (self, term->axes->len);
  for (guint i = 0; i < term->axes->len && region->labels->len == 0 && draw_number (self, 5) > 0; i++)
    draw_label (
        self, region, heddle_ids_index (term->axes, (first + i) % term->axes->len), HEDDLE_LABEL_STREAM);
  for (guint i = 0; i < term->axes->len; i++)
    {
      const char *axis = heddle_ids_index (term->axes, i);

      if (draw_number (self, 2) == 0)
        draw_label (self, region, axis, HEDDLE_LABEL_GROUP);
      fit_stream (self, region, axis);
    }
}

/* A tile or chunk within those at SMEM is a part of them without rest. */
static gint64
draw_part (Draw *self, const HeddleRegion *region, const char *axis, HeddleLabelKind kind)
{
  const HeddleLabel *outer = heddle_region_get_label (region, axis, "smem", kind);
  gint64 size = 1 + (gint64) draw_number (self, MAX_SIZE), n = heddle_sizes_get (self->sizes, axis);

  if (outer == NULL && kind == HEDDLE_LABEL_STREAM)
    outer = heddle_region_get_label (region, axis, "smem", HEDDLE_LABEL_GROUP);
  while (outer != NULL && outer->size < n && outer->size % size != 0)
    size--;
  return size;
}

static void
draw_inner (Draw *self, HeddleRegion *region, const char *axis, HeddleLabelKind kind)
{
  g_autoptr (HeddleRegionTerm) term
      = heddle_region_term_new (self->diagram, region->operations, self->sizes, NULL);
  g_autoptr (HeddleRefusal) refusal = heddle_derive_try_label (
      self->diagram, self->schedule, heddle_ids_index (region->operations, 0), axis, kind);

  if (refusal != NULL || (kind == HEDDLE_LABEL_GROUP && !heddle_legality_can_group (term, axis))
      || (kind == HEDDLE_LABEL_GROUP
          && (heddle_region_get_label (region, axis, "smem", HEDDLE_LABEL_STREAM) != NULL
              || heddle_region_get_label (region, axis, "registers", HEDDLE_LABEL_STREAM) != NULL)))
    return;
  g_ptr_array_add (
      region->labels, heddle_label_new (axis, "registers", kind, draw_part (self, region, axis, kind)));
  self->n_inner++;
}

static const char *
streamed_axis (const HeddleRegion *region)
{
  for (guint i = 0; i < region->labels->len; i++)
    if (((HeddleLabel *) g_ptr_array_index (region->labels, i))->kind == HEDDLE_LABEL_STREAM)
      return ((HeddleLabel *) g_ptr_array_index (region->labels, i))->axis;
  return NULL;
}

/* What is gathered goes through no lower level. */
static gboolean
is_gathering (const HeddleRegionTerm *term)
{
  for (guint i = 0; i < term->definitions->len; i++)
    if (heddle_region_term_get (term, i)->at != NULL)
      return TRUE;
  return FALSE;
}

void
draw_inner_labels (Draw *self, HeddleRegion *region)
{
  g_autoptr (HeddleRegionTerm) term
      = heddle_region_term_new (self->diagram, region->operations, self->sizes, NULL);
  const char *stream = streamed_axis (region);

  if (term == NULL || is_gathering (term))
    return;
  for (guint i = 0; i < term->axes->len; i++)
    {
      const char *axis = heddle_ids_index (term->axes, i);

      if (streamed_axis (region) == NULL ? draw_number (self, 3) == 0
                                         : axis == stream && draw_number (self, 2) == 0)
        draw_inner (self, region, axis, HEDDLE_LABEL_STREAM);
      else if (draw_number (self, 2) == 0)
        draw_inner (self, region, axis, HEDDLE_LABEL_GROUP);
    }
}
