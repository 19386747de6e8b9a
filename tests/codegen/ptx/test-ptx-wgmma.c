/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

/* Products of a warpgroup. Where elements lie is written here as the PTX ISA 9.0 states it (sections "Register Fragments and Shared Memory
 * Matrix Layouts", "Matrix Descriptor Format", "Strides"), apart from the interpreter's own form. Nobody ran these on hardware. */

#define THREADS 128
#define ROWS 64
#define MOST_COLUMNS 256
#define TILE_BYTES 65536

typedef struct
{
  const char *name;
  guint columns;
  const char *type;
  gboolean registers; /* the left factor is in registers */
  gboolean left_transposed, right_transposed; /* k is not contiguous */
  gboolean adds;
  HeddlePtxCompletion completion;
  enum
  {
    SWIZZLE_128,
    SWIZZLE_64,
    SWIZZLE_32,
    PLAIN
  } swizzle;
  gboolean half; /* sums are f16 */
  const char *right_type; /* where it is another one */
} Product;

static const Product products[] = {
  { "8", 8, "f16", FALSE, FALSE, FALSE, FALSE, HEDDLE_PTX_LATE },
  { "64", 64, "f16", FALSE, FALSE, FALSE, TRUE, HEDDLE_PTX_EARLY },
  { "256", 256, "bf16", FALSE, FALSE, FALSE, FALSE, HEDDLE_PTX_DRAWN },
  { "128-right-transposed", 128, "f16", FALSE, FALSE, TRUE, TRUE, HEDDLE_PTX_LATE },
  { "64-left-transposed", 64, "f16", FALSE, TRUE, FALSE, FALSE, HEDDLE_PTX_EARLY },
  { "128-both-transposed", 128, "bf16", FALSE, TRUE, TRUE, TRUE, HEDDLE_PTX_LATE },
  { "64-registers", 64, "f16", TRUE, FALSE, FALSE, TRUE, HEDDLE_PTX_LATE },
  { "192-registers-transposed", 192, "bf16", TRUE, FALSE, TRUE, FALSE, HEDDLE_PTX_DRAWN },
  { "e4m3-128", 128, "e4m3", FALSE, FALSE, FALSE, TRUE, HEDDLE_PTX_LATE },
  { "swizzle-64", 64, "f16", FALSE, FALSE, FALSE, TRUE, HEDDLE_PTX_LATE, SWIZZLE_64 },
  { "swizzle-64-transposed", 128, "bf16", FALSE, TRUE, TRUE, FALSE, HEDDLE_PTX_EARLY, SWIZZLE_64 },
  { "swizzle-32", 128, "f16", FALSE, FALSE, FALSE, FALSE, HEDDLE_PTX_LATE, SWIZZLE_32 },
  { "swizzle-32-transposed", 64, "f16", FALSE, TRUE, TRUE, TRUE, HEDDLE_PTX_DRAWN, SWIZZLE_32 },
  { "plain", 64, "bf16", FALSE, FALSE, FALSE, TRUE, HEDDLE_PTX_LATE, PLAIN },
  { "plain-transposed", 64, "f16", FALSE, TRUE, TRUE, FALSE, HEDDLE_PTX_LATE, PLAIN },
  { "e4m3-swizzle-64", 64, "e4m3", FALSE, FALSE, FALSE, FALSE, HEDDLE_PTX_LATE, SWIZZLE_64 },
  { "tf32", 64, "tf32", FALSE, FALSE, FALSE, TRUE, HEDDLE_PTX_LATE },
  { "tf32-registers", 128, "tf32", TRUE, FALSE, FALSE, FALSE, HEDDLE_PTX_EARLY },
  { "to-f16", 64, "f16", FALSE, FALSE, TRUE, TRUE, HEDDLE_PTX_LATE, SWIZZLE_128, TRUE },
  { "to-f16-registers", 128, "f16", TRUE, FALSE, FALSE, FALSE, HEDDLE_PTX_DRAWN, SWIZZLE_128, TRUE },
  { "e4m3-64-registers", 64, "e4m3", TRUE, FALSE, FALSE, FALSE, HEDDLE_PTX_EARLY },
  { "e5m2-64", 64, "e5m2", FALSE, FALSE, FALSE, TRUE, HEDDLE_PTX_LATE },
  { "e5m2-e4m3-64-registers", 64, "e5m2", TRUE, FALSE, FALSE, FALSE, HEDDLE_PTX_EARLY, SWIZZLE_128, FALSE,
      "e4m3" },
  { "e4m3-e5m2-64", 64, "e4m3", FALSE, FALSE, FALSE, FALSE, HEDDLE_PTX_LATE, SWIZZLE_128, FALSE, "e5m2" },
};

