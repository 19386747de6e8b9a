/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/parted.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/suggestion.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/machine/find.h"

/* Tests that the better kernels of two cuts are taken wherever kernels of both make the same values. */

typedef struct
{
  Case of;
  HeddleMachine *machine;
  HeddleDeriveOptions options;
} Fixture;

static void
fixture_init (Fixture *self, const char *text)
{
  g_autoptr (GError) error = NULL;

  *self = (Fixture){ .machine = heddle_machine_find ("h100", 0, &error) };
  g_assert_no_error (error);
  self->options = (HeddleDeriveOptions){ .machine = self->machine,
    .dtype = HEDDLE_DTYPE_F16,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .product_shares = heddle_plan_product_shares };
  case_init (&self->of, &(CaseOptions){ .text = text, .gpu = "h100", .automatic = TRUE });
}

static void
fixture_clear (Fixture *self)
{
  case_clear (&self->of);
  heddle_machine_free (self->machine);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* Returns the derivation of a schedule, which has all labels. */
static HeddleDerivation *
derive (const Fixture *self, const HeddleSchedule *schedule)
{
  g_autoptr (GError) error = NULL;
  HeddleDerivation *derivation
      = heddle_derive (self->of.diagram, schedule, self->of.plan->sizes, &self->options, NULL, &error);

  g_assert_no_error (error);
  return derivation;
}

/* Makes a cut in which the statements that @fuse names are one kernel, each other one by itself, with the
 * labels that are suggested for them. The caller frees what is in it. */
static HeddlePlanCut
cut_new (const Fixture *self, const char *fuse)
{
  g_autoptr (GError) error = NULL;
  HeddleSchedule *fused = heddle_schedule_fuse (self->of.diagram, NULL, fuse, &error), *labelled;
  HeddleDerivation *suggested;

  g_assert_no_error (error);
  suggested
      = heddle_plan_suggest (self->of.diagram, fused, self->of.plan->sizes, &self->options, NULL, &error);
  g_assert_no_error (error);
  labelled = heddle_plan_applied (self->of.diagram, fused, suggested, self->machine, HEDDLE_DTYPE_F16);
  heddle_schedule_free (fused);
  heddle_derivation_free (suggested);
  return (HeddlePlanCut){ labelled, derive (self, labelled) };
}

static void
cut_clear (HeddlePlanCut *self)
{
  heddle_schedule_free ((HeddleSchedule *) self->schedule);
  heddle_derivation_free ((HeddleDerivation *) self->derivation);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddlePlanCut, cut_clear)

static double
price (const Fixture *self, const HeddleDerivation *derivation)
{
  return heddle_plan_price (self->of.diagram, self->of.plan->sizes, &self->options, derivation);
}

static HeddleSchedule *
take_better (const Fixture *self, const HeddlePlanCut *cut, const HeddlePlanCut *other)
{
  return heddle_plan_take_better (self->of.diagram, self->of.plan->sizes, &self->options, cut, other);
}

/* Returns the values that the kernel of @value makes, as "B C". */
static char *
together_with (const Fixture *self, const HeddleSchedule *schedule, const char *value)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);
      gboolean has = FALSE;

      g_string_truncate (text, 0);
      for (guint k = 0; k < region->operations->len; k++)
        {
          const HeddleOperation *operation
              = heddle_diagram_get_operation (self->of.diagram, heddle_ids_index (region->operations, k));
          const char *name = heddle_diagram_get_value (self->of.diagram, operation->result)->name;

          has |= g_strcmp0 (name, value) == 0;
          g_string_append_printf (text, "%s%s", k > 0 ? " " : "", name);
        }
      if (has)
        return g_string_free (text, FALSE);
    }
  g_string_free (text, TRUE);
  return NULL;
}

static void
assert_together (const Fixture *self, const HeddleSchedule *schedule, const char *value, const char *all)
{
  g_autofree char *found = together_with (self, schedule, value);

  g_assert_cmpstr (found, ==, all);
}

/* Two chains of maps that have nothing in common. */
#define CHAINS                                                                                               \
  "X : f16[a=4096, b=4096]\nY : f16[c=4096, d=2048]\nB[a,b] = X[a,b] * 2\nC[a,b] = B[a,b] + 1\n"             \
  "D[c,d] = Y[c,d] * 3\nE[c,d] = D[c,d] + 1\n-> C, E\n"

