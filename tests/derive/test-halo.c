/* SPDX-License-Identifier: MIT */
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/index/interval.h"
#include "derive/index/window.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/program/pseudocode.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "fixture.h"

/* Windows: what tiles with their halos move and hold, against counts that go through every tile and every index. */

/* An axis of a convolution: index = step * y + apart * i - pad. */
typedef struct
{
  gint64 step, apart, pad;
  gint64 out, window, in; /* lengths of y, of i and of what is read */
  gint64 tile, part; /* of y, and of i in a step */
} Line;

/* How many indices are read from the least to the largest, cut at the ends of the array. */
static gint64
count_span (const Line *self, gint64 y, gint64 i)
{
  gint64 least = G_MAXINT64, most = G_MININT64;

  for (gint64 a = y; a < MIN (y + self->tile, self->out); a++)
    for (gint64 b = i; b < MIN (i + self->part, self->window); b++)
      {
        gint64 index = self->step * a + self->apart * b - self->pad;

        least = MIN (least, index);
        most = MAX (most, index);
      }
  least = MAX (least, 0);
  most = MIN (most, self->in - 1);
  return MAX (most - least + 1, 0);
}

static gint64
length (gint64 n, gint64 from, gint64 size)
{
  return MIN (size, n - from);
}

typedef struct
{
  gint64 moved, held;
} Count;

/* Y[f,y,x] = sum of X[c, y', x'] W[f,c,i,j] in tiles of f, y and x and chunks of c. */
static Count
count_convolution (const Line *rows, const Line *places, gint64 f, gint64 f_tile, gint64 c, gint64 c_chunk)
{
  Count count = { f * rows->out * places->out, 0 };

  for (gint64 k = 0; k < f; k += f_tile)
    for (gint64 y = 0; y < rows->out; y += rows->tile)
      for (gint64 x = 0; x < places->out; x += places->tile)
        for (gint64 b = 0; b < c; b += c_chunk)
          {
            gint64 channels = length (c, b, c_chunk), filters = length (f, k, f_tile);
            gint64 read = channels * count_span (rows, y, 0) * count_span (places, x, 0);
            gint64 weights = filters * channels * rows->window * places->window;
            gint64 made = filters * length (rows->out, y, rows->tile) * length (places->out, x, places->tile);

            count.moved += read + weights;
            count.held = MAX (count.held, read + weights + made);
          }
  return count;
}

static HeddleDerivation *
derive (const Fixture *fixture, const char *labels)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", 1000000000, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F64, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };

  g_assert_no_error (error);
  return fixture_derive (fixture, "all", labels, &options);
}

/* Values are the evaluator's, counts the cost's. */
static void
run (const Fixture *fixture, const char *what, const HeddleDerivation *derivation)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) reference = NULL;

  g_assert_true (heddle_evaluate_fill_inputs (fixture->diagram, fixture->sizes, inputs, 7, &error));
  g_assert_no_error (error);
  reference = heddle_evaluate (fixture->diagram, fixture->sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = fixture_kernel (derivation, i);

      if (kernel->refusals->len > 0)
        g_error ("%s: %s", what, ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason);
      fixture_check_kernel (fixture->sizes, what, kernel, reference, HEDDLE_COLUMNS_ALL);
    }
}

static const HeddleLevelCost *
level_of (const HeddleDerivation *derivation)
{
  return g_ptr_array_index (fixture_kernel (derivation, 0)->levels, 0);
}

static HeddleExpr *
put_label (const HeddleExpr *leaf, gpointer data)
{
  GHashTable *values = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const gint64 *value = kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_VARIABLE
                            ? g_hash_table_lookup (values, heddle_expr_get_symbol (leaf))
                            : NULL;

  return value != NULL ? heddle_expr_number ((double) *value) : NULL;
}