/* Small whole numbers: every sum is exact. */
static int
left_value (guint row, guint k)
{
  return (int) ((row * 5 + k * 3) % 7) - 3;
}

static int
right_value (guint k, guint column)
{
  return (int) ((k * 11 + column * 2) % 5) - 2;
}

static const char *
right_type (const Product *product)
{
  return product->right_type != NULL ? product->right_type : product->type;
}

/* Bytes of an element; 32 of the sum are multiplied at a time. */
static guint
width (const Product *product)
{
  return product->type[0] == 'e' ? 1 : g_str_equal (product->type, "tf32") ? 4 : 2;
}

static guint
depth (const Product *product)
{
  return 32 / width (product);
}

static guint32
encode (const Product *product, const char *type, int value)
{
  static const guint16 halves[] = { 0, 0x3c00, 0x4000, 0x4200 };
  static const guint16 bfloats[] = { 0, 0x3f80, 0x4000, 0x4040 };
  static const guint16 bytes[][4] = { { 0, 0x38, 0x40, 0x44 }, { 0, 0x3c, 0x40, 0x42 } }; /* e4m3, e5m2 */
  static const guint32 words[] = { 0, 0x3f800000, 0x40000000, 0x40400000 };

  if (width (product) == 4) /* the lowest bits are ignored */
    return words[ABS (value)] | (value < 0 ? 0x80000000 : 0) | 0x155;
  if (width (product) == 1)
    return bytes[g_str_equal (type, "e5m2")][ABS (value)] | (value < 0 ? 0x80 : 0);
  return (g_str_equal (type, "bf16") ? bfloats : halves)[ABS (value)] | (value < 0 ? 0x8000 : 0);
}

/* --- matrices in shared memory --- */

static const guint row_bytes[] = { 128, 64, 32, 0 };

/* Rows of 128, 64 or 32 bytes, swizzled by as many: of lines of 128 bytes, 16-byte piece p of line r lies at piece p ^ (r mod pieces of a row). */
static guint
swizzle (const Product *product, guint row, guint byte)
{
  const guint bytes = row_bytes[product->swizzle], at = row * bytes + byte, line = at / 128;

  return line * 128 + ((at % 128 / 16) ^ (line % (bytes / 16))) * 16 + at % 16;
}

/* k contiguous: a row of 128 bytes of k for each row or column. Else panels of as many rows or columns as a row has room for, in which a row of memory
 * has one k; the next 8 k follow after 8 rows, the next panel after K of them. Without a swizzle pieces of 8 rows of 16 bytes: the next along k
 * follows after 128 bytes, the next of the other index after 256. */
static guint
place (const Product *product, gboolean transposed, guint i, guint k)
{
  const guint panel = row_bytes[product->swizzle] / 2, byte = k * width (product);

  if (product->swizzle == PLAIN)
    return transposed ? i / 8 * 256 + k / 8 * 128 + k % 8 * 16 + i % 8 * 2
                      : i / 8 * 256 + byte / 16 * 128 + i % 8 * 16 + byte % 16;
  return transposed ? i / panel * (depth (product) * row_bytes[product->swizzle])
                          + swizzle (product, k, i % panel * 2)
                    : swizzle (product, i, byte);
}

static guint64
descriptor (const Product *product, gboolean transposed)
{
  static const guint64 modes[] = { 1, 2, 3, 0 };
  const guint bytes = row_bytes[product->swizzle];
  const gboolean plain = product->swizzle == PLAIN;
  guint64 leading = plain ? 128 : transposed ? depth (product) * bytes : 16, stride = plain ? 256 : 8 * bytes;

  return modes[product->swizzle] << 62 | stride >> 4 << 32 | leading >> 4 << 16;
}

static void
fill (const Product *product, guint8 *left, guint8 *right)
{
  for (guint k = 0; k < depth (product); k++)
    {
      for (guint row = 0; row < ROWS; row++)
        {
          guint32 bits = encode (product, product->type, left_value (row, k));

          memcpy (left + place (product, product->left_transposed, row, k), &bits, width (product));
        }
      for (guint column = 0; column < product->columns; column++)
        {
          guint32 bits = encode (product, right_type (product), right_value (k, column));

          memcpy (right + place (product, product->right_transposed, column, k), &bits, width (product));
        }
    }
}

