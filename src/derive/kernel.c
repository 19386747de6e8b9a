/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/kernel.h"
#include "derive/legality.h"

#include <glib/gi18n-lib.h>

/* Names of fused values beyond this many are left out of a kernel's name. */
#define MAX_NAMED 4

void
heddle_kernel_free (HeddleKernel *self)
{
  g_array_unref (self->operations);
  g_ptr_array_unref (self->labels);
  g_ptr_array_unref (self->refusals);
  g_clear_pointer (&self->program, heddle_loop_program_unref);
  g_ptr_array_unref (self->levels);
  g_ptr_array_unref (self->columns);
  g_free (self);
}

/* The diagram's name where the kernel is all of it, else the values its statements make: "P_O". */
char *
heddle_kernel_name (const HeddleDiagram *diagram, const GArray *operations)
{
  GString *name = g_string_new (NULL);
  const char *last = NULL;
  guint n = 0;

  if (operations->len == diagram->operations->len && diagram->name != NULL && diagram->name[0] != '\0')
    return g_string_free (g_string_assign (name, diagram->name), FALSE);
  for (guint i = 0; i < operations->len; i++)
    {
      const char *value = heddle_diagram_statement_of (diagram, heddle_ids_index (operations, i));
      g_autofree char *label = NULL;

      if (value == NULL || value == last)
        continue;
      last = value;
      if (n++ >= MAX_NAMED)
        continue;
      label = heddle_diagram_value_label (diagram, value);
      g_string_append_printf (name, "%s%s", name->len > 0 ? "_" : "", label);
    }
  return g_string_free (name, FALSE);
}

gboolean
heddle_kernel_fits (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk)
{
  if (context->capacity == 0)
    return TRUE;
  if (heddle_cost_memory (cost, tiles, chunk, !context->abstract) > context->capacity)
    return FALSE;
  return context->abstract || heddle_cost_shared (cost, tiles, chunk) <= context->capacity;
}

/* --- the labels given -------------------------------------------------------------------------- */

typedef struct
{
  const HeddleDeriveContext *context;
  const HeddleRegionTerm *term;
  HeddleKernel *kernel;
  HeddleTiling tiling;
  GHashTable *divisors; /* axis id -> gint64 * */
  GHashTable *orders; /* axis id -> position + 1 of its loop */
} Labelling;

static void
labelling_clear (Labelling *self)
{
  g_array_unref (self->tiling.groups);
  g_hash_table_unref (self->divisors);
  g_hash_table_unref (self->orders);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Labelling, labelling_clear)

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
        _ ("the label on %s is %" G_GINT64_FORMAT "; it must be at least 1"), axis->name, label->size);
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
add_divisor (Labelling *self, const HeddleLabel *label)
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
check_together (const Labelling *self, const HeddleLabel *label)
{
  const char *name = heddle_diagram_get_axis (self->context->diagram, label->axis)->name;
  gboolean loops = label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM;

  if (!loops)
    return NULL;
  if (is_grouped (&self->tiling, label->axis) || self->tiling.stream == label->axis)
    return heddle_refusal_new (label->axis, label->kind, NULL,
        g_strdup_printf (_ ("%s has a label at %s already."), name, label->level), NULL);
  if (label->kind == HEDDLE_LABEL_STREAM && self->tiling.stream != NULL)
    return heddle_refusal_new (label->axis, label->kind, NULL,
        g_strdup_printf (_ ("This kernel streams %s already, and one axis streams at a time."),
            heddle_diagram_get_axis (self->context->diagram, self->tiling.stream)->name),
        NULL);
  if (label->kind == HEDDLE_LABEL_GROUP && self->tiling.groups->len == HEDDLE_MAX_GROUPS)
    return heddle_refusal_new (label->axis, label->kind, NULL,
        g_strdup_printf (_ ("At most %d axes are grouped at one level."), HEDDLE_MAX_GROUPS), NULL);
  return NULL;
}

