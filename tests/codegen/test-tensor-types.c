/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/ptx.h"
#include "codegen/verify/verify.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Products of types that matrices of 16-bit elements cannot carry: right at ragged sizes in every order of their factors' axes, and wrong
 * where a building block is damaged. */

typedef struct
{
  const char *name, *text, *labels;
  HeddleDtype dtype;
  const char *sizes[2];
  const char *gpu; /* NULL: A100 */
  const char *says; /* in the kernel's text */
} Form;

#define TILES "a:group@smem=64 b:group@smem=32 k:stream@smem=32"
#define BYTES "A : e4m3[a=100, k=100]\nB : e4m3[b=100, k]\nC : f16[a, b]\nC[a,b] = A[a,k] B[b,k]\n"
#define BYTE_TILES "a:group@smem=64 b:group@smem=32 k:stream@smem=64"
#define BYTE_OPERANDS "Q : e4m3[y=80, k=48]\nK : e4m3[x=90, k]\nV : e4m3[x, k]\n"
#define ATTEND_ONE "P[h,x] = softmax[x](Q[h,k] K[h,x,k] * k^-0.5)\nO[h,k] = P[h,x] V[h,x,k]\n"
#define ONE_ROW "Q : f16[h=2, k=32]\nK : f16[h, x=90, k]\nV : f16[h, x, k]\n" ATTEND_ONE
#define VECTOR(type)                                                                                         \
  "A : " type "[a=100, k=100]\nB : " type "[k, b=100]\nv : f32[k]\nC[a,b] = A[a,k] B[k,b]\n"                 \
  "s[b] = v[k] B[k,b]\nY[a,b] = C[a,b] + s[b]\n"
#define OPERANDS "Q : [y=80, k=24]\nK : [x=90, k]\nV : [x, k]\n"

