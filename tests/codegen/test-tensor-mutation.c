/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/plan.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* A kernel for the tensor core that is damaged in one place fails in at least one of the runs: copies late, early and at drawn
 * moments, warps in order and in drawn orders. */

typedef struct
{
  const char *name;
  const char *from, *to; /* in the device part */
  guint at; /* which occurrence, from 0 */
  const char *says; /* in the report; NULL: anything */
} Mutation;

static const Mutation mutations[] = {
  /* barriers and waits */
  { "no-barrier-before-k", "__syncthreads ();", "", 0, "race" },
  { "no-barrier-before-v", "__syncthreads ();", "", 1, "race" },
  { "weak-wait-for-k", "wait_for_copies<2> ();", "wait_for_copies<3> ();", 0, "asynchronous copy" },
  { "weak-wait-for-v", "wait_for_copies<2> ();", "wait_for_copies<3> ();", 1, "asynchronous copy" },
  { "no-wait", "wait_for_copies<2> ();", "", 1, "asynchronous copy" },
  { "barrier-before-wait", "wait_for_copies<2> ();\n      __syncthreads ();",
      "__syncthreads ();\n      wait_for_copies<2> ();", 0, "race" },
  { "group-not-closed", "    commit_copies ();\n", "", 0, NULL },
  /* the ring */
  { "refill-of-the-slot-in-use", "fetch_1 (x_0 + CHUNK_x, behind);", "fetch_1 (x_0 + CHUNK_x, slot);", 0,
      NULL },
  { "refill-of-the-wrong-slot", "fetch_0 (x_0 + 2 * CHUNK_x, slot);", "fetch_0 (x_0 + 2 * CHUNK_x, behind);",
      0, NULL },
  { "reads-the-wrong-slot", "K_tile + slot * 2048, along", "K_tile + behind * 2048, along", 0, NULL },
  { "slot-stays", "slot = slot + 1 == 2 ? 0 : slot + 1;", "", 0, NULL },
  { "fetches-too-far", "fetch_0 (x_0 + 2 * CHUNK_x", "fetch_0 (x_0 + 3 * CHUNK_x", 0, NULL },
  { "fetches-too-near", "fetch_1 (x_0 + CHUNK_x", "fetch_1 (x_0", 0, NULL },
  { "no-first-fetch", "  fetch_1 (x_first, 0);\n", "", 0, NULL },
  { "refill-before-the-barrier", "__syncthreads ();\n      fetch_0 (x_0 + 2 * CHUNK_x, slot);",
      "fetch_0 (x_0 + 2 * CHUNK_x, slot);\n      __syncthreads ();", 0, "race" },
  /* masks and edges */
  { "mask-off-by-one", ">= n_x - column", "> n_x - column", 0, NULL },
  { "mask-one-too-many", ">= n_x - column", ">= n_x - 1 - column", 0, NULL },
  { "causal-off-by-one", " <= y_0 + row", " < y_0 + row", 0, NULL },
  { "diagonal-not-masked", "if ((x_0 + n_x - 1) > y_0)", "if ((x_0 + n_x - 1) > y_0 + 20)", 0, NULL },
  { "last-step-left-out", "x_end > x_first && !runs (x_end - CHUNK_x)", "x_end > x_first && !runs (x_end)", 0,
      NULL },
  { "rows-behind-the-end-stored", "if (row + 8 * half < n_y)", "if (row + 8 * half <= n_y)", 0, NULL },
  { "last-row-not-stored", "if (row + 8 * half < n_y)", "if (row + 8 * half < n_y - 1)", 0, NULL },
  { "rows-behind-the-end-copied", "first + row < rows &&", "first + row <= rows &&", 0, NULL },
  /* layouts */
  { "not-swizzled-on-the-way-in", "((piece ^ (first + row) % 8) << 4)", "(piece << 4)", 0, NULL },
  { "not-swizzled-on-the-way-out", "(lane / 16 ^ lane % 8) << 4", "(lane / 16) << 4", 0, NULL },
  { "matrices-exchanged", "left, right[0], right[1]", "left, right[0], right[2]", 0, NULL },
  { "columns-exchanged", "[n16 / 8 + 1], left", "[n16 / 8], left", 1, NULL },
  { "k-not-transposed", "load_matrix (right", "load_matrix_transposed (right", 0, NULL },
  { "v-transposed-twice", "load_matrix_transposed (right", "load_matrix (right", 0, NULL },
  { "recast-exchanged", "to[1] = pack_f16 (left[2], left[3])", "to[1] = pack_f16 (right[0], right[1])", 0,
      NULL },
  { "pair-exchanged", "\"f\"(high), \"f\"(low)", "\"f\"(low), \"f\"(high)", 0, NULL },
  /* arithmetic */
  { "no-rescaling", "o[n8][e4] *= delta[e4 / 2];", ";", 0, NULL },
  { "no-sum-over-lanes", "acc = sum_along_row (acc);", "", 0, NULL },
  { "no-maximum-over-lanes", "max_along_row (acc)", "acc", 0, NULL },
  { "wrong-base", "* 1.44269504f) - shift", "* 1.4f) - shift", 0, NULL },
  { "wrong-normalisation", "__fdividef (1.0f, l[e4 / 2])", "__fdividef (1.0f, l[e4 / 2] + 0.5f)", 0, NULL },
};