static void
use_label (Labelling *self, const HeddleLabel *label)
{
  HeddleTile tile = { label->axis, label->size };

  if (label->kind == HEDDLE_LABEL_GROUP)
    g_array_append_val (self->tiling.groups, tile);
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
check_divisors (Labelling *self)
{
  for (guint i = 0; i < self->kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (self->kernel->labels, i);
      const gint64 *divisor = g_hash_table_lookup (self->divisors, label->axis);
      gboolean loops = label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM;

      if (!loops || divisor == NULL || label->size % *divisor == 0
          || label->size >= heddle_sizes_get (self->context->sizes, label->axis))
        continue;
      g_ptr_array_add (self->kernel->refusals,
          heddle_refusal_new (label->axis, label->kind, NULL,
              g_strdup_printf (
                  _ ("%" G_GINT64_FORMAT " of %s is no multiple of its divisor %" G_GINT64_FORMAT "."),
                  label->size, heddle_diagram_get_axis (self->context->diagram, label->axis)->name, *divisor),
              g_strdup_printf (_ ("Make it %" G_GINT64_FORMAT "."),
                  heddle_saturating_multiply (label->size / *divisor + 1, *divisor))));
    }
}

static gboolean
read_labels (Labelling *self, const HeddleRegion *region, GError **error)
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
  check_divisors (self);
  return TRUE;
}

/* Values are placed where the region puts them: inside at its level, at its ends in global memory. Other places are not had. */
static gboolean
check_residency (const Labelling *self, GError **error)
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

/* --- loop order ----------------------------------------------------------------------------------- */

static gint
order_of (const Labelling *self, const char *axis)
{
  gpointer order = g_hash_table_lookup (self->orders, axis);

  return order != NULL ? GPOINTER_TO_INT (order) : G_MAXINT;
}

static gint
compare_tiles (gconstpointer a, gconstpointer b, gpointer data)
{
  const Labelling *self = data;
  const HeddleTile *x = a, *y = b;
  gint first = order_of (self, x->axis), second = order_of (self, y->axis);

  if (first != second)
    return first < second ? -1 : 1;
  return heddle_ids_find (self->term->axes, x->axis) - heddle_ids_find (self->term->axes, y->axis);
}

/* --- pricing ---------------------------------------------------------------------------------------- */

static void
set_time (HeddleKernel *self, const HeddleTime *time)
{
  self->waves = time->waves;
  self->flops = time->flops;
  self->special_ops = time->special_ops;
  self->tensor_s = time->tensor_s;
  self->special_s = time->special_s;
  self->fp32_s = time->fp32_s;
  self->dram_s = time->dram_s;
  self->l2_s = time->l2_s;
  self->smem_s = time->smem_s;
  self->overlapped_s = time->overlapped_s;
  self->serial_s = time->serial_s;
  self->expected_s = time->expected_s;
  self->bound = time->bound;
}

static void
price (const HeddleDeriveContext *context, HeddleKernel *self)
{
  g_autoptr (HeddleCost) cost = heddle_cost_new (self->program, context->sizes, context->options->columns);
  HeddleLevelCost *level = heddle_cost_level (cost, context->options->machine, context->level);
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  HeddleTime time;

  heddle_cost_own_tiles (cost, tiles, &chunk);
  time = heddle_time_new (context, cost, tiles, chunk);
  set_time (self, &time);
  g_ptr_array_add (self->levels, level);
  g_ptr_array_unref (self->columns);
  self->columns = heddle_cost_columns (cost);
  self->fits = heddle_kernel_fits (context, cost, tiles, chunk);
  self->groups = heddle_cost_groups (cost, tiles);
  self->intensity = level->transfer_bytes > 0 ? time.flops / (double) level->transfer_bytes : 0.;
  self->ridge_tile = heddle_time_ridge_tile (context, cost);
}

