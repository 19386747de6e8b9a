/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/cost.h"
#include "derive/index/saturate.h"
#include "derive/kernel/divisors-machine.h"
#include "derive/kernel/divisors.h"
#include "derive/kernel/labels.h"
#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/definition.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

static HeddleTiling
tiling_at (const HeddleDeriveContext *context, const char *level)
{
  return (HeddleTiling){ g_array_new (FALSE, FALSE, sizeof (HeddleTile)), NULL, 0, level,
    MAX (context->options->stages, 1), context->dtype };
}

void
heddle_labelling_init (HeddleLabelling *self, const HeddleDeriveContext *context,
    const HeddleRegionTerm *term, HeddleKernel *kernel)
{
  *self = (HeddleLabelling){ context, term, kernel };
  self->tiling = tiling_at (context, context->level);
  for (guint i = 0; i < context->n_lower; i++)
    self->below[i] = tiling_at (context, context->lower[i]);
  self->inner = g_ptr_array_new ();
  self->rereads = g_array_new (FALSE, FALSE, sizeof (HeddleReread));
  for (guint i = 0; i <= context->n_lower; i++)
    self->orders[i] = g_hash_table_new (NULL, NULL);
}

void
heddle_labelling_clear (HeddleLabelling *self)
{
  g_array_unref (self->tiling.groups);
  for (guint i = 0; i < self->context->n_lower; i++)
    g_array_unref (self->below[i].groups);
  g_ptr_array_unref (self->inner);
  g_array_unref (self->rereads);
  for (guint i = 0; i <= self->context->n_lower; i++)
    g_hash_table_unref (self->orders[i]);
}

/* Returns the number of the level among those that take labels; -1 if it is none of them. */
static int
depth_of (const HeddleDeriveContext *context, const char *level)
{
  if (g_str_equal (level, context->level))
    return 0;
  for (guint i = 0; i < context->n_lower; i++)
    if (g_str_equal (level, context->lower[i]))
      return (int) i + 1;
  return -1;
}

static HeddleTiling *
tiling_of (HeddleLabelling *self, const char *level)
{
  int depth = depth_of (self->context, level);

  return depth <= 0 ? &self->tiling : &self->below[depth - 1];
}

/* Returns the names of the levels as "smem, registers". Newly allocated. */
static char *
list_levels (const HeddleDeriveContext *context)
{
  GString *text = g_string_new (context->level);

  for (guint i = 0; i < context->n_lower; i++)
    g_string_append_printf (text, ", %s", context->lower[i]);
  return g_string_free (text, FALSE);
}

static gboolean
check_label (const HeddleDeriveContext *context, const HeddleLabel *label, GError **error)
{
  const HeddleMachine *machine = context->options->machine;
  const HeddleAxis *axis = heddle_diagram_get_axis (context->diagram, label->axis);
  g_autofree char *levels = list_levels (context);

  if (axis == NULL)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("a label is on “%s”, which is not an axis"), label->axis);
  else if (label->size < 1)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("the label on %s is %lld; it must be at least 1"), axis->name, (long long) label->size);
  else if (heddle_machine_find_level (machine, label->level) < 0)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL, _ ("%s has no memory level “%s”"),
        machine->title, label->level);
  else if (depth_of (context, label->level) < 0)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("axes are labelled at %s, not at %s"), levels, label->level);
  else
    return TRUE;
  return FALSE;
}

/* Adds the divisor that a label makes: tiles and chunks consist of those of the levels below. */
static void
add_divisor (HeddleLabelling *self, const HeddleLabel *label, guint depth)
{
  if (label->kind == HEDDLE_LABEL_DIVISOR)
    heddle_divisors_add (
        self->kernel->divisors, label->axis, depth, label->size, g_strdup (_ ("as it was labelled")));
  else if (depth > 0 && label->size < heddle_sizes_get (self->context->sizes, label->axis))
    heddle_divisors_add (self->kernel->divisors, label->axis, depth - 1, label->size,
        g_strdup_printf (label->kind == HEDDLE_LABEL_GROUP ? _ ("its tiles at %s") : _ ("its chunks at %s"),
            label->level));
}

static gboolean
is_grouped (const HeddleTiling *tiling, const char *axis)
{
  for (guint i = 0; i < tiling->groups->len; i++)
    if (g_array_index (tiling->groups, HeddleTile, i).axis == axis)
      return TRUE;
  return FALSE;
}

/* Returns why what is gathered cannot have a label at a lower level: it comes straight from global memory,
 * since which part of it is read is known only when it runs. Returns NULL if nothing is gathered. */
static HeddleRefusal *
check_gathered (const HeddleLabelling *self, const HeddleLabel *label)
{
  for (guint i = 0; i < self->term->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (self->term, i);
      g_autofree char *name = NULL;

      if (definition->at == NULL)
        continue;
      name = heddle_diagram_value_label (self->context->diagram, definition->value);
      return heddle_refusal_new (label->axis, label->kind, NULL,
          g_strdup_printf (_ ("%s is gathered: it passes straight from global memory to where it is read, "
                              "and through no level between."),
              name),
          g_strdup_printf (_ ("Label the axes at %s alone, or unfuse what gathers."), self->context->level));
    }
  return NULL;
}

