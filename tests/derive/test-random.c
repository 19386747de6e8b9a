/* SPDX-License-Identifier: MIT */
#include "draw.h"

#include <math.h>
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/execute/execute.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/program/pseudocode.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/write.h"

/* Random diagrams of the operation table, fused whole, with random labels as far as they are legal: whatever the algebra admits must give the
 * evaluator's values and cost what it says. */

#define N_AXES 3

typedef struct
{
  GRand *random;
  HeddleDiagram *diagram;
  const char *axes[N_AXES];
  GPtrArray *values; /* ids */
  gboolean lower; /* labels at registers too */
} Maker;

static guint
pick (Maker *self, guint n)
{
  return (guint) g_rand_int_range (self->random, 0, (gint32) n);
}

static const HeddleValue *
pick_value (Maker *self)
{
  /* The later ones more often, so that chains grow. */
  guint a = pick (self, self->values->len), b = pick (self, self->values->len);

  return heddle_diagram_get_value (self->diagram, g_ptr_array_index (self->values, MAX (a, b)));
}

static const char *
add_result (Maker *self, const HeddleOperationKind *kind, const GArray *operands, const GArray *core,
    const GArray *axes, HeddleExpr *body)
{
  g_autofree char *name = g_strdup_printf ("v_%u", self->values->len);
  const char *id = heddle_diagram_add_value (
      self->diagram, NULL, name, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes)
                       ->id;
  HeddleOperation *operation
      = heddle_diagram_add_operation (self->diagram, NULL, kind, operands, id, core, -1);

  operation->body = body;
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS && kind->options[i].name != NULL; i++)
    operation->options[i] = 1e-3;
  g_ptr_array_add (self->values, (gpointer) id);
  return id;
}

static GArray *
join_axes (const HeddleValue *a, const HeddleValue *b)
{
  GArray *axes = heddle_ids_copy (a->axes);

  for (guint i = 0; i < b->axes->len; i++)
    if (!heddle_ids_contain (axes, heddle_ids_index (b->axes, i)))
      heddle_ids_append (axes, heddle_ids_index (b->axes, i));
  return axes;
}

static void
add_unary (Maker *self)
{
  static const char *const bodies[] = { "tanh($0)", "$0*0.5", "relu($0)", "-$0", "exp(-$0*$0)",
    "1/(1 + $0*$0)", "where($0 > 0, $0, 0)", "where($0 > 0.5, -inf, $0)" };
  const HeddleValue *value = pick_value (self);
  g_autoptr (GArray) operands = heddle_ids_new (), none = heddle_ids_new ();

  heddle_ids_append (operands, value->id);
  add_result (self, heddle_operation_kind ("map"), operands, none, value->axes,
      heddle_expr_literal (bodies[pick (self, G_N_ELEMENTS (bodies))]));
}

static void
add_binary (Maker *self)
{
  static const char *const bodies[] = { "$0*$1", "$0*$1", "$0 + $1", "$0/(1 + $1*$1)", "$0/$1",
    "exp($0 - $1)", "exp(($0 - $1)*0.5)", "where($1 > 0, $0, 0)", "where($1 == 0, 0, $0/$1)", "$0 - $1",
    "($0 - $1)^2", "($0 - $1)*$1", "where($0 > $1, $0 - $1, 0.5*$0)" };
  const HeddleValue *a = pick_value (self), *b = pick_value (self);
  g_autoptr (GArray) operands = heddle_ids_new (), none = heddle_ids_new (), axes = join_axes (a, b);

  heddle_ids_append (operands, a->id);
  heddle_ids_append (operands, b->id);
  add_result (self, heddle_operation_kind ("map"), operands, none, axes,
      heddle_expr_literal (bodies[pick (self, G_N_ELEMENTS (bodies))]));
}

/* @axes without one of them, which goes into @core; FALSE: there is none. */
static gboolean
take_axis (Maker *self, GArray *axes, GArray *core)
{
  guint i;

  if (axes->len == 0)
    return FALSE;
  i = pick (self, axes->len);
  heddle_ids_append (core, heddle_ids_index (axes, i));
  g_array_remove_index (axes, i);
  return TRUE;
}

