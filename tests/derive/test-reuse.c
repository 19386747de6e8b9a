/* SPDX-License-Identifier: MIT */
#include "fixture.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/place-text.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/program/pseudocode.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* Deriving again with another schedule: what is shared with the derivation before, and that it is what deriving anew gives. */

#define NETWORK                                                                                              \
  "X : f16[b=512, m=768]\nA : f16[m, n=3072]\nB : f16[n, m]\n"                                               \
  "H[b,n] = X[b,m] A[m,n]\n"                                                                                 \
  "R[b,n] = relu(H[b,n])\n"                                                                                  \
  "Y[b,m] = R[b,n] B[n,m]\n"                                                                                 \
  "Z[b,m] = Y[b,m] + X[b,m]\n"

typedef struct
{
  Fixture fixture;
  HeddleMachine *machine;
  HeddleDeriveOptions options;
  HeddleSchedule *schedule; /* R is one kernel with H, each other statement its own */
} Case;

static void
add_label (const Case *self, HeddleSchedule *schedule, const char *label)
{
  g_autoptr (GError) error = NULL;

  heddle_schedule_add_label_text (schedule, self->fixture.diagram, self->machine, label, &error);
  g_assert_no_error (error);
}

static void
case_init (Case *self)
{
  g_autoptr (GError) error = NULL;

  fixture_init (&self->fixture, NETWORK, NULL);
  self->machine = heddle_machine_find ("h100", 0, &error);
  self->options = (HeddleDeriveOptions){ self->machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL,
    HEDDLE_OBJECTIVE_TIME, 1 };
  self->schedule = heddle_schedule_fuse (self->fixture.diagram, NULL, "H,R", &error);
  g_assert_no_error (error);
  add_label (self, self->schedule, "Y/b:group@smem=64"); /* and each statement is in a region */
}

