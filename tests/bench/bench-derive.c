/* SPDX-License-Identifier: MIT */

/* How long a derivation takes: of attention as at each frame of a drag, of one label tried, of a search, against the 5 ms a frame may take; and
 * how it grows with the number of operations fused. */

#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <math.h>
#include <stdio.h>

#define FRAME_MS 5.

typedef struct
{
  HeddleDiagram *diagram;
  HeddleSizes *sizes;
  HeddleSchedule *schedule;
  HeddleMachine *machine;
  const char *tail; /* the last operation */
} Bench;

static GArray *
ids (const char *first, const char *second)
{
  GArray *array = heddle_ids_new ();

  if (first != NULL)
    heddle_ids_append (array, first);
  if (second != NULL)
    heddle_ids_append (array, second);
  return array;
}

static const char *
add_value (HeddleDiagram *diagram, const char *name, HeddleValueRole role, const char *a, const char *b)
{
  g_autoptr (GArray) axes = ids (a, b);

  return heddle_diagram_add_value (diagram, NULL, name, role, HEDDLE_DTYPE_F16, axes)->id;
}

static const char *
add_operation (
    Bench *self, const char *kind, const char *a, const char *b, const char *axis, const char *result)
{
  g_autoptr (GArray) operands = ids (a, b), axes = ids (axis, NULL);
  HeddleOperation *operation = heddle_diagram_add_operation (
      self->diagram, NULL, heddle_operation_kind (kind), operands, result, axes, -1);

  if (g_str_equal (kind, "map"))
    operation->body
        = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_argument (0), heddle_expr_number (.125));
  self->tail = operation->id;
  return result;
}

/* Attention, its scores scaled @n times over. */
static void
bench_init (Bench *self, guint n)
{
  const char *q, *x, *d, *scores, *weights;

  self->diagram = heddle_diagram_new ("attention");
  q = heddle_diagram_add_axis (self->diagram, NULL, "q", heddle_expr_number (4096))->id;
  x = heddle_diagram_add_axis (self->diagram, NULL, "x", heddle_expr_number (4096))->id;
  d = heddle_diagram_add_axis (self->diagram, NULL, "d", heddle_expr_number (128))->id;
  scores = add_operation (self, "contract", add_value (self->diagram, "Q", HEDDLE_ROLE_INPUT, q, d),
      add_value (self->diagram, "K", HEDDLE_ROLE_INPUT, x, d), d,
      add_value (self->diagram, "S", HEDDLE_ROLE_INTERMEDIATE, q, x));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("S_{%u}", i);

      scores = add_operation (
          self, "map", scores, NULL, NULL, add_value (self->diagram, name, HEDDLE_ROLE_INTERMEDIATE, q, x));
    }
  weights = add_operation (
      self, "softmax", scores, NULL, x, add_value (self->diagram, "P", HEDDLE_ROLE_INTERMEDIATE, q, x));
  add_operation (self, "contract", weights, add_value (self->diagram, "V", HEDDLE_ROLE_INPUT, x, d), x,
      add_value (self->diagram, "O", HEDDLE_ROLE_INTERMEDIATE, q, d));
  self->sizes = heddle_sizes_new (self->diagram, NULL, NULL);
  self->machine = heddle_machine_find ("h100", 0, NULL);
  self->schedule = heddle_schedule_fuse (self->diagram, NULL, "all", NULL);
  g_assert (self->sizes != NULL && self->machine != NULL && self->schedule != NULL);
}

static void
bench_clear (Bench *self)
{
  heddle_schedule_free (self->schedule);
  heddle_machine_free (self->machine);
  heddle_sizes_unref (self->sizes);
  heddle_diagram_free (self->diagram);
}

static void
set_labels (Bench *self)
{
  g_assert (
      heddle_schedule_add_label_text (self->schedule, self->diagram, self->machine, "q:group=128", NULL));
  g_assert (
      heddle_schedule_add_label_text (self->schedule, self->diagram, self->machine, "x:stream=64", NULL));
}

static double
time_derive (const Bench *self, gboolean suggest, HeddleObjective objective, guint times)
{
  HeddleDeriveOptions options
      = { self->machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, objective, 1, suggest };
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < times; i++)
    {
      g_autoptr (HeddleDerivation) derivation
          = heddle_derive (self->diagram, self->schedule, self->sizes, &options, NULL, NULL);

      g_assert (derivation != NULL && fabs (derivation->flops - 8589934592.) < 1.);
    }
  return (double) (g_get_monotonic_time () - start) / 1e3 / times;
}

static double
time_try (const Bench *self, guint times)
{
  const char *axis = heddle_diagram_find_axis (self->diagram, "x")->id;
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < times; i++)
    {
      g_autoptr (HeddleRefusal) refusal
          = heddle_derive_try_label (self->diagram, self->schedule, self->tail, axis, HEDDLE_LABEL_GROUP);

      g_assert (refusal == NULL); /* its parts are merged */
    }
  return (double) (g_get_monotonic_time () - start) / 1e3 / times;
}

static void
report (const char *what, double ms, double against)
{
  printf ("%-34s %9.3f ms  %8.3f\n", what, ms, ms / against);
}

int
main (void)
{
  double one = 0.;

  printf ("%-34s %12s  %8s\n", "attention", "", "of 5 ms");
  {
    Bench bench;

    bench_init (&bench, 1);
    report ("suggest, least time", time_derive (&bench, TRUE, HEDDLE_OBJECTIVE_TIME, 20), FRAME_MS);
    report ("suggest, least transfers", time_derive (&bench, TRUE, HEDDLE_OBJECTIVE_TRANSFERS, 20), FRAME_MS);
    report ("try one label", time_try (&bench, 200), FRAME_MS);
    set_labels (&bench);
    one = time_derive (&bench, FALSE, HEDDLE_OBJECTIVE_TIME, 200);
    report ("derive with labels", one, FRAME_MS);
    bench_clear (&bench);
  }
  printf ("\n%-34s %12s  %8s\n", "operations fused", "", "of four");
  for (guint n = 8; n <= 512; n *= 4)
    {
      Bench bench;
      g_autofree char *what = g_strdup_printf ("%u", n + 3);

      bench_init (&bench, n);
      set_labels (&bench);
      report (what, time_derive (&bench, FALSE, HEDDLE_OBJECTIVE_TIME, 3), one);
      bench_clear (&bench);
    }
  return 0;
}