static const Form forms[] = {
  { "product", "A : [a=100, k=100]\nB : [k, b=100]\nC[a,b] = A[a,k] B[k,b]\n", TILES, HEDDLE_DTYPE_TF32,
      { "a=65 k=63 b=37", "a=68 k=36 b=36" } },
  { "right-along", "A : [a=100, k=100]\nB : [b=100, k]\nC[a,b] = A[a,k] B[b,k]\n", TILES, HEDDLE_DTYPE_TF32,
      { "a=33 k=45 b=33", "a=64 k=36 b=33" } },
  { "left-exchanged", "A : [k=100, a=100]\nB : [b=100, k]\nC[a,b] = A[k,a] B[b,k]\n", TILES,
      HEDDLE_DTYPE_TF32, { "a=65 k=33 b=33", "a=36 k=40 b=32" } },
  { "map-before", "A : [a=100, k=100]\nB : [k, b=100]\nC[a,b] = relu(A[a,k]) B[k,b]\n", TILES,
      HEDDLE_DTYPE_TF32, { "a=33 k=45 b=33", "a=64 k=36 b=32" } },
  { "attention", OPERANDS ATTENTION_EQUATIONS, "y:group@smem=32 x:stream@smem=16", HEDDLE_DTYPE_TF32,
      { "y=33 x=41", "y=20 x=36" } },
  /* one query: a row, and zeros below it */
  { "one-row", ONE_ROW, "h:group@smem=1 x:stream@smem=32", 0, { "x=41", "x=64" }, NULL, "There is one row" },
  { "one-row-in-parts", ONE_ROW, "h:group@smem=1 x:group@smem=64 x:stream@smem=32", 0, { "x=79", "x=200" },
      "h100", "There is one row" },
  { "one-row-of-bytes", "Q : e4m3[h=2, k=32]\nK : e4m3[h, x=90, k]\nV : f16[h, x, k]\n" ATTEND_ONE,
      "h:group@smem=1 x:stream@smem=32", 0, { "x=41", "x=64" }, "l40s", "multiply_e4m3" },
  /* e4m3: as it is where the sum goes along both factors and the machine can, else 16 bits wide on its way */
  { "e4m3", BYTES, BYTE_TILES, 0, { "a=65 k=63 b=37", "a=64 k=80 b=36" }, "l40s", "multiply_e4m3" },
  { "e4m3-groups", BYTES, BYTE_TILES, 0, { "a=65 k=63 b=37", "a=64 k=80 b=36" }, "h100",
      "multiply_64x32_e4m3" },
  { "e4m3-on-sm_80", BYTES, BYTE_TILES, 0, { "a=65 k=63 b=37", "a=64 k=80 b=36" }, NULL, "widen_f16" },
  { "e4m3-cut-within-16-bytes", BYTES, "a:group@smem=64 b:group@smem=32 k:stream@smem=24", 0,
      { "a=33 k=64 b=33", "a=33 k=63 b=33" }, "l40s", "multiply_e4m3" },
  { "e4m3-exchanged", "A : e4m3[a=100, k=100]\nB : e4m3[k, b=100]\nC : f16[a, b]\nC[a,b] = A[a,k] B[k,b]\n",
      TILES, 0, { "a=65 k=63 b=37", "a=33 k=40 b=40" }, "h100", "widen_f16" },
  { "bf16-times-e4m3", "A : bf16[a=100, k=100]\nB : e4m3[b=100, k]\nC : bf16[a, b]\nC[a,b] = A[a,k] B[b,k]\n",
      TILES, 0, { "a=33 k=45 b=33", "a=33 k=40 b=40" }, NULL, "widen_bf16" },
  { "e4m3-mapped",
      "A : e4m3[a=100, k=100]\nB : e4m3[b=100, k]\nC : f16[a, b]\nC[a,b] = relu(A[a,k]) B[b,k]\n", TILES, 0,
      { "a=33 k=45 b=33", "a=33 k=40 b=40" }, "h100", "widen_f16" },
  /* vectors of more bits than the matrix have its type in the product, and what is made of them is as exact as that */
  { "f32-vector-beside-bf16", VECTOR ("bf16"), TILES, 0, { "a=33 k=45 b=33", "a=64 k=36 b=32" }, NULL,
      "a left factor, rounded to bf16;" },
  { "f32-vector-beside-f16", VECTOR ("f16"), TILES, 0, { "a=33 k=45 b=33", "a=64 k=36 b=32" }, "h100",
      "a left factor, rounded to f16;" },
  { "e4m3-attention", BYTE_OPERANDS ATTENTION_EQUATIONS, "y:group@smem=64 x:stream@smem=32", 0,
      { "y=33 x=41", "y=20 x=36" }, "h100", "_e4m3 (S" },
};

static void
init (Case *self, const Form *form)
{
  /* so few rows are faster by warps */
  gboolean groups = form->says != NULL && g_str_has_prefix (form->says, "multiply_64x");

  case_init (self, &(CaseOptions){ .text = form->text,
                       .fuse = "all",
                       .labels = form->labels,
                       .dtype = form->dtype,
                       .gpu = form->gpu != NULL ? form->gpu : "a100-80-sxm",
                       .warpgroups = groups,
                       .automatic = !groups });
}

static HeddleVerification *
verify (const Case *self, const char *at, GPtrArray **results)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = case_sizes (self, at);

  *results = heddle_plan_verify (self->plan, sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((*results)->len, ==, 1);
  return g_ptr_array_index (*results, 0);
}

static void
test_right (gconstpointer data)
{
  const Form *form = data;
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, form);
  g_assert_cmpint (case_kernel (&self, 0)->family, !=, HEDDLE_FAMILY_GENERAL);
  if (form->says != NULL)
    g_assert_nonnull (strstr (case_kernel (&self, 0)->device, form->says));
  for (guint i = 0; i < G_N_ELEMENTS (form->sizes) && form->sizes[i] != NULL; i++)
    {
      g_autoptr (HeddleSizes) sizes = case_sizes (&self, form->sizes[i]);

      case_assert_right (self.plan, sizes, 1);
    }
}

/* At sizes of all kinds, from three seeds. */
static void
test_throughout (gconstpointer data)
{
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, data);
  case_assert_right_throughout (self.plan, self.plan->sizes);
}

/* --- damaged building blocks --- */

typedef struct
{
  const char *name;
  guint form;
  const char *from, *to; /* in the device part */
  guint sizes; /* of the form */
} Mutation;