static void
add_contraction (Maker *self)
{
  const HeddleValue *a = pick_value (self), *b = pick_value (self);
  g_autoptr (GArray) operands = heddle_ids_new (), core = heddle_ids_new (), axes = join_axes (a, b);

  heddle_ids_append (operands, a->id);
  heddle_ids_append (operands, b->id);
  if (take_axis (self, axes, core))
    add_result (self, heddle_operation_kind ("contract"), operands, core, axes, NULL);
}

static void
add_row (Maker *self)
{
  static const char *const kinds[] = { "sum", "max", "min", "prod", "mean", "logsumexp", "softmax", "softmax",
    "rmsnorm", "l2norm", "layernorm", "layernorm" };
  const HeddleOperationKind *kind = heddle_operation_kind (kinds[pick (self, G_N_ELEMENTS (kinds))]);
  const HeddleValue *value = pick_value (self);
  g_autoptr (GArray) operands = heddle_ids_new (), core = heddle_ids_new (),
                     axes = heddle_ids_copy (value->axes);

  heddle_ids_append (operands, value->id);
  if (take_axis (self, axes, core))
    add_result (self, kind, operands, core, kind->form == HEDDLE_FORM_REDUCE ? axes : value->axes, NULL);
}

static void
make_inputs (Maker *self)
{
  for (guint i = 0; i < N_AXES; i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };

      self->axes[i]
          = heddle_diagram_add_axis (self->diagram, NULL, name, heddle_expr_number (1. + pick (self, 6)))->id;
    }
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("X_%u", i);
      g_autoptr (GArray) axes = heddle_ids_new ();

      for (guint k = 0; k < N_AXES; k++)
        if (pick (self, 3) > 0)
          heddle_ids_append (axes, self->axes[k]);
      g_ptr_array_add (self->values, (gpointer) heddle_diagram_add_value (
                                         self->diagram, NULL, name, HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_F64, axes)
                                         ->id);
    }
}

static void
make_diagram (Maker *self)
{
  guint n = 2 + pick (self, 7);

  make_inputs (self);
  while (self->diagram->operations->len == 0 || n-- > 0)
    switch (pick (self, 4))
      {
      case 0:
        add_unary (self);
        break;
      case 1:
        add_binary (self);
        break;
      case 2:
        add_contraction (self);
        break;
      default:
        add_row (self);
      }
}

static void
add_label (Maker *self, HeddleSchedule *schedule, const char *axis, HeddleLabelKind kind, gint64 multiple)
{
  const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, 0);
  g_autoptr (HeddleRefusal) refusal
      = heddle_derive_try_label (self->diagram, schedule, operation->id, axis, kind);
  HeddleRegion *region = g_ptr_array_index (schedule->regions, 0);

  if (refusal == NULL)
    g_ptr_array_add (
        region->labels, heddle_label_new (axis, "smem", kind, multiple * (1 + (gint64) pick (self, 5))));
  else
    g_assert_cmpstr (refusal->reason, !=, "");
}

/* Streams one axis where one can be, and groups axes, by whole chunks that which streams. Returns whether one streams. */
static gboolean
add_labels (Maker *self, HeddleSchedule *schedule)
{
  guint first = pick (self, N_AXES);
  const HeddleRegion *region = g_ptr_array_index (schedule->regions, 0);
  const char *stream = NULL;

  for (guint i = 0; i < N_AXES && stream == NULL; i++)
    {
      add_label (self, schedule, self->axes[(first + i) % N_AXES], HEDDLE_LABEL_STREAM, 1);
      stream = region->labels->len > 0 ? self->axes[(first + i) % N_AXES] : NULL;
    }
  for (guint i = 0; i < N_AXES; i++)
    if (pick (self, 2) == 0)
      add_label (self, schedule, self->axes[i], HEDDLE_LABEL_GROUP,
          self->axes[i] == stream ? ((HeddleLabel *) g_ptr_array_index (region->labels, 0))->size : 1);
  return stream != NULL;
}

