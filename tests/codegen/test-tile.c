/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/tile/bind.h"
#include "codegen/tile/expr.h"
#include "codegen/tile/program.h"
#include "codegen/tile/text.h"
#include "codegen/tile/tile.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/print.h"
#include "diagram/expression/tree.h"

/* Tile programs as text: what lives where, and what a block does in order. */

static HeddleTileProgram *
tiles_of (const Case *self, const HeddleTileOptions *options, char **why)
{
  const HeddleKernel *kernel = g_ptr_array_index (self->plan->derivation->kernels, 0);

  return heddle_tile_program_new (
      self->diagram, kernel->program, self->plan->sizes, self->plan->dtype, 163 * 1024, options, why);
}

static void
assert_tiles (const CaseOptions *options, const HeddleTileOptions *tiling, const char *expected)
{
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleTileProgram) tiles = NULL;
  g_autofree char *why = NULL, *text = NULL;

  case_init (&self, options);
  tiles = tiles_of (&self, tiling, &why);
  if (tiles == NULL)
    g_error ("%s", why);
  text = heddle_tile_program_to_string (tiles);
  if (strcmp (text, expected) != 0)
    g_test_message ("%s", text);
  g_assert_cmpstr (text, ==, expected);
}

#define HALVES .dtype = HEDDLE_DTYPE_F16, .gpu = "a100-80-sxm", .fuse = "all"

/* A norm's mean and bias, times the weights: sums down the columns, of one product for both. The columns behind the end of m become the centre, so that
 * deviations from it are 0 there. */
static void
test_centred_norm (void)
{
  assert_tiles (&(CaseOptions){ .text = "X : [x=100, m=200]\ng : [m]\nb : [m]\nW : [m, n=100]\n"
                                        "Y[x,n] = (layernorm[m, eps=1e-5](X[x,m]) * g[m] + b[m]) W[m,n]\n",
                    .labels = "x:group@smem=32 n:group@smem=64 m:stream@smem=32",
                    HALVES },
      NULL,
      "rows x, 2 x 2 warps of 1 x 16 rows, columns of n shared out, 25088 bytes shared\n"
      "tile X: f16[x 32][m 32] shared at 0, ring of 3, point 0, unpacked\n"
      "tile c: f32[x 32] row\n"
      "tile d: f32[x 32] row\n"
      "tile v_1: f32[x 32] row\n"
      "tile t1_1: f32[x 32][m 32] fragment\n"
      "tile g: f16 global\n"
      "tile b: f16 global\n"
      "tile t2_1: f32[x 32][m 32] fragment\n"
      "tile W: f16[m 32][n 64] shared at 12288, ring of 3, point 0\n"
      "tile y_1: f32[x 32][n 64] fragment\n"
      "tile y_2: f32[n 64] column at 24576\n"
      "tile y_3: f32[n 64] column at 24832\n"
      "tile v: f32[x 32] row\n"
      "tile Y: f32[x 32][n 64] fragment\n"
      "c = 0\n"
      "d = 0\n"
      "v_1 = 0\n"
      "y_1 = 0\n"
      "stream m\n"
      "  acquire point 0, 1 groups may be under way\n"
      "  unpack X\n"
      "  c = sum (c, X*(1/min(32, m)) along m) guarded where m < 32\n"
      "  mask X with c\n"
      "  d = sum (d, X - c along m)\n"
      "  v_1 = sum (v_1, (X - c)*(X - c) along m)\n"
      "  t1_1 = X - c\n"
      "  t2_1 = t1_1*g\n"
      "  y_1 = contract (y_1, recast t2_1, W)\n"
      "  y_2, y_3 = columns (g, b; W)\n"
      "spread columns\n"
      "v = v_1 + 2*d*-(d/m) + m*(-(d/m)*-(d/m))\n"
      "Y = y_1*(1/sqrt(v/m + 1e-05)) + y_2*-(d/m)*(1/sqrt(v/m + 1e-05)) + y_3\n"
      "store Y\n");
}