/* Of a kernel whose products are those of warpgroups. */
static const Mutation group_mutations[] = {
  { "not-fenced-before-k", "fence_products ();", "", 0, "wgmma.fence" },
  { "not-fenced-before-v", "fence_products ();", "", 1, "wgmma.fence" },
  { "not-waited-for-k", "wait_for_products<0> ();", "", 0, NULL },
  { "weak-wait-for-k", "wait_for_products<0> ();", "wait_for_products<1> ();", 0, NULL },
  { "weak-wait-for-v", "wait_for_products<0> ();", "wait_for_products<1> ();", 1, NULL },
  { "not-committed", "commit_products ();", "", 0, NULL },
  { "not-published-before-k", "publish_writes ();", "", 0, "fence.proxy.async" },
  { "not-published-before-v", "publish_writes ();", "", 1, "fence.proxy.async" },
  { "published-by-one-group", "publish_writes ();", "if (threadIdx.x < 128)\n        publish_writes ();", 0,
      "fence.proxy.async" },
  { "published-before-it-is-here", "wait_for_copies<2> ();\n      publish_writes ();",
      "publish_writes ();\n      wait_for_copies<2> ();", 0, "fence.proxy.async" },
  { "no-barrier-before-k", "__syncthreads ();", "", 0, "race" },
  { "no-barrier-before-v", "__syncthreads ();", "", 1, "race" },
  { "weak-wait-for-copies", "wait_for_copies<2> ();", "wait_for_copies<3> ();", 1, "asynchronous copy" },
  { "refill-of-the-slot-in-use", "fetch_1 (x_0 + CHUNK_x, behind);", "fetch_1 (x_0 + CHUNK_x, slot);", 0,
      NULL },
  { "reads-the-wrong-slot", "K_tile + slot * 2048, 0,", "K_tile + behind * 2048, 0,", 0, NULL },
  { "begins-with-what-was-there", "k16), k16 > 0)", "k16), 1)", 0, NULL },
  { "adds-nothing", "k16), k16 > 0)", "k16), 0)", 0, NULL },
  { "k-transposed", "multiply_64x16_f16<0, 0>", "multiply_64x16_f16<0, 1>", 0, NULL },
  { "v-not-transposed", "multiply_64x32_f16<1>", "multiply_64x32_f16<0>", 0, NULL },
  { "rows-of-the-other-group", "group_row, k16", "64 - group_row, k16", 0, NULL },
  { "row-of-the-group", "warp % 4 * 16", "warp % 4 * 8", 0, NULL },
  { "mask-off-by-one", ">= n_x - column", "> n_x - column", 0, NULL },
  { "causal-off-by-one", " <= y_0 + row", " < y_0 + row", 0, NULL },
  { "no-rescaling", "o[n8][e4] *= delta[e4 / 2];", ";", 0, NULL },
  { "stride-of-eight-rows", "1ull << 16 | 64ull << 32", "1ull << 16 | 32ull << 32", 0, NULL },
  { "step-along-the-row", "column % PANEL * BYTES", "column % PANEL", 0, NULL },
};