/* --- the kernel --------------------------------------------------------------------------------------- */

static gboolean
has_label (const HeddleKernel *self, const char *axis, HeddleLabelKind kind)
{
  for (guint i = 0; i < self->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (self->labels, i);

      if (label->axis == axis && label->kind == kind)
        return TRUE;
    }
  return FALSE;
}

static void
add_suggested (Labelling *self)
{
  const HeddleTiling *tiling = &self->tiling;
  GPtrArray *labels = self->kernel->labels;

  for (guint i = 0; i < tiling->groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (tiling->groups, HeddleTile, i);

      if (!has_label (self->kernel, tile->axis, HEDDLE_LABEL_GROUP))
        g_ptr_array_add (
            labels, heddle_label_new (tile->axis, tiling->level, HEDDLE_LABEL_GROUP, tile->size));
    }
  if (tiling->stream != NULL && !has_label (self->kernel, tiling->stream, HEDDLE_LABEL_STREAM))
    g_ptr_array_add (
        labels, heddle_label_new (tiling->stream, tiling->level, HEDDLE_LABEL_STREAM, tiling->chunk));
}

static HeddleStreamPlan *
find_plan (Labelling *self, HeddleDerivation *totals, GError **error)
{
  HeddleSearchReport report = { 0, TRUE };
  HeddleObstacle obstacle;
  HeddleStreamPlan *plan;

  if (self->context->options->suggest)
    plan = heddle_search (self->context, self->term, &self->tiling, self->divisors, &report, error);
  else
    plan = heddle_stream_plan_new (self->term, self->tiling.stream, &obstacle);
  g_array_sort_with_data (self->tiling.groups, compare_tiles, self);
  totals->candidates += report.candidates;
  totals->exact = totals->exact && report.exact;
  if (plan != NULL && self->context->options->suggest)
    add_suggested (self);
  return plan;
}

static gboolean
build (Labelling *self, HeddleDerivation *totals, GError **error)
{
  g_autofree char *name = heddle_kernel_name (self->context->diagram, self->term->operations);
  g_autoptr (HeddleStreamPlan) plan = find_plan (self, totals, error);

  if (plan == NULL)
    return FALSE;
  self->kernel->program = heddle_loop_program_new (self->term, plan, &self->tiling, name);
  price (self->context, self->kernel);
  return TRUE;
}

static HeddleKernel *
kernel_alloc (const HeddleRegion *region, const GArray *operations)
{
  HeddleKernel *self = g_new0 (HeddleKernel, 1);

  self->region_id = region != NULL ? region->id : NULL;
  self->operations = heddle_ids_copy (operations);
  self->labels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_label_free);
  self->refusals = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_refusal_free);
  self->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_level_cost_free);
  self->columns = g_ptr_array_new_with_free_func (g_free);
  self->bound = "";
  return self;
}

HeddleKernel *
heddle_kernel_new (const HeddleDeriveContext *context, const HeddleRegion *region, const GArray *operations,
    HeddleDerivation *totals, GError **error)
{
  g_autoptr (HeddleRegionTerm) term
      = heddle_region_term_new (context->diagram, operations, context->sizes, error);
  HeddleKernel *kernel;
  g_auto (Labelling) labelling = { context, term, NULL,
    { g_array_new (FALSE, FALSE, sizeof (HeddleTile)), NULL, 1, context->level,
        MAX (context->options->stages, 1), context->dtype },
    g_hash_table_new_full (NULL, NULL, NULL, g_free), g_hash_table_new (NULL, NULL) };

  if (term == NULL)
    return NULL;
  kernel = kernel_alloc (region, term->operations);
  labelling.kernel = kernel;
  if (read_labels (&labelling, region, error) && check_residency (&labelling, error)
      && (kernel->refusals->len > 0 || build (&labelling, totals, error)))
    return kernel;
  heddle_kernel_free (kernel);
  return NULL;
}