/* The formula comes to the number. */
static void
check_symbols (const Fixture *fixture, const HeddleLevelCost *level, const char *labels)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) parts = g_strsplit (labels, " ", -1);
  HeddleExpr *formulas[] = { level->transfer_symbolic, level->memory_symbolic };
  gint64 numbers[] = { level->transfer_elements, level->memory_elements };

  for (guint i = 0; i < fixture->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (fixture->diagram->axes, i);
      gint64 n = heddle_sizes_get (fixture->sizes, axis->id);

      g_hash_table_insert (values, g_strdup (axis->id), g_memdup2 (&n, sizeof n));
    }
  for (char **part = parts; *part != NULL; part++)
    {
      g_auto (GStrv) words = g_strsplit_set (*part, ":=", -1);
      gint64 size = g_ascii_strtoll (words[2], NULL, 10);

      g_hash_table_insert (values,
          g_strdup_printf ("%s_%s", g_str_equal (words[1], "stream") ? "s" : "g", words[0]),
          g_memdup2 (&size, sizeof size));
    }
  for (guint i = 0; i < G_N_ELEMENTS (formulas); i++)
    {
      g_autoptr (HeddleExpr) put = heddle_expr_substitute (formulas[i], put_label, values);
      g_autoptr (HeddleExpr) number = heddle_expr_simplify (put);

      g_assert_cmpint (heddle_expr_get_kind (number), ==, HEDDLE_EXPR_NUMBER);
      g_assert_cmpfloat (heddle_expr_get_number (number), ==, (double) numbers[i]);
    }
}

static void
check_convolution (const Line *rows, const Line *places, gint64 f, gint64 f_tile, gint64 c, gint64 c_chunk)
{
  Count expected = count_convolution (rows, places, f, f_tile, c, c_chunk);
  g_autofree char *text
      = g_strdup_printf ("X : f64[c=%d, u=%d, v=%d]\nW : f64[f=%d, c, i=%d, j=%d]\naxis y = %d\naxis x = %d\n"
                         "Y[f,y,x] = X[c, %d*y + %d*i - %d, %d*x + %d*j - %d] W[f,c,i,j]\n",
          (int) c, (int) rows->in, (int) places->in, (int) f, (int) rows->window, (int) places->window,
          (int) rows->out, (int) places->out, (int) rows->step, (int) rows->apart, (int) rows->pad,
          (int) places->step, (int) places->apart, (int) places->pad);
  g_autofree char *labels = g_strdup_printf ("f:group=%d y:group=%d x:group=%d c:stream=%d", (int) f_tile,
      (int) rows->tile, (int) places->tile, (int) c_chunk);
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, text, NULL);
  derivation = derive (&fixture, labels);
  if (expected.moved != level_of (derivation)->transfer_elements
      || expected.held != level_of (derivation)->memory_elements)
    g_test_message ("%s%s", text, labels);
  g_assert_cmpint (level_of (derivation)->transfer_elements, ==, expected.moved);
  g_assert_cmpint (level_of (derivation)->memory_elements, ==, expected.held);
  check_symbols (&fixture, level_of (derivation), labels);
  if (expected.moved < 20000)
    run (&fixture, labels, derivation);
}

/* The first layer of ResNet: 7 x 7, two apart, 224 x 224. Tiles of 16 hold (16 - 1) * 2 + (7 - 1) * 1 + 1 = 37 rows. */
static void
test_image (void)
{
  Line line = { 2, 1, 3, 112, 7, 224, 16, 7 };

  g_assert_cmpint (count_span (&line, 16, 0), ==, 37);
  g_assert_cmpint (count_span (&line, 0, 0), ==, 34);
  check_convolution (&line, &line, 64, 32, 3, 3);
  check_convolution (&line, &line, 64, 32, 3, 1);
}

/* Strides, dilation, padding, ragged tiles, tiles smaller than the padding, gaps between windows. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20260215);

  for (guint i = 0; i < 150; i++)
    {
      Line lines[2];
      gint64 f = g_rand_int_range (random, 1, 5), c = g_rand_int_range (random, 1, 5);

      for (guint k = 0; k < 2; k++)
        {
          Line *line = &lines[k];

          line->step = g_rand_int_range (random, 1, 5);
          line->apart = g_rand_int_range (random, 1, 4);
          line->pad = g_rand_int_range (random, 0, 6);
          line->out = g_rand_int_range (random, 1, 14);
          line->part = line->window = g_rand_int_range (random, 1, 5);
          line->in = g_rand_int_range (random, 1, 30);
          line->tile = g_rand_int_range (random, 1, (gint32) line->out + 1);
        }
      check_convolution (&lines[0], &lines[1], f, g_rand_int_range (random, 1, (gint32) f + 1), c,
          g_rand_int_range (random, 1, (gint32) c + 1));
    }
}

/* --- other windows --- */

typedef struct
{
  const char *text, *labels;
  gint64 moved, held; /* -1: only held against the executor */
} Case;