static const Mutation mutations[] = {
  { "row-of-the-lane", 0, "lane % 4 * 128 + ((lane / 16", "lane / 8 * 128 + ((lane / 16" },
  { "piece-of-the-lane", 0, "((lane / 16 ^ lane % 4) << 4)", "((lane / 16) << 4)" },
  { "column-of-the-lane", 0, "lane / 4 % 4 * 4", "lane % 4 * 4" },
  { "four-rows-further", 0, "to[1] = load_word ((at ^ 64) + 512)", "to[1] = load_word (at + 512)" },
  { "eight-columns-further", 0, "to[2] = load_word (at ^ 32)", "to[2] = load_word (at)" },
  { "left-rows-further", 2, "to[1] = load_word (at ^ 32)", "to[1] = load_word ((at ^ 64) + 512)" },
  { "rows-side-by-side", 4, "lane % 4 * 256 + ((lane / 16 ^ lane % 4 * 2)",
      "lane % 4 * 128 + ((lane / 16 ^ lane % 4)" },
  { "second-row", 4, "(at ^ 16) + 128", "(at ^ 64) + 512" },
  { "recast-in-natural-order", 4, "to[1] = round_tf32 (left[2])", "to[1] = round_tf32 (left[1])" },
  { "pairs-eight-rows-further", 3, "[%2 + 1024]", "[%2 + 512]" },
  { "pairs-not-swizzled", 3, "(lane % 4 / 2 ^ lane / 4) << 4", "(lane % 4 / 2) << 4" },
  { "panel-of-16-bits", 0, "tile_address<TILE_a, 4>", "tile_address<TILE_a>" },
  { "copied-words-swizzled", 1, "((byte % 128 / 16 ^ row % 8) << 4)", "(byte % 128 / 16 << 4)" },
  { "panel-of-bytes", 8, "tile_address<TILE_b, 1>", "tile_address<TILE_b>" },
  { "copied-bytes-swizzled", 8, "((byte % 128 / 16 ^ row % 8) << 4)", "(byte % 128 / 16 << 4)" },
  { "described-as-halves", 9, "describe_along<TILE_b, 1>", "describe_along<TILE_b>", 1 },
  { "part-not-new", 9, "k32 > 0)", "1)", 1 },
  { "part-not-added", 9, "c[n8][e4] += part[n8][e4]", "c[n8][e4] = part[n8][e4]", 1 },
  { "part-not-waited-for", 9, "wait_for_products<0> ();", "", 1 },
  { "part-not-fenced", 9, "fence_products ();", "", 1 },
  { "exponent-in-its-place", 10, "(apart & 0x7f007f) << 7", "(apart & 0x7f007f) << 6", 1 },
  { "scale-of-exponents", 10, "0x5c005c00", "0x58005800", 1 },
  { "second-pair", 10, "WIDEN (bytes.x >> 16)", "WIDEN (bytes.x >> 8 & 0xffff)", 1 },
  { "wide-pieces-swizzled", 10, "((piece ^ at % 8) << 4)", "(piece << 4)", 1 },
  { "wide-columns-behind-the-end", 10, "along * 64 + piece * 8 < columns",
      "along * 64 + piece * 8 <= columns", 1 },
  { "wide-elements-swizzled", 10, "((column % 64 / 8 ^ row % 8) << 4)", "(column % 64 / 8 << 4)" },
  { "scale-of-bf16", 13, "0x7b807b80", "0x7b007b00" },
  { "rows-of-zeros", 5, "(Q_tile, Q + h_0 * k, 0, 1, k)", "(Q_tile, Q + h_0 * k, 0, 0, k)" },
  { "zero-row-stored", 5, "if (row + 8 * half < 1)", "if (row + 8 * half < 2)" },
};

static char *
mutated (const char *text, const Mutation *mutation)
{
  const char *found = strstr (text, mutation->from);

  if (found == NULL)
    g_error ("%s: “%s” is not in the kernel", mutation->name, mutation->from);
  return g_strdup_printf (
      "%.*s%s%s", (int) (found - text), text, mutation->to, found + strlen (mutation->from));
}