/* Scores and weights stay in registers, the scale goes into the exponentials, only the ragged end is masked. */
static void
test_attention (void)
{
  assert_tiles (&(CaseOptions){ .text = ATTENTION, .labels = "y:group@smem=64 x:stream@smem=64", HALVES },
      NULL,
      "rows y, 4 x 1 warps of 1 x 16 rows, 81920 bytes shared\n"
      "tile Q: f16[y 64][k 128] shared at 0\n"
      "tile K: f16[x 64][k 128] shared at 16384, ring of 2, point 0\n"
      "tile S: f32[y 64][x 64] fragment\n"
      "tile t1: f32[y 64][x 64] fragment = k^-0.5 * S\n"
      "tile m: f32[y 64] row\n"
      "tile delta: f32[y 64] row\n"
      "tile P: f32[y 64][x 64] fragment\n"
      "tile l: f32[y 64] row\n"
      "tile V: f16[x 64][k 128] shared at 49152, ring of 2, point 1\n"
      "tile o: f32[y 64][k 128] fragment\n"
      "copy Q\n"
      "m = -inf\n"
      "l = 0\n"
      "o = 0\n"
      "stream x\n"
      "  acquire point 0, 2 groups may be under way\n"
      "  S = contract (Q, K)\n"
      "  delta = m\n"
      "  mask t1 with -inf\n"
      "  m = max (m, t1 along x)\n"
      "  delta = where(delta == m, 1, exp(delta - m))\n"
      "  P = exponential (t1 - m)\n"
      "  l = sum (delta * l, P along x)\n"
      "  acquire point 1, 2 groups may be under way\n"
      "  o = contract (delta * o, recast P, V)\n"
      "o = where(l == 0, 0, o*(1/l))\n"
      "store o\n");
}

/* Nothing reads columns of the product but the store: warps share them out. B is transposed on its way to the tensor core. */
static void
test_product (void)
{
  assert_tiles (&(CaseOptions){ .text = "A : [a=512, k=512]\nB : [k, b=512]\nC[a,b] = A[a,k] B[k,b]\n",
                    .labels = "a:group@smem=128 b:group@smem=128 k:stream@smem=64",
                    HALVES },
      NULL,
      "rows a, 2 x 2 warps of 4 x 16 rows, columns of b shared out, 98304 bytes shared\n"
      "tile A: f16[a 128][k 64] shared at 0, ring of 3, point 0\n"
      "tile B: f16[k 64][b 128] shared at 49152, ring of 3, point 0\n"
      "tile c: f32[a 128][b 128] fragment\n"
      "c = 0\n"
      "stream k\n"
      "  acquire point 0, 1 groups may be under way\n"
      "  c = contract (c, A, B)\n"
      "store c\n");
}

/* Two products in a chain, a map between them, an array read where it is needed. Two stages were asked for. */
static void
test_chain (void)
{
  assert_tiles (&(CaseOptions){ .text = "X : [x=64, m=64]\nW : [m, f=256]\nb : [f]\nU : [f, n=64]\n"
                                        "H[x,f] = relu(X[x,m] W[m,f] + b[f])\nY[x,n] = H[x,f] U[f,n]\n",
                    .labels = "x:group@smem=32 n:group@smem=64 f:stream@smem=32",
                    HALVES },
      &(HeddleTileOptions){ .tiles_down = 2, .stages = 1 },
      "rows x, 1 x 1 warps of 2 x 16 rows, 16384 bytes shared\n"
      "tile X: f16[x 32][m 64] shared at 0\n"
      "tile W: f16[m 64][f 32] shared at 4096, ring of 1, point 0\n"
      "tile t1: f32[x 32][f 32] fragment\n"
      "tile b: f16 global\n"
      "tile H: f32[x 32][f 32] fragment\n"
      "tile U: f16[f 32][n 64] shared at 12288, ring of 1, point 1\n"
      "tile y: f32[x 32][n 64] fragment\n"
      "copy X\n"
      "y = 0\n"
      "stream f\n"
      "  acquire point 0, 0 groups may be under way\n"
      "  t1 = contract (X, W)\n"
      "  H = relu(t1 + b)\n"
      "  acquire point 1, 0 groups may be under way\n"
      "  y = contract (y, recast H, U)\n"
      "store y\n");
}

/* --- what has no tile program --- */

typedef struct
{
  const char *name, *text, *labels, *why;
  HeddleDtype dtype;
} Refusal;

static const Refusal refusals[] = {
  /* rows that a map makes of global memory are held as products are: 1024 columns are 512 registers of a thread */
  { "rows-of-global-memory",
      "S : f16[y=1024, x=1024]\nV : f16[x, k=16]\nP[y,x] = softmax[x](S[y,x] * 0.25)\nB[y,x] = P[y,x] * 2\n"
      "A[y,k] = P[y,x] V[x,k]\n",
      "y:group@smem=4", "registers for its tiles" },
  { "no-product", "X : [x=64, m=64]\nP[x,m] = softmax[m](X[x,m])\n", "", "no product", HEDDLE_DTYPE_F16 },
  { "f32", "A : [a=64, k=64]\nB : [k, b=64]\nC[a,b] = A[a,k] B[k,b]\n", "", "f16, bf16, tf32",
      HEDDLE_DTYPE_F32 },
  { "two-types", "A : f16[a=64, k=64]\nB : bf16[k, b=64]\nC[a,b] = A[a,k] B[k,b]\n", "", "f16 and bf16",
      HEDDLE_DTYPE_F16 },
  { "large", "X : [x=64, m=64]\nW : [m, f=64]\nU : [f, n=512]\nY[x,n] = relu(X[x,m] W[m,f]) U[f,n]\n",
      "x:group@smem=16 n:group@smem=512 f:stream@smem=16", "registers", HEDDLE_DTYPE_F16 },
};

