/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/expand.h"
#include "codegen/plan/suggest.h"
#include "codegen/plan/suggestion.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"

/* Labels that are suggested are labels of kernels: who takes them does not lose the tensor core by them. */

typedef struct
{
  const char *name, *text, *gpu;
  gboolean others; /* than the best by the model */
} Form;

static const Form forms[] = {
  { "product", "A : f16[a=4096, k=4096]\nB : f16[k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n", "h100", TRUE },
  /* the sum over heads and their components */
  { "two-axes", "O : f16[h=16, x=4096, v=128]\nW : f16[h, v, m=2048]\nY[x,m] = O[h,x,v] W[h,v,m]\n", "a100",
      TRUE },
  /* of three channels each position takes as much room as of 64 */
  { "windows",
      "X : f16[c=3, u=224, v=224]\nW : f16[f=64, c, i=7, j=7]\naxis y = 112\naxis x = 112\n"
      "Y[f,y,x] = X[c,2*y+i-3,2*x+j-3] W[f,c,i,j]\n",
      "a100", TRUE },
  /* what merges the parts of a split axis waits longer than a search knows */
  { "attention", ATTENTION, "h100", TRUE },
  /* no tensor core has it, with whatever labels: registers have it */
  { "f32", "A : f32[a=4096, k=4096]\nB : f32[k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n", "h100", TRUE },
  { "softmax", "X : f16[a=4096, b=4096]\nY[a,b] = softmax[b](X[a,b])\n", "h100", FALSE },
};

static HeddleDeriveOptions
options_for (HeddleMachine *machine)
{
  return (HeddleDeriveOptions){ .machine = machine,
    .dtype = HEDDLE_DTYPE_F16,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .suggest = TRUE };
}

static HeddleMachine *
find_machine (const char *name)
{
  g_autoptr (GError) error = NULL;
  HeddleMachine *machine = heddle_machine_find (name, 0, &error);

  g_assert_no_error (error);
  return machine;
}

/* The one that does the work: others may copy what it reads. */
static const HeddleKernel *
only_kernel (const HeddleDerivation *derivation)
{
  const HeddleKernel *only = NULL;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (heddle_derivation_is_inserted (derivation, kernel))
        continue;
      g_assert_null (only);
      only = kernel;
    }
  g_assert_nonnull (only);
  return only;
}

static gboolean
are_same (const HeddleKernel *a, const HeddleKernel *b)
{
  gboolean same = a->labels->len == b->labels->len;

  for (guint i = 0; same && i < a->labels->len; i++)
    {
      const HeddleLabel *one = g_ptr_array_index (a->labels, i), *two = g_ptr_array_index (b->labels, i);

      same = one->axis == two->axis && one->kind == two->kind && one->size == two->size;
    }
  return same;
}

/* The kernel with these labels is of the family of the one that is made without any. */
static void
check_family (const Form *form, const HeddleKernel *suggested, HeddleFamily family)
{
  g_auto (Case) with = { 0 };
  GString *labels = g_string_new (NULL);

  for (guint i = 0; i < suggested->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (suggested->labels, i);

      g_string_append_printf (labels, "%s%s:%s@%s=%" G_GINT64_FORMAT, i > 0 ? " " : "",
          label->axis + strlen ("a."), heddle_label_kind_to_string (label->kind), label->level, label->size);
    }
  case_init (&with,
      &(CaseOptions){
          .text = form->text, .fuse = "all", .labels = labels->str, .gpu = form->gpu, .automatic = TRUE });
  g_assert_cmpstr (
      heddle_family_to_string (case_kernel (&with, 0)->family), ==, heddle_family_to_string (family));
  g_string_free (labels, TRUE);
}