/* Of a product of matrices, which goes on while the next step begins. */
static const Mutation product_mutations[] = {
  { "weak-wait-for-products", "wait_for_products<1> ();", "wait_for_products<2> ();", 0, NULL },
  { "no-wait-behind-the-last-step", "  wait_for_products<0> ();\n", "", 0, NULL },
  { "weak-wait-for-copies", "wait_for_copies<1> ();", "wait_for_copies<2> ();", 0, "asynchronous copy" },
  { "no-barrier", "__syncthreads ();", "", 0, "race" },
  { "refill-of-the-slot-under-way", "int slot = 0, behind = 2;", "int slot = 0, behind = 3;", 0, NULL },
  { "refill-of-the-slot-in-use", "2 * CHUNK_k, behind)", "2 * CHUNK_k, slot)", 0, NULL },
  { "fetches-too-far", "k_0 + 2 * CHUNK_k", "k_0 + 3 * CHUNK_k", 0, NULL },
  { "not-published", "publish_writes ();", "", 0, "fence.proxy.async" },
  { "panel-of-the-right-factor", "(ROWS * 8) << 16", "(ROWS * 4) << 16", 0, NULL },
  { "columns-behind-the-end-stored", "n_b - (column + 8 * n8)", "n_b + 1 - (column + 8 * n8)", 0, NULL },
};