static void
test_refused (gconstpointer data)
{
  const Refusal *refusal = data;
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleTileProgram) tiles = NULL;
  g_autofree char *why = NULL;

  case_init (&self, &(CaseOptions){ .text = refusal->text,
                        .labels = refusal->labels,
                        .dtype = refusal->dtype,
                        .fuse = "all",
                        .gpu = "a100-80-sxm" });
  tiles = tiles_of (&self, NULL, &why);
  g_assert_null (tiles);
  g_assert_nonnull (why);
  if (strstr (why, refusal->why) == NULL)
    g_error ("“%s” is not in: %s", refusal->why, why);
}

/* --- expressions --- */

static void
assert_expr (HeddleExpr *expr, const char *expected)
{
  g_autofree char *text = expr != NULL ? heddle_expr_to_string (expr, NULL, NULL) : NULL;

  g_assert_cmpstr (text, ==, expected);
  g_clear_pointer (&expr, heddle_expr_unref);
}

/* A positive factor of numbers and sizes comes out, through a choice with infinity too; no other does. */
static void
test_factors (void)
{
  static const struct
  {
    const char *body, *rest, *factor;
  } rows[] = {
    { "$0 * size(k)^-0.5", "$0", "size(k)^-0.5" },
    { "0.25 * $0", "$0", "0.25" },
    { "$0 / sqrt(size(k))", "$0", "1/sqrt(size(k))" },
    { "where(index(x) <= index(y), $0 * 2, -inf)", "where(index(x) <= index(y), $0, -inf)", "2" },
    { "where(index(x) <= index(y), $0 * 2, 0)", NULL, NULL },
    { "$0 * -2", NULL, NULL },
    { "$0 * $1", NULL, NULL },
    { "$0 + 1", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (HeddleExpr) body = heddle_expr_parse (rows[i].body, NULL, NULL, NULL);
      HeddleExpr *factor = NULL, *rest = heddle_tile_split_factor (body, &factor);
      g_autofree char *text = factor != NULL ? heddle_expr_to_string (factor, NULL, NULL) : NULL;

      assert_expr (rest, rows[i].rest);
      if (rows[i].factor == NULL)
        g_assert_null (text);
      else
        g_assert_nonnull (text);
      g_clear_pointer (&factor, heddle_expr_unref);
    }
}

static void
test_exponentials (void)
{
  g_autoptr (HeddleExpr) yes = heddle_expr_parse ("where($2 == -inf, 0, exp($2 - $1))", NULL, NULL, NULL);
  static const char *const no[] = { "where($0 == -inf, 0, exp($1 - $0))", "where($0 == inf, 0, exp($0 - $1))",
    "where($0 == -inf, 1, exp($0 - $1))", "exp($0 - $1)" };
  guint a = 9, r = 9;

  g_assert_true (heddle_tile_is_shifted_exponential (yes, &a, &r));
  g_assert_cmpuint (a, ==, 2);
  g_assert_cmpuint (r, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    {
      g_autoptr (HeddleExpr) body = heddle_expr_parse (no[i], NULL, NULL, NULL);

      g_assert_false (heddle_tile_is_shifted_exponential (body, &a, &r));
    }
}

static gboolean
is_second (const HeddleExpr *expr, gpointer data)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL) && heddle_tile_only_argument (expr) != NULL
         && heddle_expr_get_operand (heddle_tile_only_argument (expr)) == 1;
}

/* One division a row instead of one an element. */
static void
test_reciprocals (void)
{
  g_autoptr (HeddleExpr) body
      = heddle_expr_parse ("where($1 == 0, 0, $0 / ($1 + 1)) + $1 / $0", NULL, NULL, NULL);

  assert_expr (
      heddle_tile_by_reciprocals (body, is_second, NULL), "where($1 == 0, 0, $0*(1/($1 + 1))) + $1/$0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tile/centred-norm", test_centred_norm);
  g_test_add_func ("/tile/attention", test_attention);
  g_test_add_func ("/tile/product", test_product);
  g_test_add_func ("/tile/chain", test_chain);
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *path = g_strconcat ("/tile/refused/", refusals[i].name, NULL);

      g_test_add_data_func (path, &refusals[i], test_refused);
    }
  g_test_add_func ("/tile/factors", test_factors);
  g_test_add_func ("/tile/exponentials", test_exponentials);
  g_test_add_func ("/tile/reciprocals", test_reciprocals);
  return g_test_run ();
}
