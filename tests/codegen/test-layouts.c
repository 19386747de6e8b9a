/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/tiles.h"
#include "codegen/tile/program.h"
#include "codegen/tile/rank.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/axes-order.h"
#include "diagram/graph/copy-in-order.h"
#include "diagram/graph/diagram.h"

/* How arrays between kernels lie: in the order of axes that their readers want, where nobody outside sees it. */

static const char *const gpus[] = { "h100-sxm", "a100-80-sxm" };

/* Projections and attention over heads that are the last axis. */
#define CHAIN                                                                                                \
  "X : f16[x=2048, m=128]\nZ : f16[z=2048, m]\nparam W_Q : f16[m, h=8, k=64]\nparam W_K : f16[m, h, k]\n"    \
  "param W_V : f16[m, h, k]\nQ[x,k,h] = X[x,m] W_Q[m,h,k]\nK[z,k,h] = Z[z,m] W_K[m,h,k]\n"                   \
  "V[z,k,h] = Z[z,m] W_V[m,h,k]\nS[x,z,h] = Q[x,k,h] K[z,k,h]\nP[x,z,h] = softmax[z](S[x,z,h] * k^-0.5)\n"   \
  "O[h,x,k] = P[x,z,h] V[z,k,h]\n"

/* One value of which a product goes through h, and another through k. */
#define TWO_READERS                                                                                          \
  "X : f16[x=4096, m=64]\nparam W : f16[m, h=32, k=32]\nparam K : f16[h, z=64, k]\n"                         \
  "param U : f16[k, g=64, h]\nT[x,k,h] = X[x,m] W[m,h,k]\nA[h,x,z] = T[x,k,h] K[h,z,k]\n"                    \
  "B[k,x,g] = T[x,k,h] U[k,g,h]\n"

/* A third one goes through x: whichever axis is the last, one of them has one element of it in a block. */
#define THREE_READERS                                                                                        \
  "X : f16[x=256, m=64]\nparam W : f16[m, h=64, k=64]\nparam K : f16[h, z=64, k]\n"                          \
  "param U : f16[k, g=64, h]\nparam N : f16[x, j=64, k]\nT[x,k,h] = X[x,m] W[m,h,k]\n"                       \
  "A[h,x,z] = T[x,k,h] K[h,z,k]\nB[k,x,g] = T[x,k,h] U[k,g,h]\nC[x,h,j] = T[x,k,h] N[x,j,k]\n"

/* Keys of an attention that a product goes through by k besides, and that are given back. */
#define KEYS                                                                                                 \
  "X : f16[x=2048, m=256]\nZ : f16[z=2048, m]\nparam W_Q : f16[m, h=16, k=64]\nparam W_K : f16[m, h, k]\n"   \
  "param W_V : f16[m, h, k]\nparam U : f16[k, g=256, h]\nQ[x,k,h] = X[x,m] W_Q[m,h,k]\n"                     \
  "K[z,k,h] = Z[z,m] W_K[m,h,k]\nV[z,k,h] = Z[z,m] W_V[m,h,k]\nS[x,z,h] = Q[x,k,h] K[z,k,h]\n"               \
  "P[x,z,h] = softmax[z](S[x,z,h] * k^-0.5)\nO[h,x,k] = P[x,z,h] V[z,k,h]\n"                                 \
  "B[k,z,g] = K[z,k,h] U[k,g,h]\n-> O, B, K\n"

static const HeddleValue *
value_of (const HeddlePlan *plan, const char *name)
{
  return heddle_diagram_find_value (plan->diagram, name);
}

/* "z h k" */
static char *
order_of (const HeddlePlan *plan, const char *name)
{
  const HeddleValue *value = value_of (plan, name);
  GString *text = g_string_new (NULL);

  g_assert_nonnull (value);
  for (guint i = 0; i < value->axes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
        heddle_diagram_get_axis (plan->diagram, heddle_ids_index (value->axes, i))->name);
  return g_string_free (text, FALSE);
}

static void
assert_order (const Case *self, const char *name, const char *order)
{
  g_autofree char *own = order_of (self->plan, name);

  g_assert_cmpstr (own, ==, order);
}

/* Tiles that threads copy element by element. */
static guint
count_slow (const HeddlePlan *plan)
{
  guint n = 0;

  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
      g_autoptr (HeddleTileProgram) tiles = heddle_plan_make_tiles (plan, plan->diagram, kernel);

      for (guint k = 0; tiles != NULL && k < kernel->program->buffers->len; k++)
        n += heddle_tile_by_elements (tiles, k);
    }
  return n;
}

static void
assert_right (const Case *self, const char *sizes)
{
  g_autoptr (HeddleSizes) small = NULL;

  if (!case_has_cuda ())
    return;
  small = case_sizes (self, sizes);
  case_assert_right (self->plan, small, 1);
}