/* Of attention whose tiles the copy hardware brings. */
static const Mutation box_mutations[] = {
  /* who brings tiles */
  { "no-wait-for-an-empty-slot", "wait_for_barrier (empty_0 + 8 * slot, phase);", "", 0, "more arrive" },
  { "no-wait-for-an-empty-slot-of-v", "wait_for_barrier (empty_1 + 8 * slot, phase);", "", 0, "more arrive" },
  { "empty-of-the-other-parity", "int slot = 0, phase = 1;", "int slot = 0, phase = 0;", 0, "deadlock" },
  { "empty-of-the-other-point", "wait_for_barrier (empty_1 + 8 * slot",
      "wait_for_barrier (empty_0 + 8 * slot", 0, NULL },
  { "too-few-bytes-expected", "arrive_expecting (full_0 + 8 * slot, 2048)",
      "arrive_expecting (full_0 + 8 * slot, 1024)", 0, NULL },
  { "too-many-bytes-expected", "arrive_expecting (full_0 + 8 * slot, 2048)",
      "arrive_expecting (full_0 + 8 * slot, 4096)", 0, "bytes are missing" },
  { "nothing-expected", "arrive_expecting (full_1 + 8 * slot, 2048)", "arrive (full_1 + 8 * slot)", 0, NULL },
  { "nobody-arrives", "arrive_expecting (full_1 + 8 * slot, 2048);", "", 0, "deadlock" },
  { "completes-on-the-other-point", "K_map, full_0 + 8 * slot", "K_map, full_1 + 8 * slot", 0, NULL },
  { "completes-on-the-other-slot", "V_map, full_1 + 8 * slot", "V_map, full_1 + 8 - 8 * slot", 0, NULL },
  { "into-the-other-slot", "copy_box (K_tile + slot * 2048", "copy_box (K_tile + 2048 - slot * 2048", 0,
      NULL },
  { "of-the-step-before", "full_0 + 8 * slot, 0, (int) x_0)", "full_0 + 8 * slot, 0, (int) x_0 - 16)", 0,
      NULL },
  { "indices-exchanged", "full_1 + 8 * slot, 0, (int) x_0)", "full_1 + 8 * slot, (int) x_0, 0)", 0, NULL },
  { "the-other-array", "V_map, full_1", "K_map, full_1", 0, NULL },
  { "phase-stays", "slot = 0, phase ^= 1;", "slot = 0;", 0, NULL },
  { "slot-stays", "if (++slot == 2)", "if (slot == 2)", 0, NULL },
  { "several-threads-ask", "if (threadIdx.x > 256)", "if (threadIdx.x > 257)", 0, NULL },
  /* who multiplies */
  { "no-wait-for-q", "wait_for_barrier (whole, 0);", "", 0, "race" },
  { "no-wait-for-k", "wait_for_barrier (full_0 + 8 * slot, phase);", "", 0, "race" },
  { "no-wait-for-v", "wait_for_barrier (full_1 + 8 * behind, phase_behind);", "", 0, "race" },
  { "k-of-the-other-parity", "wait_for_barrier (full_0 + 8 * slot, phase);",
      "wait_for_barrier (full_0 + 8 * slot, phase ^ 1);", 0, "race" },
  { "v-of-the-wrong-barrier", "wait_for_barrier (full_1 + 8 * behind, phase_behind);",
      "wait_for_barrier (full_0 + 8 * slot, phase);", 0, "race" },
  { "k-of-the-wrong-slot", "wait_for_barrier (full_0 + 8 * slot, phase);",
      "wait_for_barrier (full_0 + 8 - 8 * slot, phase);", 0, NULL },
  { "phase-of-readers-stays", "slot = 0, phase ^= 1;", "slot = 0;", 2, "race" },
  { "reads-the-other-slot", "K_tile + slot * 2048, 0,", "K_tile + 2048 - slot * 2048, 0,", 0, NULL },
  { "not-released", "release_slot (empty_0 + 8 * slot);", "", 0, "deadlock" },
  { "released-too-early", "wait_for_barrier (full_1 + 8 * behind, phase_behind);",
      "wait_for_barrier (full_1 + 8 * behind, phase_behind);\n          release_slot (empty_1 + 8 * behind);",
      0, NULL },
  { "released-for-another", "release_slot (empty_1 + 8 * behind);", "release_slot (empty_0 + 8 * slot);", 0,
      NULL },
  { "released-before-it-is-read", "went on until here\n          wait_for_products<0> ();",
      "went on until here\n          release_slot (empty_1 + 8 * behind);\n          wait_for_products<0> "
      "();",
      0, NULL },
  /* barriers */
  { "fewer-readers", "begin_barrier (empty_0 + 8 * slot, 8);", "begin_barrier (empty_0 + 8 * slot, 4);", 0,
      NULL },
  { "more-readers", "begin_barrier (empty_1 + 8 * slot, 8);", "begin_barrier (empty_1 + 8 * slot, 9);", 0,
      "deadlock" },
  { "more-who-bring", "begin_barrier (full_0 + 8 * slot, 1);", "begin_barrier (full_0 + 8 * slot, 2);", 0,
      "deadlock" },
  { "barriers-not-met", "__syncthreads ();", "", 0, NULL },
  { "one-barrier-for-all", "empty_0 = full_0 + 16", "empty_0 = full_0 + 8", 0, NULL },
  { "gives-up-waiting", "  while (!over);", "  while (0);", 0, NULL },
  /* products of the step before, which go on while the next begins */
  { "v-of-the-next-step", "V_tile + behind", "V_tile + slot", 0, NULL },
  { "waits-for-v-of-the-next-step", "(full_1 + 8 * behind, phase_behind)", "(full_1 + 8 * slot, phase)", 0,
      NULL },
  { "weak-wait-for-the-first", "wait_for_products<1> ();", "wait_for_products<2> ();", 0, NULL },
  { "no-wait-for-the-last", "went on until here\n          wait_for_products<0> ();", "went on until here", 0,
      NULL },
  { "not-fenced-before-both", "fence_products ();", "", 1, "wgmma.fence" },
  { "no-rescaling", "o[n8][e4] *= delta[e4 / 2];", ";", 0, NULL },
  { "last-step-not-added", "x_0 += CHUNK_x;\n", "x_0 += 2 * CHUNK_x;\n", 0, NULL },
  /* registers */
  { "takes-too-many", "take_registers<232> ();", "take_registers<248> ();", 0, NULL },
};