static const Case cases[] = {
  /* Groups of 4 rows of Y read 6, 6 and 3 + 1 rows of X (0 to 9); those of 3 parameters, 3 times. */
  { "X : f64[u=10]\nW : f64[i=3]\naxis y = 10\nY[y] = X[y + i - 1] W[i]\n", "y:group=4", 10 + 5 + 6 + 3 + 9,
      6 + 3 + 4 },
  /* Windows that do not overlap: each value once. */
  { "X : f64[u=12]\naxis y = 6\naxis i = 2\nY[y] = max[i](X[2*y + i])\n", "y:group=2", 12 + 6, 4 + 2 },
  /* The window streams: of two parts of i and 2 rows of Y, 3 and 2 values of X. */
  { "X : f64[u=8]\nW : f64[i=3]\naxis y = 6\nY[y] = X[y + i] W[i]\n", "y:group=2 i:stream=2",
      3 * (3 + 2) + 3 * 3 + 6, 3 + 2 + 2 },
  /* The rows stream, and each step loads its halo. */
  { "X : f64[u=8]\nW : f64[i=3]\naxis y = 6\nY[y] = X[y + i] W[i]\n", "y:stream=2", 3 * 4 + 3 + 6,
      4 + 3 + 2 },
  /* From the end: rows 9 to 6, and so on. */
  { "X : f64[u=10]\naxis y = 10\nY[y] = 2 X[9 - y]\n", "y:group=4", 20, 4 + 4 },
  /* Twice as many rows: each of X is in two tiles of three. */
  { "X : f64[u=6]\naxis y = 12\nY[y] = 2 X[floor(y/2)]\n", "y:group=3", 8 + 12, 2 + 3 },
  /* A transposed convolution, where a tile of 4 reads two rows and one more. */
  { "X : f64[u=6]\nW : f64[v=2]\naxis y = 12\nY[y] = sum[v](X[floor((y + 1 - v)/2)] W[v])\n", "y:group=4", -1,
      -1 },
  /* Both axes of X go by the same loop: 2 by 3 values of each of 3 groups. */
  { "X : f64[a=6, b=7]\naxis y = 6\naxis i = 2\nY[y] = sum[i](X[y, y + i])\n", "y:group=2", 3 * 2 * 3 + 6,
      2 * 3 + 2 },
  /* Neighbours that are as far apart everywhere are one window: y - 1 to y + 1 of 3 rows. */
  { "X : f64[u=9]\naxis y = 9\nY[y] = X[y + 1] - X[y - 1]\n", "y:group=3", 4 + 5 + 4 + 9, -1 },
  /* Tokens after two others: patch floor ((n - 2)/5) of each of 20, though 7/5 - 2/5 is less than 1 as it is rounded. */
  { "axis i = 4\naxis j = 5\nX : f64[v=i*p, j]\nW : f64[p=2]\nt : f64[o=2]\nP[i,j] = X[(i p),j] W[p]\n"
    "T[(i j)] = P[i,j]\nZ[n] = concat[n](t[o], T[z])\n",
      "n:group=1", 20 * 2 * 5 + 22 * 2 + 2 + 22, 2 * 5 + 2 + 5 },
  /* A row of it alone. */
  { "X : f64[u=9, m=5]\nY[m] = 2 X[3, m]\n", "m:group=2", 5 + 5, 2 + 2 },
  { "X : f64[u=30, c=3]\nW : f64[i=3, c, f=4]\naxis y = 14\nY[y,f] = relu(X[2*y + i, c] W[i,c,f])\n",
      "y:group=5 c:stream=2 f:group=3", -1, -1 },
  { "X : f64[h=9, w=8, c=3]\naxis y = 5\naxis x = 4\naxis i = 3\naxis j = 3\nY[y,x,c] = max[i,j](X[2*y + i - "
    "1, 2*x + j - 1, c])\n",
      "y:group=2 x:group=3 c:group=2", -1, -1 },
  { "A : f64[m=5]\nB : f64[n=4]\nC[k] = concat[k](A[m], B[n])\nD[k] = 2 C[k]\n", "k:group=4", -1, -1 },
  /* An input that is loaded transposed is read at the indices of its own axes: heads side by side, of keys in another order. */
  { "V : f64[s=6, h=2, k=3]\nP : f64[h, x=5, s]\nT[h,s,k] = V[s,h,k]\naxis i = 6\n"
    "Y[x,i] = P[floor(i/size(k)),x,s] T[floor(i/size(k)),s,mod(i, size(k))]\n",
      "x:group=2", -1, -1 },
  /* Repeated along k: row 0 of Z is before the first, though what is held has no rows. */
  { "A : f64[l=5]\nY[k=3,l] = A[l]\nZ[k,l] = 2 Y[k - 1, l]\n", "l:group=2", -1, -1 },
  { "A : f64[l=5]\nY[k=3,l] = A[l]\nZ[l] = sum[k](Y[k + 1, l])\n", "l:group=2", -1, -1 },
  { "A : f64[l=5]\nB : f64[k=3]\nY[k,l] = A[l]\nZ[l] = Y[k - 1, l] B[k]\n", "l:group=2", -1, -1 },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *self = &cases[i];
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (HeddleDerivation) derivation = NULL;

      fixture_init (&fixture, self->text, NULL);
      derivation = derive (&fixture, self->labels);
      run (&fixture, self->text, derivation);
      check_symbols (&fixture, level_of (derivation), self->labels);
      if (self->moved >= 0)
        g_assert_cmpint (level_of (derivation)->transfer_elements, ==, self->moved);
      if (self->held >= 0)
        g_assert_cmpint (level_of (derivation)->memory_elements, ==, self->held);
    }
}