static void
test_mutation (gconstpointer data)
{
  const Mutation *mutation = data;
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) results = NULL;
  HeddleKernelText *text;
  char *device;

  if (!case_has_cuda ())
    return;
  init (&self, &forms[mutation->form]);
  text = case_kernel (&self, 0);
  device = mutated (text->device, mutation);
  g_free (text->device);
  text->device = device;
  g_assert_false (verify (&self, forms[mutation->form].sizes[mutation->sizes], &results)->passed);
}

/* --- rounding --- */

/* 1 + 0.75 / 1024 is 1 + 1 / 1024 as tf32, rounded; where the lower bits are left out it is 1. Of 40 such products the sum tells. */
static void
check_rounding (const char *from, const char *to, double expected)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  g_autoptr (HeddleVerification) result = g_new0 (HeddleVerification, 1);
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *summary = NULL;
  HeddleKernelText *text;
  HeddleVerifyRun run;
  const HeddleArray *made = NULL;

  init (&self, &forms[0]);
  sizes = case_sizes (&self, "a=16 k=40 b=16");
  text = case_kernel (&self, 0);
  if (from != NULL)
    {
      const Mutation mutation = { "rounding", 0, from, to };
      char *device = mutated (text->device, &mutation);

      g_free (text->device);
      text->device = device;
    }
  for (guint i = 0; i < 2; i++)
    {
      HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, i);
      const gint64 shapes[][2] = { { 16, 40 }, { 40, 16 } };
      HeddleArray *array = heddle_array_new (HEDDLE_DTYPE_F32, 2, shapes[i], &error);

      parameter->dtype = HEDDLE_DTYPE_F32; /* as it lies in memory */
      for (gint64 k = 0; k < array->n_elements; k++)
        array->data[k] = 1 + 0x1.8p-11;
      g_hash_table_insert (arrays, (gpointer) parameter->value, array);
    }
  run = (HeddleVerifyRun){ .diagram = self.diagram,
    .sizes = sizes,
    .texts = self.plan->texts,
    .dtype = HEDDLE_DTYPE_TF32,
    .seed = 1,
    .arrays = arrays };
  ((HeddleKernelParameter *) g_ptr_array_index (text->parameters, 2))->dtype = HEDDLE_DTYPE_F32;
  g_assert_true (heddle_verify_interpret (&run, text, result, &summary, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (result->detail, ==, NULL);
  made = g_hash_table_lookup (
      arrays, ((HeddleKernelParameter *) g_ptr_array_index (text->parameters, 2))->value);
  for (gint64 k = 0; k < made->n_elements; k++)
    g_assert_cmpfloat_with_epsilon (made->data[k], expected, 1e-4);
}

static void
test_rounding (void)
{
  if (!case_has_cuda ())
    return;
  check_rounding (NULL, NULL, 40 * (1 + 0x1p-10) * (1 + 0x1p-10));
  check_rounding ("round_tf32 (right);", "", 40 * (1 + 0x1p-10));
  check_rounding ("round_tf32 (left);", "", 40 * (1 + 0x1p-10));
}

/* f32 is not multiplied by the tensor core unless somebody asks for less. */
static void
test_not_asked (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self, &(CaseOptions){ .text = "A : [a=100, k=100]\nB : [k, b=100]\nC[a,b] = A[a,k] B[k,b]\n",
                        .gpu = "a100-80-sxm",
                        .dtype = HEDDLE_DTYPE_F32,
                        .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_GENERAL);
  g_assert_nonnull (strstr (case_kernel (&self, 0)->family_reason, "f16, bf16, tf32"));
  g_assert_nonnull (strstr (case_kernel (&self, 0)->family_reason, "declare it tf32"));
}

int
main (int argc, char **argv)
{
  gboolean thorough = case_is_long (&argc, argv);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-types/right/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], thorough ? test_throughout : test_right);
    }
  if (thorough)
    return g_test_run ();
  for (guint i = 0; i < G_N_ELEMENTS (mutations); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-types/damaged/", mutations[i].name, NULL);

      g_test_add_data_func (path, &mutations[i], test_mutation);
    }
  g_test_add_func ("/tensor-types/rounding", test_rounding);
  g_test_add_func ("/tensor-types/not-asked", test_not_asked);
  return g_test_run ();
}