/* Of a product whose tiles it brings, and which goes on while the next step begins. */
static const Mutation product_box_mutations[] = {
  { "released-a-step-too-early", "release_slot (empty_0 + 8 * behind);", "release_slot (empty_0 + 8 * slot);",
      0, NULL },
  { "released-from-the-first-step", "if (k_0 > k_first)\n", "if (k_0 >= k_first)\n", 0, NULL },
  { "weak-wait-for-products", "wait_for_products<1> ();", "wait_for_products<2> ();", 0, NULL },
  { "no-wait-behind-the-last-step", "  wait_for_products<0> ();\n", "", 0, NULL },
  { "bytes-of-one-factor", "arrive_expecting (full_0 + 8 * slot, 24576)",
      "arrive_expecting (full_0 + 8 * slot, 16384)", 0, NULL },
  { "panel-left-out", "panel < 2; ++panel", "panel < 1; ++panel", 0, "bytes are missing" },
  { "panel-twice", "+ 64 * panel", "+ 0 * panel", 0, NULL },
  { "panel-into-the-same-place", "+ panel * 4096", "+ panel * 0", 0, NULL },
  { "no-wait-for-an-empty-slot", "wait_for_barrier (empty_0 + 8 * slot, phase);", "", 0, "more arrive" },
  { "columns-behind-the-end-stored", "n_b - (n32)", "n_b + 8 - (n32)", 0, NULL },
  { "rows-behind-the-end-stored", "row + 8 * half < n_a, b % 2", "row + 8 * half <= n_a, b % 2", 0, NULL },
  { "words-not-exchanged", "      exchange_words (words, lane);\n", "", 0, NULL },
  { "words-exchanged-once", "side <= 2; side *= 2", "side <= 1; side *= 2", 0, NULL },
  /* the order of blocks */
  { "tile-left-out", "within / side", "within / side * 0", 0, NULL },
};

/* Of a product whose left factor goes through registers, so that lanes read what the copy hardware brings. */
static const Mutation lanes_mutations[] = {
  { "not-fenced-when-released", "release_read_slot (empty_0", "release_slot (empty_0", 0,
      "was read by warp" },
};

static char *
mutated (const char *text, const Mutation *mutation)
{
  const char *found = text;

  for (guint n = 0;; n++, found += strlen (mutation->from))
    {
      found = strstr (found, mutation->from);
      if (found == NULL)
        g_error ("%s: “%s” is not in the kernel", mutation->name, mutation->from);
      if (n == mutation->at)
        break;
    }
  return g_strdup_printf (
      "%.*s%s%s", (int) (found - text), text, mutation->to, found + strlen (mutation->from));
}

/* Two blocks, the second one ragged; more steps than slots, the last one ragged, some left out by the mask. */
/* What is damaged: attention by warps or by warpgroups, or a product of matrices by warpgroups; of tiles that threads copy or that the copy
 * hardware brings. */
typedef enum
{
  BY_WARPS,
  BY_GROUPS,
  PRODUCT,
  BY_BOXES,
  PRODUCT_BY_BOXES,
  READ_BY_LANES,
} Kernel;

static void
init (Case *self, Kernel kernel)
{
  gboolean by_groups = kernel != BY_WARPS;

  if (kernel == PRODUCT || kernel >= PRODUCT_BY_BOXES)
    {
      case_init (self,
          &(CaseOptions){ .text = kernel == READ_BY_LANES
                                      ? "A : [a=200, k=400]\nB : [k, b=200]\nC[a,b] = relu(A[a,k]) B[k,b]\n"
                                      : "A : [a=200, k=400]\nB : [k, b=200]\nC[a,b] = A[a,k] B[k,b]\n",
              .fuse = "all",
              .labels = "a:group@smem=128 b:group@smem=128 k:stream@smem=32",
              .dtype = HEDDLE_DTYPE_F16,
              .gpu = "h100-sxm",
              .warpgroups = TRUE,
              .copies = kernel == PRODUCT });
      return;
    }
  case_init (self,
      &(CaseOptions){ .text = "Q : [y=200, k=32]\nK : [x=200, k]\nV : [x, k]\n"
                              "S[y,x] = Q[y,k] K[x,k]\n"
                              "M[y,x] = where(x <= y, S[y,x] * k^-0.5, -inf)\n"
                              "P[y,x] = softmax[x](M[y,x])\n"
                              "O[y,k] = P[y,x] V[x,k]\n",
          .fuse = "all",
          .labels = by_groups ? "y:group@smem=128 x:stream@smem=16" : "y:group@smem=32 x:stream@smem=16",
          .dtype = HEDDLE_DTYPE_F16,
          .gpu = by_groups ? "h100-sxm" : "a100-80-sxm",
          .warpgroups = by_groups,
          .copies = kernel == BY_GROUPS,
          .tensor = TRUE });
}