static void
case_clear (Case *self)
{
  heddle_schedule_free (self->schedule);
  heddle_machine_free (self->machine);
  fixture_clear (&self->fixture);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static HeddleDerivation *
derive (const Case *self, const HeddleSchedule *schedule)
{
  g_autoptr (GError) error = NULL;
  HeddleDerivation *derivation
      = heddle_derive (self->fixture.diagram, schedule, self->fixture.sizes, &self->options, NULL, &error);

  g_assert_no_error (error);
  return derivation;
}

static HeddleDerivation *
derive_from (const Case *self, const HeddleDerivation *earlier, const HeddleSchedule *then,
    const HeddleSchedule *schedule)
{
  g_autoptr (GError) error = NULL;
  HeddleDerivation *derivation = heddle_derive_from (
      earlier, then, self->fixture.diagram, schedule, self->fixture.sizes, &self->options, NULL, &error);

  g_assert_no_error (error);
  return derivation;
}

static guint
count_shared (const HeddleDerivation *a, const HeddleDerivation *b)
{
  guint n = 0;

  for (guint i = 0; i < a->kernels->len; i++)
    n += g_ptr_array_find (b->kernels, g_ptr_array_index (a->kernels, i), NULL);
  return n;
}

static void
assert_same_kernel (const HeddleKernel *a, const HeddleKernel *b, const HeddleSizes *sizes)
{
  g_assert_cmpstr (a->name, ==, b->name);
  g_assert_cmpstr (a->region_id, ==, b->region_id);
  g_assert_cmpuint (a->labels->len, ==, b->labels->len);
  g_assert_cmpuint (a->refusals->len, ==, b->refusals->len);
  g_assert_cmpuint (a->again->len, ==, b->again->len);
  g_assert_cmpfloat (a->expected_s, ==, b->expected_s);
  g_assert_cmpfloat (a->above_bytes, ==, b->above_bytes);
  g_assert_cmpint (a->kept_bytes, ==, b->kept_bytes);
  g_assert_cmpint (a->groups, ==, b->groups);
  g_assert_cmpuint (a->levels->len, ==, b->levels->len);
  for (guint i = 0; i < a->levels->len; i++)
    {
      const HeddleLevelCost *one = g_ptr_array_index (a->levels, i);
      const HeddleLevelCost *other = g_ptr_array_index (b->levels, i);

      g_assert_cmpint (one->transfer_bytes, ==, other->transfer_bytes);
      g_assert_cmpint (one->memory_bytes, ==, other->memory_bytes);
    }
  g_assert_true ((a->program == NULL) == (b->program == NULL));
  if (a->program != NULL)
    {
      g_autofree char *one = heddle_loop_program_to_pseudocode (a->program, sizes, NULL);
      g_autofree char *other = heddle_loop_program_to_pseudocode (b->program, sizes, NULL);

      g_assert_cmpstr (one, ==, other);
    }
}

static void
assert_same (const Case *self, const HeddleDerivation *a, const HeddleDerivation *b)
{
  const HeddleSizes *sizes = self->fixture.sizes;

  g_assert_cmpuint (a->kernels->len, ==, b->kernels->len);
  for (guint i = 0; i < a->kernels->len; i++)
    {
      assert_same_kernel (g_ptr_array_index (a->kernels, i), g_ptr_array_index (b->kernels, i), sizes);
      g_assert_cmpint (g_array_index (a->held, gint64, i), ==, g_array_index (b->held, gint64, i));
    }
  g_assert_cmpint (a->transfer_bytes, ==, b->transfer_bytes);
  g_assert_cmpint (a->held_bytes, ==, b->held_bytes);
  g_assert_cmpuint (a->held_at, ==, b->held_at);
  g_assert_cmpfloat (a->flops, ==, b->flops);
  g_assert_cmpfloat (a->expected_s, ==, b->expected_s);
  g_assert_true (a->illegal == b->illegal && a->exact == b->exact);
}

/* --- tests ------------------------------------------------------------------------------------ */

/* One kernel gets labels: the other two are those that there were, and stay when the first derivation is gone. */
static void
test_label (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) earlier = NULL, tried = NULL, anew = NULL, back = NULL, first = NULL;
  HeddleSchedule *labelled;

  case_init (&self);
  earlier = derive (&self, self.schedule);
  first = derive (&self, self.schedule);
  labelled = heddle_schedule_copy (self.schedule);
  add_label (&self, labelled, "H/b:group@smem=64");
  tried = derive_from (&self, earlier, self.schedule, labelled);
  anew = derive (&self, labelled);
  g_assert_cmpuint (tried->kernels->len, ==, 3);
  g_assert_cmpuint (count_shared (tried, earlier), ==, 2);
  g_assert_cmpint (tried->transfer_bytes, !=, earlier->transfer_bytes);
  assert_same (&self, tried, anew);
  assert_same (&self, earlier, first); /* trying changed nothing of it */
  g_clear_pointer (&earlier, heddle_derivation_free);
  assert_same (&self, tried, anew);
  back = derive_from (&self, tried, labelled, self.schedule);
  g_assert_cmpuint (count_shared (back, tried), ==, 2);
  assert_same (&self, back, first);
  heddle_schedule_free (labelled);
}

/* The same label in another size is another kernel. */
static void
test_size (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) earlier = NULL, tried = NULL, anew = NULL;
  HeddleSchedule *other;

  case_init (&self);
  other = heddle_schedule_copy (self.schedule);
  add_label (&self, self.schedule, "H/b:group@smem=64");
  add_label (&self, other, "H/b:group@smem=128");
  earlier = derive (&self, self.schedule);
  tried = derive_from (&self, earlier, self.schedule, other);
  anew = derive (&self, other);
  g_assert_cmpuint (count_shared (tried, earlier), ==, 2);
  assert_same (&self, tried, anew);
  heddle_schedule_free (other);
}

