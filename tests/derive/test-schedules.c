/* SPDX-License-Identifier: MIT */
#include "derive/legality.h"
#include "derive/region.h"
#include "fixture.h"

/* Random legal schedules over every shipped example: which statements are fused, how axes are labelled and how large they are is drawn; what
 * the executor computes, moves and holds is what the evaluator and the cost say. */

#define MAX_SIZE 9
#define MAX_ELEMENTS 100000
#define KEEP_PAIRS 20
#define MAX_TRIES 90 /* ever smaller */

/* Kernels run, those of them with labels, axes that stream within their groups, and labels at registers; kernels that cannot be. */
static guint n_run, n_labelled, n_split, n_inner, n_unmade;

typedef struct
{
  GRand *random;
  const char *file;
  HeddleDiagram *diagram;
  HeddleSizes *sizes;
  HeddleSchedule *schedule;
} Draw;

static guint
pick (Draw *self, guint n)
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
static HeddleSizes *
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
          gint64 size = 1 + (gint64) pick (self, MAX_SIZE - tries * MAX_SIZE / MAX_TRIES);

          if (axis->size != NULL
              && heddle_expr_get_kind (axis->size) == HEDDLE_EXPR_NUMBER
              /* pairs that must stay pairs: those of a transposed convolution */
              && (tries < KEEP_PAIRS || heddle_expr_get_number (axis->size) != 2.)
              && !g_str_has_suffix (axis->name, ".times")) /* written out already */
            g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
        }
      sizes = heddle_sizes_new (self->diagram, overrides, NULL);
      if (sizes != NULL && is_small (self->diagram, sizes))
        return sizes;
      g_clear_pointer (&sizes, heddle_sizes_unref);
    }
  return heddle_sizes_new (self->diagram, NULL, NULL);
}

/* --- kernels ------------------------------------------------------------------------------------ */

/* A run of operations from one to another: one kernel, where it can be one. */
static void
draw_region (Draw *self)
{
  guint n = self->diagram->operations->len, from = pick (self, n), to = from + 1 + pick (self, n - from);
  g_autoptr (HeddleRegionTerm) term = NULL;
  HeddleRegion *region;
  g_autoptr (GArray) operations = heddle_ids_new ();

  for (guint i = from; i < to; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (heddle_schedule_region_of (self->schedule, operation->id) != NULL)
        return;
      heddle_ids_append (operations, operation->id);
    }
  term = heddle_region_term_new (self->diagram, operations, self->sizes, NULL);
  if (term == NULL)
    return;
  region = heddle_schedule_add_region (self->schedule);
  g_array_unref (region->operations);
  region->operations = g_steal_pointer (&operations);
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

static void
draw_schedule (Draw *self)
{
  self->schedule = heddle_schedule_new (self->diagram->id);
  for (guint i = 0, n = pick (self, 4); i < n; i++)
    draw_region (self);
  for (guint i = 0; i < self->diagram->operations->len; i++)
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
      region->labels, heddle_label_new (axis, "smem", kind, 1 + (gint64) pick (self, MAX_SIZE + 1)));
}

/* A group of an axis that streams within its groups is a whole number of chunks. */
static void
fit_stream (HeddleRegion *region, const char *axis)
{
  const HeddleLabel *stream = heddle_region_get_label (region, axis, "smem", HEDDLE_LABEL_STREAM);
  HeddleLabel *group = heddle_region_get_label (region, axis, "smem", HEDDLE_LABEL_GROUP);

  if (stream == NULL || group == NULL)
    return;
  group->size = (group->size + stream->size - 1) / stream->size * stream->size;
  n_split++;
}

static void
draw_labels (Draw *self, HeddleRegion *region)
{
  g_autoptr (HeddleRegionTerm) term
      = heddle_region_term_new (self->diagram, region->operations, self->sizes, NULL);
  guint first;

  if (term == NULL)
    return;
  first = pick (self, term->axes->len);
  for (guint i = 0; i < term->axes->len && region->labels->len == 0 && pick (self, 5) > 0; i++)
    draw_label (
        self, region, heddle_ids_index (term->axes, (first + i) % term->axes->len), HEDDLE_LABEL_STREAM);
  for (guint i = 0; i < term->axes->len; i++)
    {
      const char *axis = heddle_ids_index (term->axes, i);

      if (pick (self, 2) == 0)
        draw_label (self, region, axis, HEDDLE_LABEL_GROUP);
      fit_stream (region, axis);
    }
}