/* The same diagram of inputs that are off by so much of themselves tells how far its values are to be trusted: where sums cancel, a rounding
 * error of the terms is a large part of what is left. */
#define N_OFF 3
#define OFF 0x1p-36

typedef struct
{
  GHashTable *reference;
  GHashTable *off[N_OFF];
} Reference;

/* Apart by no more than errors of 256 units in the last place of the inputs make, of any element of the array: a row statistic takes the error of
 * one to all. */
static gboolean
is_close (const Reference *reference, const HeddleArray *result, const char *id)
{
  const HeddleArray *expected = g_hash_table_lookup (reference->reference, id);
  double moved = 0.;

  for (guint k = 0; k < N_OFF; k++)
    for (gint64 i = 0; i < expected->n_elements; i++)
      {
        double off = fabs (
            ((HeddleArray *) g_hash_table_lookup (reference->off[k], id))->data[i] - expected->data[i]);

        moved = MAX (moved, isfinite (off) ? off : 0.);
      }
  for (gint64 i = 0; i < expected->n_elements; i++)
    {
      double x = result->data[i], y = expected->data[i];
      double tolerance = 1e-12 * MAX (1., fabs (y)) + 256. * 0x1p-52 / OFF * moved;

      if (!(x == y || (!isfinite (x) && !isfinite (y)) || fabs (x - y) <= tolerance))
        return FALSE;
    }
  return TRUE;
}

static GHashTable *
evaluate_off (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs, GRand *random, double by)
{
  g_autoptr (GHashTable) off
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GError) error = NULL;
  GHashTable *values;
  GHashTableIter iter;
  gpointer id, array;

  g_hash_table_iter_init (&iter, inputs);
  while (g_hash_table_iter_next (&iter, &id, &array))
    {
      const HeddleArray *input = array;
      HeddleArray *copy = heddle_array_new (input->dtype, input->n_dims, input->shape, &error);

      g_assert_no_error (error);
      for (gint64 i = 0; i < input->n_elements; i++)
        copy->data[i] = input->data[i] * (1. + (g_rand_boolean (random) ? by : -by));
      g_hash_table_insert (off, g_strdup (id), copy);
    }
  values = heddle_evaluate (diagram, sizes, off, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  return values;
}

static gboolean
has_infinity (const HeddleArray *array)
{
  for (gint64 i = 0; i < array->n_elements; i++)
    if (isinf (array->data[i]))
      return TRUE;
  return FALSE;
}

/* Whether an infinity is a factor: a factor that the sum does not go over may be taken out of it, and then its sign is that of the sum, where
 * terms of both signs make none. */
static gboolean
multiplies_infinity (const HeddleDiagram *diagram, GHashTable *arrays)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->kind->form != HEDDLE_FORM_CONTRACT)
        continue;
      for (guint k = 0; k < operation->operands->len; k++)
        if (has_infinity (g_hash_table_lookup (arrays, heddle_ids_index (operation->operands, k))))
          return TRUE;
    }
  return FALSE;
}

/* A value that is not finite may be so in another way: inf - inf and 0 * inf come out as the order of sums has it. */
static gboolean
is_tame (const HeddleDiagram *diagram, GHashTable *arrays)
{
  GHashTableIter iter;
  gpointer array;

  g_hash_table_iter_init (&iter, arrays);
  while (g_hash_table_iter_next (&iter, NULL, &array))
    for (gint64 i = 0; i < ((HeddleArray *) array)->n_elements; i++)
      if (isnan (((HeddleArray *) array)->data[i]) || isinf (((HeddleArray *) array)->data[i]) > 0)
        return FALSE;
  return !multiplies_infinity (diagram, arrays);
}