/* Queries, keys and values lie as attention reads them, on both generations. */
static void
test_chain (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = CHAIN, .gpu = gpus[i], .automatic = TRUE });
      g_assert_cmpuint (self.plan->derivation->kernels->len, >, 1);
      g_assert_cmpuint (count_slow (self.plan), ==, 0);
      assert_order (&self, "Q", "h x k");
      assert_order (&self, "K", "h z k");
      assert_order (&self, "V", "h z k");
      assert_order (&self, "O", "h x k");
      assert_right (&self, "x=70 z=66");
    }
}

/* Both read rows along x, whichever axis they go through. */
static void
test_two_readers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = TWO_READERS, .gpu = gpus[i], .automatic = TRUE });
      g_assert_cmpuint (count_slow (self.plan), ==, 0);
      g_assert_null (value_of (self.plan, "T_laid"));
    }
}

/* No order suits three readers: one of them is in the kernel that makes it, or reads a copy. */
static void
test_three_readers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = THREE_READERS, .gpu = gpus[i], .automatic = TRUE });
      g_assert_cmpuint (count_slow (self.plan), ==, 0);
      if (i == 0)
        assert_right (&self, "x=10");
    }
}

/* What is given back keeps its order, and so does what is given. */
static void
test_output (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = KEYS, .gpu = gpus[i], .automatic = TRUE });
      g_assert_cmpuint (count_slow (self.plan), ==, 0);
      assert_order (&self, "K", "z k h");
      assert_order (&self, "B", "k z g");
      assert_order (&self, "W_K", "m h k");
      assert_order (&self, "Q", "h x k");
      if (i > 0)
        assert_right (&self, "x=10 z=70");
    }
}

/* --- what it means --- */

static HeddleSizes *
small_sizes (const HeddleDiagram *diagram)
{
  g_autoptr (GHashTable) table = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  static gint64 sizes[] = { 2, 3, 4, 5, 6, 7, 8, 9 };
  HeddleSizes *made;

  for (guint i = 0; i < diagram->axes->len; i++)
    g_hash_table_insert (table, ((const HeddleAxis *) g_ptr_array_index (diagram->axes, i))->name,
        &sizes[i % G_N_ELEMENTS (sizes)]);
  made = heddle_sizes_new (diagram, table, &error);
  g_assert_no_error (error);
  return made;
}

static GHashTable *
evaluate (const HeddleDiagram *diagram, GHashTable *inputs)
{
  g_autoptr (HeddleSizes) sizes = small_sizes (diagram);
  g_autoptr (GError) error = NULL;
  GHashTable *values;

  heddle_evaluate_fill_inputs (diagram, sizes, inputs, 7, &error);
  g_assert_no_error (error);
  values = heddle_evaluate (diagram, sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  return values;
}

/* Whether the outputs of both have the same elements. */
static void
assert_same_meaning (const HeddleDiagram *one, const HeddleDiagram *other)
{
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) first = evaluate (one, inputs), second = evaluate (other, inputs);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (one);

  for (guint i = 0; i < outputs->len; i++)
    {
      const HeddleArray *a = g_hash_table_lookup (first, heddle_ids_index (outputs, i));
      const HeddleArray *b = g_hash_table_lookup (second, heddle_ids_index (outputs, i));

      g_assert_cmpint (a->n_elements, ==, b->n_elements);
      for (gint64 k = 0; k < a->n_elements; k++)
        g_assert_cmpfloat_with_epsilon (a->data[k], b->data[k], 1e-9);
    }
}

/* The plan's diagram works out what the person's does. */
static void
test_meaning (void)
{
  static const char *const texts[] = { CHAIN, TWO_READERS, THREE_READERS, KEYS };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = texts[i], .automatic = TRUE });
      assert_same_meaning (self.diagram, self.plan->diagram);
    }
}