/* x = 42: the last step of the second block is ragged. */
static GPtrArray *
verify (const Case *self, Kernel kernel)
{
  static const char *const at[] = { "y=45 x=42", "y=141 x=42", "a=136 k=216 b=136", "y=141 x=42",
    "a=136 k=216 b=136", "a=136 k=216 b=136" };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = case_sizes (self, at[kernel]);
  GPtrArray *results = heddle_plan_verify (self->plan, sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (results->len, ==, 1);
  return results;
}

static void
test_sound (gconstpointer data)
{
  Kernel kernel = GPOINTER_TO_UINT (data);
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) results = NULL;
  const HeddleVerification *result;

  if (!case_has_cuda ())
    return;
  init (&self, kernel);
  results = verify (&self, kernel);
  result = g_ptr_array_index (results, 0);
  if (!result->passed)
    g_test_message ("%s", result->detail);
  g_assert_true (result->passed);
}

static gboolean
is_of (const Mutation *mutation, const Mutation *rows, guint n)
{
  return mutation >= rows && mutation < rows + n;
}

static Kernel
kernel_of (const Mutation *mutation)
{
  if (is_of (mutation, product_mutations, G_N_ELEMENTS (product_mutations)))
    return PRODUCT;
  if (is_of (mutation, box_mutations, G_N_ELEMENTS (box_mutations)))
    return BY_BOXES;
  if (is_of (mutation, product_box_mutations, G_N_ELEMENTS (product_box_mutations)))
    return PRODUCT_BY_BOXES;
  if (is_of (mutation, lanes_mutations, G_N_ELEMENTS (lanes_mutations)))
    return READ_BY_LANES;
  return is_of (mutation, group_mutations, G_N_ELEMENTS (group_mutations)) ? BY_GROUPS : BY_WARPS;
}

static void
test_mutation (gconstpointer data)
{
  const Mutation *mutation = data;
  Kernel kernel = kernel_of (mutation);
  g_auto (Case) self = { 0 };
  HeddleKernelText *text;
  g_autoptr (GPtrArray) results = NULL;
  const HeddleVerification *result;
  char *device;

  if (!case_has_cuda ())
    return;
  init (&self, kernel);
  text = case_kernel (&self, 0);
  device = mutated (text->device, mutation);
  g_free (text->device);
  text->device = device;
  results = verify (&self, kernel);
  result = g_ptr_array_index (results, 0);
  g_assert_false (result->passed);
  g_test_message ("%s: %s", mutation->name, result->detail);
  if (mutation->says != NULL)
    g_assert_nonnull (strstr (result->detail, mutation->says));
}

static void
add (const char *folder, const Mutation *rows, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat (folder, rows[i].name, NULL);

      g_test_add_data_func (path, &rows[i], test_mutation);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/tensor-mutation/none", GUINT_TO_POINTER (BY_WARPS), test_sound);
  g_test_add_data_func ("/tensor-mutation/warpgroups/none", GUINT_TO_POINTER (BY_GROUPS), test_sound);
  g_test_add_data_func ("/tensor-mutation/product/none", GUINT_TO_POINTER (PRODUCT), test_sound);
  add ("/tensor-mutation/", mutations, G_N_ELEMENTS (mutations));
  add ("/tensor-mutation/warpgroups/", group_mutations, G_N_ELEMENTS (group_mutations));
  add ("/tensor-mutation/product/", product_mutations, G_N_ELEMENTS (product_mutations));
  g_test_add_data_func ("/tensor-mutation/boxes/none", GUINT_TO_POINTER (BY_BOXES), test_sound);
  g_test_add_data_func (
      "/tensor-mutation/product-boxes/none", GUINT_TO_POINTER (PRODUCT_BY_BOXES), test_sound);
  add ("/tensor-mutation/boxes/", box_mutations, G_N_ELEMENTS (box_mutations));
  add ("/tensor-mutation/product-boxes/", product_box_mutations, G_N_ELEMENTS (product_box_mutations));
  g_test_add_data_func ("/tensor-mutation/read-by-lanes/none", GUINT_TO_POINTER (READ_BY_LANES), test_sound);
  add ("/tensor-mutation/read-by-lanes/", lanes_mutations, G_N_ELEMENTS (lanes_mutations));
  return g_test_run ();
}