/* --- the kernel --- */

static char *
list (const char *letter, guint n)
{
  GString *text = g_string_new ("{");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%%%s%u", i > 0 ? ", " : "", letter, i);
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

static const char declarations[] = ".reg .b64 %in, %out, %offset, %da, %db; .reg .b32 %tid, %at, %i, %r<4>, "
                                   "%a<4>; .reg .b32 %h<64>; .reg .f32 %d<128>; .reg .pred "
                                   "%p, %q;\n.shared .align 1024 .b8 tile[65536];\n";

/* Every thread copies its part into shared memory, word by word, and fences it. */
static const char copy[]
    = "mov.u32 %tid, %tid.x; mov.u32 %at, tile;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
      "mov.u32 %i, %tid;\n"
      "LOOP: shl.b32 %r0, %i, 2; cvt.u64.u32 %offset, %r0; add.u64 %offset, %offset, %in;\n"
      "ld.global.u32 %r1, [%offset]; add.u32 %r0, %r0, %at; st.shared.u32 [%r0], %r1;\n"
      "add.u32 %i, %i, 128; setp.lt.u32 %p, %i, 16384; @%p bra LOOP;\n";

static char *
kernel_text (const Product *product, const char *proxy_fence, const char *fence, const char *wait)
{
  const guint n = product->columns / (product->half ? 4 : 2);
  g_autofree char *d = list (product->half ? "h" : "d", n), *a = list ("a", 4);
  GString *text = g_string_new (declarations);

  g_string_append_printf (text, "%s%s\nbar.sync 0;\n", copy, proxy_fence);
  g_string_append_printf (text,
      "cvt.u64.u32 %%da, %%at; shr.u64 %%da, %%da, 4; add.u64 %%db, %%da, 2048;\n"
      "or.b64 %%da, %%da, 0x%" G_GINT64_MODIFIER "x; or.b64 %%db, %%db, 0x%" G_GINT64_MODIFIER
      "x;\nsetp.ne.u32 %%q, %u, 0;\n",
      descriptor (product, product->left_transposed), descriptor (product, product->right_transposed),
      product->adds);
  for (guint i = 0; product->adds && i < n; i++) /* 100 */
    if (product->half)
      g_string_append_printf (text, "mov.b32 %%h%u, 0x56405640;\n", i);
    else
      g_string_append_printf (text, "mov.f32 %%d%u, 0f%08X;\n", i, 0x42c80000);
  for (guint i = 0; product->registers && i < 4; i++) /* behind the matrices: four words for each thread */
    g_string_append_printf (text,
        "shl.b32 %%r0, %%tid, 4; add.u32 %%r0, %%r0, %%at; ld.shared.b32 %%a%u, [%%r0+%u];\n", i,
        TILE_BYTES - 2048 + 4 * i);
  g_string_append_printf (text,
      "%s\nwgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s %s, %s, %%db, %%q, 1, 1%s%s;\n", fence,
      product->columns, depth (product), product->half ? "f16" : "f32", product->type, right_type (product),
      d, product->registers ? a : "%da",
      product->registers || width (product) != 2 ? ""
      : product->left_transposed                 ? ", 1"
                                                 : ", 0",
      width (product) != 2        ? ""
      : product->right_transposed ? ", 1"
                                  : ", 0");
  g_string_append_printf (text, "wgmma.commit_group.sync.aligned;\n%s\n", wait);
  g_string_append_printf (
      text, "mul.wide.u32 %%offset, %%tid, %u; add.u64 %%out, %%out, %%offset;\n", product->columns * 2);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "st.global.b32 [%%out+%u], %%%s%u;\n", 4 * i, product->half ? "h" : "d", i);
  g_string_append (text, "ret;");
  return g_string_free (text, FALSE);
}

/* Registers of A: a thread has, of row lane / 4 and 8 rows further, as many neighbours along k as a register holds, then those half the depth
 * further. */