static void
check_level (const Maker *self, const HeddleKernel *kernel, guint i, const HeddleLevelCounts *counts,
    const HeddleSizes *sizes)
{
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, i);
  g_autofree char *listing = heddle_loop_program_to_pseudocode (kernel->program, sizes, NULL);
  g_autofree char *text = heddle_equations_write (self->diagram);

  if (counts->transfer_elements != level->transfer_elements
      || counts->peak_elements != level->memory_elements)
    g_error ("%s\n%s\n%s: %" G_GINT64_FORMAT " elements crossed, %" G_GINT64_FORMAT
             " by the cost; %" G_GINT64_FORMAT " were held, %" G_GINT64_FORMAT " by the cost",
        text, listing, level->level, counts->transfer_elements, level->transfer_elements,
        counts->peak_elements, level->memory_elements);
}

static void
check (Maker *self, const HeddleSchedule *schedule, const HeddleSizes *sizes, const Reference *reference)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find (self->lower ? "h100" : "two-level", 0, NULL);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F64, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };
  g_autoptr (HeddleDerivation) derivation
      = heddle_derive (self->diagram, schedule, sizes, &options, NULL, &error);
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  const HeddleKernel *kernel;
  HeddleCounts counts;

  g_assert_no_error (error);
  kernel = fixture_kernel (derivation, 0);
  g_assert_nonnull (kernel->program);
  for (guint i = 0; i < kernel->program->inputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->inputs, i);

      g_hash_table_insert (
          arrays, (gpointer) id, heddle_array_ref (g_hash_table_lookup (reference->reference, id)));
    }
  heddle_execute (kernel->program, sizes, arrays, &counts, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < kernel->levels->len; i++)
    check_level (self, kernel, i, &counts.levels[i], sizes);
  for (guint i = 0; is_tame (self->diagram, reference->reference) && i < kernel->program->outputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->outputs, i);

      if (!is_close (reference, g_hash_table_lookup (arrays, id), id))
        {
          g_autofree char *listing = heddle_loop_program_to_pseudocode (kernel->program, sizes, NULL);
          g_autofree char *text = heddle_equations_write (self->diagram);

          g_error ("%s\n%s\n%s is not the evaluator's", text, listing, id);
        }
    }
}

/* Returns 1 for a region that streams and whose values were compared. */
static guint
run_one (GRand *random, guint round)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("random");
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  Maker maker = { random, diagram, { NULL }, values, round % 2 == 1 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GRand) off = NULL;
  Reference reference = { NULL };
  HeddleSchedule *schedule;
  gboolean streams, tame;

  make_diagram (&maker);
  sizes = heddle_sizes_new (diagram, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (heddle_evaluate_fill_inputs (diagram, sizes, inputs, g_rand_int (random), &error));
  off = g_rand_new_with_seed (round);
  reference.reference = evaluate_off (diagram, sizes, inputs, off, 0.);
  for (guint k = 0; k < N_OFF; k++)
    reference.off[k] = evaluate_off (diagram, sizes, inputs, off, OFF);
  schedule = heddle_schedule_fuse (diagram, NULL, "all", &error);
  g_assert_no_error (error);
  streams = add_labels (&maker, schedule);
  if (maker.lower)
    {
      Draw draw = { "random", random, diagram, sizes, schedule, NULL, 0, 0 };

      draw_inner_labels (&draw, g_ptr_array_index (schedule->regions, 0));
    }
  check (&maker, schedule, sizes, &reference);
  tame = is_tame (diagram, reference.reference);
  heddle_schedule_free (schedule);
  g_hash_table_unref (reference.reference);
  for (guint k = 0; k < N_OFF; k++)
    g_hash_table_unref (reference.off[k]);
  return streams && tame ? 1 : 0;
}

/* Other diagrams: HEDDLE_SEED=7. */
static void
test_random (void)
{
  const char *given = g_getenv ("HEDDLE_SEED");
  g_autoptr (GRand) random
      = g_rand_new_with_seed (given != NULL ? (guint32) g_ascii_strtoull (given, NULL, 10) : 20261120);
  guint streamed = 0, n = g_test_thorough () ? 10000 : 400;

  for (guint i = 0; i < n; i++)
    streamed += run_one (random, i);
  g_test_message ("%u of %u streamed", streamed, n);
  g_assert_cmpuint (streamed, >, n / 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/random/diagrams", test_random);
  return g_test_run ();
}