static void
test_form (gconstpointer data)
{
  const Form *form = data;
  g_auto (Case) without = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = find_machine (form->gpu);
  const HeddleDeriveOptions options = options_for (machine);
  g_autoptr (HeddleDerivation) best = NULL, suggested = NULL;
  HeddleSchedule *fused;

  case_init (
      &without, &(CaseOptions){ .text = form->text, .fuse = "all", .gpu = form->gpu, .automatic = TRUE });
  fused = heddle_schedule_fuse (without.diagram, NULL, "all", NULL);
  best = heddle_derive (without.diagram, fused, without.plan->sizes, &options, NULL, &error);
  g_assert_no_error (error);
  suggested = heddle_plan_suggest (without.diagram, fused, without.plan->sizes, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (are_same (only_kernel (best), only_kernel (suggested)) != form->others);
  /* a copy of an input has candidates of its own */
  g_assert_true (suggested->laid != NULL || suggested->candidates == best->candidates);
  g_assert_cmpstr (only_kernel (suggested)->region_id, ==, only_kernel (best)->region_id);
  if (form->others)
    g_assert_true (g_str_has_prefix (only_kernel (suggested)->binding, "tensor core: "));
  else
    g_assert_cmpstr (only_kernel (suggested)->binding, ==, only_kernel (best)->binding);
  check_family (form, only_kernel (suggested), case_kernel (&without, 0)->family);
  heddle_schedule_free (fused);
}

/* A person's label stays, whatever kernel that gives; machines that no kernel is made for have the best by the model. */
static void
test_given (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleMachine) machine = find_machine ("h100"), other = find_machine ("mi300x");
  HeddleDeriveOptions options = options_for (machine);
  g_autoptr (HeddleDerivation) suggested = NULL, best = NULL, elsewhere = NULL;

  case_init (&self, &(CaseOptions){ .text = forms[0].text,
                        .fuse = "all",
                        .labels = "a:group@smem=192",
                        .gpu = "h100",
                        .automatic = TRUE });
  {
    HeddleSchedule *given = heddle_schedule_fuse (self.diagram, NULL, "all", NULL);

    options.machine = other;
    best = heddle_derive (self.diagram, given, self.plan->sizes, &options, NULL, NULL);
    elsewhere = heddle_plan_suggest (self.diagram, given, self.plan->sizes, &options, NULL, NULL);
    g_assert_true (are_same (only_kernel (best), only_kernel (elsewhere)));
    options.machine = machine;
    g_ptr_array_add (((HeddleRegion *) g_ptr_array_index (given->regions, 0))->labels,
        heddle_label_new (g_intern_string ("a.a"), "smem", HEDDLE_LABEL_GROUP, 192));
    suggested = heddle_plan_suggest (self.diagram, given, self.plan->sizes, &options, NULL, NULL);
    heddle_schedule_free (given);
  }
  g_assert_cmpint (
      ((const HeddleLabel *) g_ptr_array_index (only_kernel (suggested)->labels, 0))->size, ==, 192);
  g_assert_false (g_str_has_prefix (only_kernel (suggested)->binding, "tensor core: "));
}

/* Layers that are the same but for names get the same labels, each under its own names. */
static void
test_layers (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleMachine) machine = find_machine ("h100");
  const HeddleDeriveOptions options = options_for (machine);
  g_autoptr (HeddleDerivation) suggested = NULL;
  const char *const axes[2][2] = { { "a.a", "a.b" }, { "a.a", "a.c" } };

  case_init (
      &self, &(CaseOptions){ .text = "A : f16[a=4096, k=4096]\nB : f16[k, b=4096]\nC : f16[b, c=4096]\n"
                                     "D[a,b] = A[a,k] B[k,b]\nE[a,c] = D[a,b] C[b,c]\n",
                 .fuse = "none",
                 .gpu = "h100",
                 .automatic = TRUE });
  suggested = heddle_plan_suggest (self.diagram, NULL, self.plan->sizes, &options, NULL, NULL);
  g_assert_cmpuint (suggested->kernels->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (suggested->kernels, i);

      g_assert_null (kernel->region_id);
      g_assert_true (g_str_has_prefix (kernel->binding, "tensor core: "));
      for (guint k = 0; k < 2; k++)
        {
          const HeddleLabel *label = g_ptr_array_index (kernel->labels, k);

          g_assert_cmpstr (label->axis, ==, axes[i][k]);
          g_assert_cmpint (label->size, ==,
              ((const HeddleLabel *) g_ptr_array_index (
                   ((const HeddleKernel *) g_ptr_array_index (suggested->kernels, 0))->labels, k))
                  ->size);
        }
    }
}