static void
fill_registers (const Product *product, guint8 *tile)
{
  for (guint thread = 0; thread < THREADS; thread++)
    for (guint i = 0; i < 16 / width (product); i++)
      {
        guint n = 4 / width (product), row = thread / 32 * 16 + thread % 32 / 4 + (i / n % 2) * 8;
        guint k = thread % 4 * n + i % n + i / (2 * n) * (4 * n);
        guint32 bits = encode (product, product->type, left_value (row, k));

        memcpy (tile + TILE_BYTES - 2048 + thread * 16 + i * width (product), &bits, width (product));
      }
}

static gboolean
run (const Product *product, const char *text, float *out, GError **error)
{
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 in, .param .u64 out", text);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 },
    .block = { THREADS, 1, 1 },
    .seed = 3,
    .completion = product->completion,
    .check_races = TRUE };
  g_autofree guint8 *tile = g_malloc0 (TILE_BYTES);
  guint64 arguments[2];

  fill (product, tile, tile + 32768);
  if (product->registers)
    fill_registers (product, tile);
  arguments[0] = heddle_ptx_memory_allocate (memory, "in", TILE_BYTES, NULL);
  arguments[1] = heddle_ptx_memory_allocate (memory, "out", THREADS * MOST_COLUMNS * 2, NULL);
  heddle_ptx_memory_write (memory, arguments[0], tile, TILE_BYTES, NULL);
  return ptx_case_launch (module, memory, &config, arguments, 2, NULL, error)
         && (out == NULL
             || heddle_ptx_memory_read (memory, arguments[1], out, THREADS * product->columns * 2, error));
}

static const char proxy[] = "fence.proxy.async;", fenced[] = "wgmma.fence.sync.aligned;",
                  waited[] = "wgmma.wait_group.sync.aligned 0;";

/* A small whole number in f16. */
static float
half_number (guint16 bits)
{
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double value = exponent == 0 ? 0 : ldexp (1024 + fraction, exponent - 25);

  return (float) (bits >> 15 ? -value : value);
}

/* Element i of a thread; two of f16 are in a word. */
static float
element (const Product *product, const float *out, guint thread, guint i)
{
  guint16 halves[2];

  if (!product->half)
    return out[thread * product->columns / 2 + i];
  memcpy (halves, (const guint8 *) out + thread * product->columns * 2 + i / 2 * 4, sizeof halves);
  return half_number (halves[i % 2]);
}

static void
test_product (gconstpointer data)
{
  const Product *product = data;
  g_autofree char *text = kernel_text (product, proxy, fenced, waited);
  g_autofree float *out = g_new (float, THREADS *MOST_COLUMNS);
  g_autoptr (GError) error = NULL;

  run (product, text, out, &error);
  g_assert_no_error (error);
  for (guint thread = 0; thread < THREADS; thread++)
    for (guint i = 0; i < product->columns / 2; i++)
      {
        /* of warp w rows 16 w on; of d_i: row lane / 4, and 8 further where i % 4 is 2 or 3 */
        guint row = thread / 32 * 16 + thread % 32 / 4 + (i % 4 >= 2 ? 8 : 0);
        guint column = i / 4 * 8 + thread % 4 * 2 + (i & 1);
        int sum = product->adds ? 100 : 0;

        for (guint k = 0; k < depth (product); k++)
          sum += left_value (row, k) * right_value (k, column);
        g_assert_cmpfloat (element (product, out, thread, i), ==, (float) sum);
      }
}

/* --- what is wrong --- */

static void
check_refused (const char *text, HeddlePtxCompletion completion, int code, const char *word)
{
  Product product = products[1];
  g_autoptr (GError) error = NULL;
  const char *words[] = { word, NULL };

  product.completion = completion;
  run (&product, text, NULL, &error);
  ptx_case_assert_error (error, code, words);
}

static void
test_unfenced (void)
{
  g_autofree char *proxy_missing = kernel_text (&products[1], "", fenced, waited);
  g_autofree char *fence_missing = kernel_text (&products[1], proxy, "", waited);

  check_refused (proxy_missing, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_RACE, "fence.proxy.async");
  check_refused (fence_missing, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_RACE, "wgmma.fence");
}

/* The fence may stand on either side of the barrier. */
static void
test_fenced_then (void)
{
  g_autofree char *text
      = kernel_text (&products[1], "", "fence.proxy.async.shared::cta;\nwgmma.fence.sync.aligned;", waited);
  g_autoptr (GError) error = NULL;

  run (&products[1], text, NULL, &error);
  g_assert_no_error (error);
}