/* A tile or chunk within those at SMEM is a part of them without rest. */
static gint64
draw_part (Draw *self, const HeddleRegion *region, const char *axis, HeddleLabelKind kind)
{
  const HeddleLabel *outer = heddle_region_get_label (region, axis, "smem", kind);
  gint64 size = 1 + (gint64) pick (self, MAX_SIZE), n = heddle_sizes_get (self->sizes, axis);

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
  n_inner++;
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

/* Tiles within tiles and chunks within chunks. */
static void
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

      if (streamed_axis (region) == NULL ? pick (self, 3) == 0 : axis == stream && pick (self, 2) == 0)
        draw_inner (self, region, axis, HEDDLE_LABEL_STREAM);
      else if (pick (self, 2) == 0)
        draw_inner (self, region, axis, HEDDLE_LABEL_GROUP);
    }
}

/* --- the check ------------------------------------------------------------------------------------- */

static void
check (Draw *self, guint round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = round % 2 == 0 ? heddle_machine_find ("two-level", 1000000, &error)
                                                     : heddle_machine_find ("h100", 0, &error);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;
  HeddleColumns columns = round % 3 != 1 ? HEDDLE_COLUMNS_ALL : HEDDLE_COLUMNS_OPERANDS;
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F64, columns, HEDDLE_OBJECTIVE_TRANSFERS, 1 + round % 3, FALSE };
  g_autoptr (HeddleDerivation) derivation = NULL;

  g_assert_true (heddle_evaluate_fill_inputs (self->diagram, self->sizes, inputs, round, &error));
  reference = heddle_evaluate (self->diagram, self->sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  derivation = heddle_derive (self->diagram, self->schedule, self->sizes, &options, NULL, &error);
  if (g_error_matches (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION)
      || g_error_matches (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM))
    return; /* regions that wait for one another, or fused with what no loop program says: said, not run */
  g_assert_no_error (error);
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = fixture_kernel (derivation, i);
      g_autofree char *what = g_strdup_printf ("%s, round %u, kernel %u", self->file, round, i);

      if (kernel->refusals->len > 0)
        g_error ("%s: %s", what, ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason);
      if (kernel->unmade != NULL && strstr (kernel->unmade, "another kernel read outside") == NULL)
        g_error ("%s: %s", what, kernel->unmade);
      n_unmade += kernel->unmade != NULL ? 1 : 0;
      if (kernel->unmade != NULL)
        continue;
      fixture_check_kernel (self->sizes, what, kernel, reference, columns);
      n_run++;
      n_labelled += kernel->labels->len > 0 ? 1 : 0;
    }
}

static void
test_example (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", data, NULL);
  g_autoptr (HeddleSnapshot) document = heddle_file_load (path, problems, &error);
  g_assert_no_error (error);
  g_autoptr (HeddleSnapshot) snapshot
      = heddle_snapshot_flatten (document, heddle_snapshot_get_diagram (document, NULL), NULL, NULL, &error);
  g_autoptr (GRand) random = g_rand_new_with_seed (g_str_hash (data));
  guint n = g_test_thorough () ? 30 : 2;

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      Draw draw = { random, data, heddle_snapshot_get_diagram (snapshot, NULL) };

      draw.sizes = draw_sizes (&draw);
      g_assert_nonnull (draw.sizes);
      draw_schedule (&draw);
      for (guint k = 0; k < draw.schedule->regions->len; k++)
        {
          draw_labels (&draw, g_ptr_array_index (draw.schedule->regions, k));
          if (i % 2 == 1)
            draw_inner_labels (&draw, g_ptr_array_index (draw.schedule->regions, k));
        }
      check (&draw, i);
      heddle_schedule_free (draw.schedule);
      heddle_sizes_unref (draw.sizes);
    }
}

/* Schedules without labels would prove little. */
static void
test_enough (void)
{
  g_test_message (
      "%u kernels, %u of them with labels; %u axes stream within their groups; %u labels at registers", n_run,
      n_labelled, n_split, n_inner);
  g_assert_cmpuint (3 * n_labelled, >=, 2 * n_run);
  g_assert_cmpuint (10 * n_split, >=, n_run);
  g_assert_cmpuint (4 * n_inner, >=, n_run);
  g_assert_cmpuint (50 * n_unmade, <=, n_run);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = NULL;
  g_autoptr (GDir) directory = NULL;

  g_test_init (&argc, &argv, NULL);
  path = g_build_filename (heddle_data_directory (), "examples", NULL);
  directory = g_dir_open (path, 0, NULL);
  g_assert_nonnull (directory);
  for (const char *name = g_dir_read_name (directory); name != NULL; name = g_dir_read_name (directory))
    if (g_str_has_suffix (name, ".ncd"))
      {
        g_autofree char *test = g_strdup_printf ("/schedules/%s", name);

        g_test_add_data_func_full (test, g_strdup (name), test_example, g_free);
      }
  g_test_add_func ("/schedules/enough", test_enough);
  return g_test_run ();
}