/* Each cut fuses one of two chains, and both are fused where the better kernels of either are taken. */
static void
test_either (void)
{
  g_auto (Fixture) self = { 0 };

  fixture_init (&self, CHAINS);
  {
    g_auto (HeddlePlanCut) one = cut_new (&self, "B,C"), other = cut_new (&self, "D,E");
    HeddleSchedule *better = take_better (&self, &one, &other), *back = take_better (&self, &other, &one);
    g_autoptr (HeddleDerivation) derivation = NULL;

    g_assert_nonnull (better);
    g_assert_nonnull (back);
    g_assert_cmpuint (better->regions->len, ==, 2);
    g_assert_cmpuint (back->regions->len, ==, 2);
    assert_together (&self, better, "B", "B C");
    assert_together (&self, better, "E", "D E");
    assert_together (&self, back, "B", "B C");
    assert_together (&self, back, "E", "D E");
    derivation = derive (&self, better);
    g_assert_cmpfloat (price (&self, derivation), <, price (&self, one.derivation));
    g_assert_cmpfloat (price (&self, derivation), <, price (&self, other.derivation));
    /* nothing is left to take */
    g_assert_null (take_better (&self, &(HeddlePlanCut){ better, derivation }, &one));
    g_assert_null (take_better (&self, &(HeddlePlanCut){ better, derivation }, &other));
    heddle_schedule_free (better);
    heddle_schedule_free (back);
  }
}

/* Labels come with the kernels: of two cuts into the same kernels the one of worse labels gets the better ones. */
static void
test_labels (void)
{
  g_auto (Fixture) self = { 0 };

  fixture_init (&self, "A : f16[a=4096, k=4096]\nB : f16[k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n");
  {
    g_auto (HeddlePlanCut) good = cut_new (&self, "none"),
                           poor = { heddle_schedule_copy (good.schedule), NULL };
    const HeddleRegion *region = g_ptr_array_index (good.schedule->regions, 0);
    GPtrArray *labels = ((HeddleRegion *) g_ptr_array_index (poor.schedule->regions, 0))->labels;
    HeddleSchedule *better;

    for (guint i = 0; i < labels->len; i++)
      ((HeddleLabel *) g_ptr_array_index (labels, i))->size = 16;
    poor.derivation = derive (&self, poor.schedule);
    g_assert_null (take_better (&self, &good, &poor));
    better = take_better (&self, &poor, &good);
    g_assert_nonnull (better);
    g_assert_cmpuint (better->regions->len, ==, 1);
    labels = ((HeddleRegion *) g_ptr_array_index (better->regions, 0))->labels;
    g_assert_cmpuint (labels->len, ==, region->labels->len);
    for (guint i = 0; i < labels->len; i++)
      g_assert_cmpint (((HeddleLabel *) g_ptr_array_index (labels, i))->size, ==,
          ((HeddleLabel *) g_ptr_array_index (region->labels, i))->size);
    heddle_schedule_free (better);
  }
}

/* Kernels that overlap are compared as unions: none of one cut does the same as one of the other. */
static void
test_unions (void)
{
  g_auto (Fixture) self = { 0 };

  fixture_init (&self,
      "X : f16[a=4096, b=4096]\nB[a,b] = X[a,b] * 2\nS[a] = sum[b](B[a,b])\nF[a] = S[a] + 1\n"
      "Y : f16[c=4096]\nG[c] = Y[c] + 1\n-> F, G\n");
  {
    /* the first cut writes B and reads it again */
    g_auto (HeddlePlanCut) one = cut_new (&self, "S,F"), other = cut_new (&self, "B,S");
    HeddleSchedule *better = take_better (&self, &one, &other);

    g_assert_null (take_better (&self, &other, &one));
    g_assert_nonnull (better);
    g_assert_cmpuint (better->regions->len, ==, 3);
    assert_together (&self, better, "B", "B S");
    assert_together (&self, better, "F", "F");
    assert_together (&self, better, "G", "G");
    heddle_schedule_free (better);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-parted/either", test_either);
  g_test_add_func ("/plan-parted/labels", test_labels);
  g_test_add_func ("/plan-parted/unions", test_unions);
  return g_test_run ();
}