/* Checks the level of a label. Only the first level's groups can be merged, by a second kernel. Returns why
 * it is refused, or NULL. */
static HeddleRefusal *
check_level (const HeddleLabelling *self, const HeddleLabel *label)
{
  const char *name = heddle_diagram_get_axis (self->context->diagram, label->axis)->name;
  int depth = depth_of (self->context, label->level);

  HeddleRefusal *gathered = depth > 0 ? check_gathered (self, label) : NULL;

  if (gathered != NULL)
    return gathered;
  for (guint i = 0; i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *other = g_ptr_array_index (self->kernel->labels, i);
      int own = depth_of (self->context, other->level);

      if (other->axis == label->axis
          && ((label->kind == HEDDLE_LABEL_GROUP && other->kind == HEDDLE_LABEL_STREAM && depth > own)
              || (label->kind == HEDDLE_LABEL_STREAM && other->kind == HEDDLE_LABEL_GROUP && depth < own)))
        return heddle_refusal_new (label->axis, label->kind, NULL,
            g_strdup_printf (_ ("%s would be streamed, and its chunks grouped at a level below."), name),
            g_strdup_printf (_ ("Stream %s at both levels, or group it at both."), name));
    }
  if (depth == 0 || label->kind != HEDDLE_LABEL_GROUP || heddle_legality_can_group (self->term, label->axis))
    return NULL;
  return heddle_refusal_new (label->axis, label->kind, NULL,
      g_strdup_printf (_ ("The groups of %s at %s would have to be merged, and only those at %s are."), name,
          label->level, self->context->level),
      g_strdup_printf (_ ("Stream %s at %s instead."), name, label->level));
}

/* Returns why a label that is legal alone cannot be combined with those before it; NULL if it can. */
static HeddleRefusal *
check_together (HeddleLabelling *self, const HeddleLabel *label)
{
  const char *name = heddle_diagram_get_axis (self->context->diagram, label->axis)->name;
  gboolean loops = label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM;
  const HeddleTiling *tiling = tiling_of (self, label->level);

  if (!loops)
    return NULL;
  if (label->kind == HEDDLE_LABEL_GROUP ? is_grouped (tiling, label->axis) : tiling->stream == label->axis)
    return heddle_refusal_new (label->axis, label->kind, NULL,
        g_strdup_printf (_ ("%s has a label at %s already."), name, label->level),
        g_strdup (_ ("Take one of them off.")));
  for (guint i = 0; i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *other = g_ptr_array_index (self->kernel->labels, i);
      HeddleRefusal *refusal
          = heddle_legality_check_other (self->term, other->axis, other->kind, label->axis, label->kind);

      if (refusal != NULL)
        return refusal;
    }
  if (label->kind == HEDDLE_LABEL_GROUP && self->kernel->labels->len >= HEDDLE_MAX_GROUPS)
    return heddle_refusal_new (label->axis, label->kind, NULL,
        g_strdup_printf (_ ("A kernel takes at most %d labels."), HEDDLE_MAX_GROUPS),
        g_strdup (_ ("Take one off, or unfuse: each kernel has its own.")));
  return check_level (self, label);
}

static void
use_label (HeddleLabelling *self, const HeddleLabel *label)
{
  HeddleTile tile = { label->axis, label->size };
  HeddleTiling *tiling = tiling_of (self, label->level);
  int depth = depth_of (self->context, label->level);

  if (label->kind != HEDDLE_LABEL_ORDER)
    add_divisor (self, label, (guint) depth);
  if (label->kind == HEDDLE_LABEL_GROUP)
    {
      g_array_append_val (tiling->groups, tile);
      if (!heddle_legality_can_group (self->term, label->axis))
        self->split = label->axis;
    }
  else if (label->kind == HEDDLE_LABEL_STREAM)
    {
      tiling->stream = label->axis;
      tiling->chunk = label->size;
    }
  else if (label->kind == HEDDLE_LABEL_ORDER)
    g_hash_table_insert (
        self->orders[depth], (gpointer) label->axis, GINT_TO_POINTER ((gint) MIN (label->size, G_MAXINT)));
  g_ptr_array_add (self->kernel->labels, heddle_label_copy (label));
}