/* Fused or apart: what is in other company is made anew. What each holds is told of the whole derivation, not of the kernel. */
static void
test_fusion (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) earlier = NULL, tried = NULL, anew = NULL;
  HeddleSchedule *apart;

  case_init (&self);
  apart = heddle_schedule_copy (self.schedule);
  earlier = derive (&self, self.schedule);
  g_ptr_array_remove (
      apart->regions, heddle_schedule_get_region (apart, fixture_kernel (earlier, 0)->region_id));
  tried = derive_from (&self, earlier, self.schedule, apart);
  anew = derive (&self, apart);
  g_assert_cmpuint (tried->kernels->len, ==, 4);
  g_assert_cmpuint (count_shared (tried, earlier), ==, 2);
  g_assert_cmpint (tried->held_bytes, >, earlier->held_bytes);
  assert_same (&self, tried, anew);
  heddle_schedule_free (apart);
}

/* A refusal names what else would have to be fused: it is looked for again. */
static void
test_refused (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) earlier = NULL, again = NULL;

  case_init (&self);
  add_label (&self, self.schedule, "H/n:stream@smem=64");
  add_label (&self, self.schedule, "H/m:group@smem=64");
  earlier = derive (&self, self.schedule);
  g_assert_true (earlier->illegal);
  again = derive_from (&self, earlier, self.schedule, self.schedule);
  g_assert_cmpuint (count_shared (again, earlier), ==, 2);
  assert_same (&self, again, earlier);
}

/* Where arrays are placed, what is worked out again, and what tiles are multiples of matters to every kernel. */
static void
test_whole (void)
{
  static const char *const divisors[] = { NULL, "mma" };
  g_auto (Case) self = { 0 };

  case_init (&self);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleDerivation) earlier = NULL, tried = NULL, anew = NULL, back = NULL;
      HeddleSchedule *other = heddle_schedule_copy (self.schedule);

      if (i == 0)
        g_assert_true (
            heddle_schedule_add_place_text (other, self.fixture.diagram, self.machine, "Y@l2", &error));
      else if (i == 1)
        g_assert_true (heddle_schedule_add_recompute_text (other, self.fixture.diagram, "R:Y", &error));
      else
        other->divisors = g_strdup (divisors[1]);
      g_assert_no_error (error);
      earlier = derive (&self, self.schedule);
      tried = derive_from (&self, earlier, self.schedule, other);
      anew = derive (&self, other);
      g_assert_cmpuint (count_shared (tried, earlier), ==, 0);
      assert_same (&self, tried, anew);
      back = derive_from (&self, tried, other, self.schedule);
      assert_same (&self, back, earlier);
      heddle_schedule_free (other);
    }
}

/* Who wants prices and labels gets the same ones without the loop programs. */
static void
test_lean (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDerivation) whole = NULL, lean = NULL;

  case_init (&self);
  self.options.suggest = TRUE;
  whole = derive (&self, self.schedule);
  self.options.lean = TRUE;
  lean = derive (&self, self.schedule);
  g_assert_cmpuint (lean->kernels->len, ==, whole->kernels->len);
  g_assert_cmpfloat (lean->expected_s, ==, whole->expected_s);
  g_assert_cmpint (lean->transfer_bytes, ==, whole->transfer_bytes);
  for (guint i = 0; i < whole->kernels->len; i++)
    {
      const HeddleKernel *a = fixture_kernel (whole, i), *b = fixture_kernel (lean, i);

      g_assert_nonnull (a->program);
      g_assert_null (b->program);
      g_assert_cmpfloat (a->expected_s, ==, b->expected_s);
      g_assert_true (a->fits == b->fits);
      g_assert_cmpuint (a->labels->len, ==, b->labels->len);
      for (guint k = 0; k < a->labels->len; k++)
        g_assert_cmpint (((HeddleLabel *) g_ptr_array_index (a->labels, k))->size, ==,
            ((HeddleLabel *) g_ptr_array_index (b->labels, k))->size);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/derive/reuse/label", test_label);
  g_test_add_func ("/derive/reuse/size", test_size);
  g_test_add_func ("/derive/reuse/fusion", test_fusion);
  g_test_add_func ("/derive/reuse/refused", test_refused);
  g_test_add_func ("/derive/reuse/whole", test_whole);
  g_test_add_func ("/derive/reuse/lean", test_lean);
  return g_test_run ();
}