/* What is read at indices is read at the same elements. */
static void
test_indices (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleDiagram) diagram = NULL;
  g_autoptr (GArray) axes = heddle_ids_new (), readers = heddle_ids_new ();
  const HeddleValue *value;

  case_init (&self, &(CaseOptions){ .text = "X : f32[x=6, k=5, h=4]\nT[x,k,h] = exp(X[x,k,h])\n"
                                            "Y[x,k,h] = T[x,k,h] + T[x-1,4-k,h]\n" });
  diagram = heddle_diagram_copy (self.diagram);
  value = heddle_diagram_find_value (diagram, "T");
  for (guint i = value->axes->len; i-- > 0;)
    heddle_ids_append (axes, heddle_ids_index (value->axes, i));
  heddle_diagram_reorder_axes (diagram, value->id, axes);
  assert_same_meaning (self.diagram, diagram);
  for (guint i = 0; i < diagram->operations->len; i++)
    heddle_ids_append (readers, ((const HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  heddle_diagram_copy_in_order (
      diagram, value->id, heddle_diagram_find_value (self.diagram, "T")->axes, HEDDLE_DTYPE_F32, readers);
  g_assert_nonnull (heddle_diagram_find_value (diagram, "T_laid"));
  assert_same_meaning (self.diagram, diagram);
}

/* --- what it costs --- */

/* An H200 took 137 us for an attention of 8 heads over 128 places that copied all element by element, in 32 threads, and 30.9 ms for one of 8 groups over
 * 8,192 that did so in 256. */
static void
test_price (void)
{
  static const struct
  {
    const char *text, *labels;
    double seconds;
  } rows[] = {
    { "Q : f16[x=128, k=64, h=8]\nK : f16[y=128, k, h]\nV : f16[y, k, h]\nS[x,h,y] = Q[x,k,h] K[y,k,h]\n"
      "P[x,y,h] = softmax[y](S[x,h,y] * k^-0.5)\nO[x,k,h] = P[x,y,h] V[y,k,h]\n",
        "h:group@smem=1 x:group@smem=16 y:stream@smem=128", 137e-6 },
    { "Q : f16[y=8192, r=4, k=128, g=8]\nK : f16[x=8192, k, g]\nV : f16[x, k, g]\n"
      "S[y,r,x,g] = Q[y,r,k,g] K[x,k,g]\nP[y,r,x,g] = softmax[x](S[y,r,x,g] * k^-0.5)\n"
      "O[y,r,k,g] = P[y,r,x,g] V[x,k,g]\n",
        "y:group@smem=64 g:group@smem=1 x:stream@smem=64", 30.9e-3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Case) self = { 0 };
      double seconds;

      case_init (&self, &(CaseOptions){ .text = rows[i].text,
                            .fuse = "all",
                            .labels = rows[i].labels,
                            .gpu = "h200-sxm",
                            .tensor = TRUE });
      seconds = heddle_plan_tile_seconds (
          self.plan, self.plan->diagram, g_ptr_array_index (self.plan->derivation->kernels, 0));
      g_test_message ("%.3g s of %.3g s", seconds, rows[i].seconds);
      g_assert_cmpfloat (seconds, >, rows[i].seconds / 1.5);
      g_assert_cmpfloat (seconds, <, rows[i].seconds * 1.5);
    }
}

/* A product whose factor lies along the heads, and whose result along their components: one component of all heads is read by vectors. */
static void
test_across (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self,
          &(CaseOptions){
              .text = "Y : f16[y=1024, m=128]\nparam W : f16[m, k=16, h=8]\nQ[h,y,k] = Y[y,m] W[m,k,h]\n",
              .gpu = gpus[i],
              .automatic = TRUE });
      g_assert_cmpuint (self.plan->texts->len, ==, 1);
      g_assert_cmpuint (count_slow (self.plan), ==, 0);
      assert_right (&self, "y=70");
    }
}

/* An array is copied into another order by rows, whose tiles are read and written by vectors, also where there are other axes. */
static void
test_copy (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self,
      &(CaseOptions){ .text = "K : f16[x=4096, k=128, g=8]\nL[g,x,k] = K[x,k,g] + 1\n", .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_ROWS);
  assert_right (&self, "x=5");
}

/* Heads of a weight that come in another order than those of what is made of it are no rows side by side: a tile that had all of them as rows once wrote
 * each head in another one's place. */
static void
test_rows_in_order (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = "X : f16[x=1024, m=512]\nparam W : f16[n=4, g=8, k=64, m]\n"
                                                "Q[g,n,x,k] = X[x,m] W[n,g,k,m]\n",
                            .fuse = "all",
                            .labels = "x:group@smem=256 k:group@smem=1 m:stream@smem=64",
                            .gpu = gpus[i],
                            .automatic = TRUE });
      assert_right (&self, "x=70 m=80 k=3");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layouts/rows-in-order", test_rows_in_order);
  g_test_add_func ("/layouts/chain", test_chain);
  g_test_add_func ("/layouts/two-readers", test_two_readers);
  g_test_add_func ("/layouts/three-readers", test_three_readers);
  g_test_add_func ("/layouts/output", test_output);
  g_test_add_func ("/layouts/meaning", test_meaning);
  g_test_add_func ("/layouts/indices", test_indices);
  g_test_add_func ("/layouts/price", test_price);
  g_test_add_func ("/layouts/across", test_across);
  g_test_add_func ("/layouts/copy", test_copy);
  return g_test_run ();
}