static void
refuse_size (HeddleLabelling *self, const HeddleLabel *label, guint depth, gint64 divisor)
{
  const char *name = heddle_diagram_get_axis (self->context->diagram, label->axis)->name;
  g_autofree char *reasons = heddle_divisors_explain (self->kernel->divisors, label->axis, depth);
  gint64 next = heddle_saturating_multiply (label->size / divisor + 1, divisor);

  g_ptr_array_add (self->kernel->refusals,
      heddle_refusal_new (label->axis, label->kind, NULL,
          g_strdup_printf (_ ("%lld of %s at %s is not a multiple of its divisor %lld (%s)."),
              (long long) label->size, name, label->level, (long long) divisor, reasons),
          divisor < G_MAXINT64
              ? g_strdup_printf (_ ("Make it %lld."), (long long) next)
              : g_strdup_printf (
                  _ ("Take a divisor of %s off: no size within 64 bits is a multiple of all."), name)));
}

/* Checks that each tile that does not hold the whole axis is a multiple of the axis' divisor. */
static void
check_divisors (HeddleLabelling *self)
{
  for (guint i = 0; i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (self->kernel->labels, i);
      guint depth = (guint) depth_of (self->context, label->level);
      gint64 divisor = heddle_divisors_get (self->kernel->divisors, label->axis, depth);
      gboolean loops = label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM;

      if (loops && label->size % divisor != 0
          && label->size < heddle_sizes_get (self->context->sizes, label->axis))
        refuse_size (self, label, depth, divisor);
    }
}

/* Checks that loops nest. A split axis is folded in one step if no chunk is given; else every group must have
 * whole chunks. */
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
          g_strdup_printf (_ ("A group of %lld of %s is not a whole number of chunks of %lld."),
              (long long) size, name, (long long) tiling->chunk),
          g_strdup_printf (_ ("Make it %lld."), (long long) ((size / tiling->chunk + 1) * tiling->chunk))));
}

/* Refuses the order of a loop that does not exist; if the search runs, it may still make it. */
static void
check_orders (HeddleLabelling *self)
{
  for (guint i = 0; !self->context->options->suggest && i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (self->kernel->labels, i);
      const char *name = heddle_diagram_get_axis (self->context->diagram, label->axis)->name;

      if (label->kind == HEDDLE_LABEL_ORDER && !is_grouped (tiling_of (self, label->level), label->axis))
        g_ptr_array_add (self->kernel->refusals,
            heddle_refusal_new (label->axis, label->kind, NULL,
                g_strdup_printf (
                    _ ("%s is not grouped at %s: there is no loop to put in an order."), name, label->level),
                g_strdup_printf (_ ("Group %s at %s, or take its order off."), name, label->level)));
    }
}

/* Lists the levels below that have labels. If the best are searched for, an axis that streams there also
 * streams above. */
static void
list_inner (HeddleLabelling *self)
{
  for (guint i = 0; i < self->context->n_lower; i++)
    {
      const HeddleTiling *below = &self->below[i];

      if (below->groups->len > 0 || below->stream != NULL)
        g_ptr_array_add (self->inner, (gpointer) below);
      if (self->context->options->suggest && self->tiling.stream == NULL)
        self->tiling.stream = below->stream;
    }
  self->tiling.inner = self->inner->len > 0 ? self->inner : NULL;
}

const char *
heddle_labelling_stream (const HeddleLabelling *self)
{
  const char *stream = self->tiling.stream;

  for (guint i = 0; stream == NULL && i < self->inner->len; i++)
    stream = ((const HeddleTiling *) g_ptr_array_index (self->inner, i))->stream;
  return stream;
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
      /* The remedies of the many plans that are tried for code are never read. */
      if (refusal != NULL && refusal->operation != NULL && *refusal->remedy == '\0'
          && !self->context->options->plain)
        heddle_refusal_find_cut (refusal, self->term);
      if (refusal != NULL)
        heddle_refusal_explain_none (refusal, self->term, !self->context->options->plain);
      if (refusal == NULL)
        refusal = check_together (self, label);
      if (refusal != NULL)
        g_ptr_array_add (self->kernel->refusals, refusal);
      else
        use_label (self, label);
    }
  heddle_labelling_add_machine_divisors (self);
  check_nesting (self);
  check_divisors (self);
  check_orders (self);
  list_inner (self);
  return TRUE;
}

typedef struct
{
  const HeddleLabelling *labelling;
  guint depth;
} Sorting;

static gint
order_of (const Sorting *self, const char *axis)
{
  gpointer order = g_hash_table_lookup (self->labelling->orders[self->depth], axis);

  return order != NULL ? GPOINTER_TO_INT (order) : G_MAXINT;
}

static gint
compare_tiles (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *self = data;
  const HeddleTile *x = a, *y = b;
  const GArray *axes = self->labelling->term->axes;
  gint first = order_of (self, x->axis), second = order_of (self, y->axis);

  if (first != second)
    return first < second ? -1 : 1;
  return heddle_ids_find (axes, x->axis) - heddle_ids_find (axes, y->axis);
}

void
heddle_labelling_sort (HeddleLabelling *self)
{
  for (guint i = 0; i <= self->context->n_lower; i++)
    {
      Sorting sorting = { self, i };

      g_array_sort_with_data (
          i == 0 ? self->tiling.groups : self->below[i - 1].groups, compare_tiles, &sorting);
    }
}