static const struct
{
  const char *text;
  HeddleDtype dtype;
  guint split, operations;
} sums[] = {
  /* heads in groups, and their components: the shortest axis is left for the end */
  { "O : f16[g=8, n=4, y=256, k=64]\nW : f16[g, n, k, m=256]\nZ[y,m] = O[g,n,y,k] W[g,n,k,m]\n",
      HEDDLE_DTYPE_F16, 1, 2 },
  { "O : [g=8, n=4, y=256, k=64]\nW : [g, n, k, m=256]\nZ[y,m] = O[g,n,y,k] W[g,n,k,m]\n", HEDDLE_DTYPE_BF16,
      1, 2 },
  { "O : f16[a=4, g=8, n=4, y=256, k=64]\nW : f16[a, g, n, k, m=256]\nZ[y,m] = O[a,g,n,y,k] W[a,g,n,k,m]\n",
      HEDDLE_DTYPE_F16, 1, 3 },
  /* no tensor core, two axes, few terms, a vector, windows: as they are */
  { "O : f32[g=8, n=4, y=256, k=64]\nW : f32[g, n, k, m=256]\nZ[y,m] = O[g,n,y,k] W[g,n,k,m]\n",
      HEDDLE_DTYPE_F16, 0, 1 },
  { "O : [g=8, n=4, y=256, k=64]\nW : [g, n, k, m=256]\nZ[y,m] = O[g,n,y,k] W[g,n,k,m]\n", HEDDLE_DTYPE_F32,
      0, 1 },
  { "O : f16[n=4, y=256, k=64]\nW : f16[n, k, m=256]\nZ[y,m] = O[n,y,k] W[n,k,m]\n", HEDDLE_DTYPE_F16, 0, 1 },
  { "O : f16[g=2, n=2, y=256, k=8]\nW : f16[g, n, k, m=256]\nZ[y,m] = O[g,n,y,k] W[g,n,k,m]\n",
      HEDDLE_DTYPE_F16, 0, 1 },
  { "O : f16[g=8, n=4, k=64]\nW : f16[g, n, k, m=256]\nZ[m] = O[g,n,k] W[g,n,k,m]\n", HEDDLE_DTYPE_F16, 0,
      1 },
  { "X : f16[c=64, u=64, v=22]\nW : f16[f=64, c, i=3, j=3]\naxis y = 62\naxis x = 20\n"
    "Y[f,y,x] = X[c,y+i,x+j] W[f,c,i,j]\n",
      HEDDLE_DTYPE_F16, 0, 2 },
};

/* Large sums over three axes become a sum in f32 of sums over two, and keep their own type. */
static void
test_three_axes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (GArray) split = NULL, joined = heddle_ids_new ();
      g_autoptr (HeddleSizes) sizes = NULL;
      HeddleDiagram *diagram;
      const char *output;

      case_init (&self,
          &(CaseOptions){ .text = sums[i].text, .fuse = "none", .gpu = "a100-80-sxm", .automatic = TRUE });
      diagram = heddle_diagram_copy (self.diagram);
      sizes = case_sizes (&self, NULL);
      split = heddle_diagram_split_products (diagram, &sizes, sums[i].dtype, joined);
      g_assert_cmpuint (joined->len, ==, 0);
      g_test_message ("%s", sums[i].text);
      g_assert_cmpuint (split->len, ==, sums[i].split);
      g_assert_cmpuint (diagram->operations->len, ==, sums[i].operations);
      output
          = ((const HeddleOperation *) g_ptr_array_index (diagram->operations, diagram->operations->len - 1))
                ->result;
      if (split->len > 0)
        {
          const HeddleOperation *first = g_ptr_array_index (diagram->operations, 0);

          g_assert_cmpstr (heddle_ids_index (split, 0), ==, output);
          g_assert_cmpint (heddle_diagram_dtype (diagram, output, sums[i].dtype), ==, sums[i].dtype);
          g_assert_cmpint (
              heddle_diagram_dtype (diagram, first->result, sums[i].dtype), ==, HEDDLE_DTYPE_F32);
          g_assert_cmpuint (first->axes->len, ==, 2);
        }
      heddle_diagram_free (diagram);
    }
}

/* An array that is faster computed for each of its readers is computed again, but not for whom that is of no use. */
static void
test_stored (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleMachine) machine = find_machine ("h100");
  HeddleDeriveOptions options = options_for (machine);

  options.product_shares = heddle_plan_product_shares;
  case_init (
      &self, &(CaseOptions){ .text = "a : f16[i=4096]\nb : f16[j=4096]\nU : f16[i, k=64]\nV : f16[j, l=64]\n"
                                     "W[i,j] = tanh(a[i] * b[j])\nZ[j,k] = W[i,j] U[i,k]\n"
                                     "R[i,l] = W[i,j] V[j,l]\n-> Z, R\n",
                 .gpu = "h100",
                 .automatic = TRUE });
  for (guint i = 0; i < 2; i++)
    {
      g_auto (HeddlePlanSuggestion) found = { NULL };
      g_autoptr (GError) error = NULL;

      options.stores_all = i == 1;
      heddle_plan_suggestion_init (&found, self.diagram, NULL, self.plan->sizes, &options, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (found.schedule->recomputed->len, ==, options.stores_all ? 0 : 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/suggest/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], test_form);
    }
  g_test_add_func ("/suggest/given", test_given);
  g_test_add_func ("/suggest/layers", test_layers);
  g_test_add_func ("/suggest/three-axes", test_three_axes);
  g_test_add_func ("/suggest/stored", test_stored);
  return g_test_run ();
}