/* --- compiled --- */

static HeddleSpan
part_of (const char *axis, gpointer spans)
{
  return ((const HeddleSpan *) spans)[axis[0] - 'x'];
}

static int
slot_of (const char *axis, gpointer data)
{
  return axis[0] - 'x';
}

static HeddleExpr *
axis_by_name (const char *name, gpointer data)
{
  return heddle_expr_index (g_intern_string (name));
}

/* What is compiled goes as far as what is not, whatever is gone through. */
static void
test_compiled (void)
{
  static const char *const texts[] = { "floor((x + 1 - y)/2)", "mod(x, 4)*3 - y", "min(x + y, 7)",
    "max(ceil(x/3) - 2*y, -1) + x*y", "5 - floor((2*x - 3)/4)", "6" };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint i = 0; i < 600; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) exprs = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
      g_autoptr (GPtrArray) programs = NULL;
      HeddleSpan spans[2], hull;
      HeddleInterval slots[2];

      for (guint k = 0; k < 1 + i % 2; k++)
        g_ptr_array_add (
            exprs, heddle_expr_parse (texts[(i + k) % G_N_ELEMENTS (texts)], axis_by_name, NULL, &error));
      g_assert_no_error (error);
      for (guint k = 0; k < 2; k++)
        {
          spans[k].from = g_rand_int_range (random, 0, 20);
          spans[k].to = spans[k].from + g_rand_int_range (random, 1, 9);
          slots[k] = (HeddleInterval){ (double) spans[k].from, (double) spans[k].to - 1. };
        }
      programs = heddle_window_compile (exprs, NULL, slot_of, NULL);
      hull = heddle_window_hull (exprs, NULL, part_of, spans);
      g_assert_cmpint (heddle_window_hull_of (programs, slots).from, ==, hull.from);
      g_assert_cmpint (heddle_window_hull_of (programs, slots).to, ==, hull.to);
      g_assert_cmpint (heddle_window_length (hull, 5), ==, MAX (MIN (hull.to, 5) - MAX (hull.from, 0), 0));
    }
}

/* --- in the listing, and in words --- */

static void
test_listing (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autofree char *listing = NULL;

  fixture_init (&fixture, "X : f64[u=224]\nW : f64[i=7]\naxis y = 112\nY[y] = X[2*y + i - 3] W[i]\n", NULL);
  derivation = derive (&fixture, "y:group=16");
  listing = heddle_loop_program_to_pseudocode (fixture_kernel (derivation, 0)->program, fixture.sizes, NULL);
  g_assert_nonnull (strstr (listing, "load X[2*y₀-3 : 2*y₀+34]"));
}

/* Lengths far beyond what is gone through one by one. */
static void
test_large (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;
  gint64 n = 100000000, groups = n / 16;

  fixture_init (
      &fixture, "X : f64[u=100000000]\nW : f64[i=3]\naxis y = 100000000\nY[y] = X[y + i - 1] W[i]\n", NULL);
  derivation = derive (&fixture, "y:group=16");
  g_assert_cmpint (level_of (derivation)->transfer_elements, ==, n + 2 * (groups - 1) + 3 * groups + n);
  g_assert_cmpint (level_of (derivation)->memory_elements, ==, 18 + 3 + 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/derive/halo/image", test_image);
  g_test_add_func ("/derive/halo/random", test_random);
  g_test_add_func ("/derive/halo/cases", test_cases);
  g_test_add_func ("/derive/halo/compiled", test_compiled);
  g_test_add_func ("/derive/halo/listing", test_listing);
  g_test_add_func ("/derive/halo/large", test_large);
  return g_test_run ();
}