/* The warps of a warpgroup meet where they wait, so that one of them may say for all that a tile is free. */
static void
test_one_for_all (void)
{
  g_autofree char *text = kernel_text (&products[1], proxy, fenced,
      "wgmma.wait_group.sync.aligned 0; setp.lt.u32 %p, %tid, 32; @%p st.shared.u32 [%at+32768], %tid;");

  for (guint completion = HEDDLE_PTX_LATE; completion <= HEDDLE_PTX_DRAWN; completion++)
    {
      Product product = products[1];
      g_autoptr (GError) error = NULL;

      product.completion = completion;
      run (&product, text, NULL, &error);
      g_assert_no_error (error);
    }
}

/* A second product goes on adding to what the first one made. */
static void
test_still_adding (void)
{
  const Product *product = &products[1];
  g_autofree char *d = list ("d", product->columns / 2);
  g_autofree char *first = g_strdup_printf ("wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned."
                                            "m64n64k16.f32.f16.f16 %s, %%da, %%db, %%q, 1, 1, 0, 0;\n"
                                            "wgmma.commit_group.sync.aligned;",
      d);
  g_autofree char *weak = kernel_text (product, proxy, first, "wgmma.wait_group.sync.aligned 1;");
  g_autofree char *right = kernel_text (product, proxy, first, waited);
  g_autoptr (GError) error = NULL;

  check_refused (weak, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_UNDEFINED, "never computed");
  check_refused (weak, HEDDLE_PTX_EARLY, HEDDLE_PTX_ERROR_UNDEFINED, "never computed");
  run (product, right, NULL, &error);
  g_assert_no_error (error);
}

static void
test_not_waited (void)
{
  g_autofree char *missing = kernel_text (&products[1], proxy, fenced, "");
  g_autofree char *weak = kernel_text (&products[1], proxy, fenced, "wgmma.wait_group.sync.aligned 1;");

  check_refused (missing, HEDDLE_PTX_EARLY, HEDDLE_PTX_ERROR_UNDEFINED, "never computed");
  check_refused (weak, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_UNDEFINED, "never computed");
}

/* Another warp's write, with nothing between it and the product that still reads. */
static void
test_overwritten (void)
{
  g_autofree char *text = kernel_text (&products[1], proxy, fenced,
      "bar.sync 0; st.shared.u32 [%at+32768], %tid; bar.sync 0; wgmma.wait_group.sync.aligned 0;");

  check_refused (text, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_RACE, "race");
}

static void
test_divergent (void)
{
  g_autofree char *text = kernel_text (&products[1], proxy,
      "and.b32 %r0, %tid, 16; setp.eq.u32 %p, %r0, 0; @%p wgmma.fence.sync.aligned;", waited);

  check_refused (text, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_DEADLOCK, "a deadlock among lanes");
}

/* A warp that does not come where its group meets. */
static void
test_apart (void)
{
  g_autofree char *text = kernel_text (
      &products[1], proxy, "setp.ge.u32 %p, %tid, 96; @%p ret;\nwgmma.fence.sync.aligned;", waited);

  check_refused (
      text, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_DEADLOCK, "thread (96, 0, 0) of block (0, 0, 0) has ended");
}

static void
test_swizzle (void)
{
  g_autofree char *text = kernel_text (
      &products[1], proxy, "or.b64 %da, %da, 0x2000000000000;\nwgmma.fence.sync.aligned;", waited);

  check_refused (text, HEDDLE_PTX_LATE, HEDDLE_PTX_ERROR_UNKNOWN, "swizzle");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/wgmma/", products[i].name, NULL);

      g_test_add_data_func (path, &products[i], test_product);
    }
  g_test_add_func ("/ptx/wgmma/fenced-then", test_fenced_then);
  g_test_add_func ("/ptx/wgmma/one-for-all", test_one_for_all);
  g_test_add_func ("/ptx/wgmma/still-adding", test_still_adding);
  g_test_add_func ("/ptx/wgmma/refused/unfenced", test_unfenced);
  g_test_add_func ("/ptx/wgmma/refused/not-waited", test_not_waited);
  g_test_add_func ("/ptx/wgmma/refused/overwritten", test_overwritten);
  g_test_add_func ("/ptx/wgmma/refused/divergent", test_divergent);
  g_test_add_func ("/ptx/wgmma/refused/apart", test_apart);
  g_test_add_func ("/ptx/wgmma/refused/swizzle", test_swizzle);
  return g_test_run ();
}
