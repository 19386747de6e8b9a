/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"

/* Where elements lie is written here as the PTX ISA 9.0 states it, instruction by instruction (sections "Matrix Fragments
 * for mma.m16n8k16 …", "ldmatrix", "movmatrix"), apart from the interpreter's own form. */

#define LANES 32

/* Runs @body for one warp. Parameters: in and out, where every lane has @in_words and @out_words words of its own at %in
 * and %out; @shared: bytes copied into shared memory before. */
static void
run (const char *body, const guint32 *in, guint in_words, guint32 *out, guint out_words)
{
  g_autofree char *text
      = g_strdup_printf (".reg .b64 %%in, %%out, %%offset; .reg .b32 %%lane, %%at, %%r<40>;\n"
                         ".shared .align 16 .b8 tile[2048];\n"
                         "mov.u32 %%lane, %%laneid;\n"
                         "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
                         "mul.wide.u32 %%offset, %%lane, %u; add.u64 %%in, %%in, %%offset;\n"
                         "mul.wide.u32 %%offset, %%lane, %u; add.u64 %%out, %%out, %%offset;\n%s\nret;",
          4 * in_words, 4 * out_words, body);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 in, .param .u64 out", text);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { LANES, 1, 1 }, .check_races = TRUE };
  guint64 arguments[2];

  arguments[0] = heddle_ptx_memory_allocate (memory, "in", LANES * in_words * 4, &error);
  g_assert_no_error (error);
  arguments[1] = heddle_ptx_memory_allocate (memory, "out", LANES * out_words * 4, &error);
  g_assert_no_error (error);
  heddle_ptx_memory_write (memory, arguments[0], in, LANES * in_words * 4, &error);
  g_assert_no_error (error);
  ptx_case_launch (module, memory, &config, arguments, 2, NULL, &error);
  g_assert_no_error (error);
  heddle_ptx_memory_read (memory, arguments[1], out, LANES * out_words * 4, &error);
  g_assert_no_error (error);
}

/* --- products --- */

/* A whole number of small size in the format at hand: every sum of products is then exact. */
static guint32
half_bits (int value)
{
  static const guint16 magnitudes[] = { 0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700 };
  return magnitudes[ABS (value)] | (value < 0 ? 0x8000 : 0);
}

static guint32
float_bits (float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static guint32
bfloat_bits (int value)
{
  return float_bits ((float) value) >> 16;
}

/* 4 bits of exponent with bias 7, 3 of fraction. */
static guint32
e4m3_bits (int value)
{
  static const guint8 magnitudes[] = { 0, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e };
  return magnitudes[ABS (value)] | (value < 0 ? 0x80 : 0);
}

/* 5 bits of exponent with bias 15, 2 of fraction: 4 (1 + m / 4) is every whole number up to 7. */
static guint32
e5m2_bits (int value)
{
  static const guint8 magnitudes[] = { 0, 0x3c, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47 };
  return magnitudes[ABS (value)] | (value < 0 ? 0x80 : 0);
}

/* @right, @encode_right: of B, where it has another type. */
typedef struct
{
  const char *name;
  const char *shape, *type;
  guint k, bits;
  guint32 (*encode) (int value);
  const char *right;
  guint32 (*encode_right) (int value);
} Product;

/* tf32: the lower bits of the register are not looked at. */
static guint32
tf32_bits (int value)
{
  return float_bits ((float) value) | 0x155;
}

static const Product products[] = {
  { "f16-16", "m16n8k16", "f16", 16, 16, half_bits },
  { "f16-8", "m16n8k8", "f16", 8, 16, half_bits },
  { "bf16-16", "m16n8k16", "bf16", 16, 16, bfloat_bits },
  { "bf16-8", "m16n8k8", "bf16", 8, 16, bfloat_bits },
  { "tf32-8", "m16n8k8", "tf32", 8, 32, tf32_bits },
  { "tf32-4", "m16n8k4", "tf32", 4, 32, tf32_bits },
  { "e4m3-32", "m16n8k32", "e4m3", 32, 8, e4m3_bits },
  { "e5m2-32", "m16n8k32", "e5m2", 32, 8, e5m2_bits },
  { "e4m3-e5m2-32", "m16n8k32", "e4m3", 32, 8, e4m3_bits, "e5m2", e5m2_bits },
  { "e5m2-e4m3-32", "m16n8k32", "e5m2", 32, 8, e5m2_bits, "e4m3", e4m3_bits },
};

/* Row and column of element a_i of A. */
static void
place_a (const Product *product, guint lane, guint i, guint *row, guint *column)
{
  const guint group = lane >> 2, thread = lane % 4;
  if (product->bits == 8)
    {
      *row = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
      *column = i < 8 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16;
    }
  else if (product->bits == 32)
    {
      *row = i == 0 || i == 2 ? group : group + 8;
      *column = i < 2 ? thread : thread + 4;
    }
  else if (product->k == 16)
    {
      *row = i < 2 || (i >= 4 && i < 6) ? group : group + 8;
      *column = i < 4 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8;
    }
  else
    {
      *row = i < 2 ? group : group + 8;
      *column = thread * 2 + (i & 1);
    }
}

static void
place_b (const Product *product, guint lane, guint i, guint *row, guint *column)
{
  const guint group = lane >> 2, thread = lane % 4;
  if (product->bits == 8)
    *row = i < 4 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16;
  else if (product->bits == 32)
    *row = i == 0 ? thread : thread + 4;
  else
    *row = i < 2 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8;
  *column = group;
}

/* Registers of a lane: A, then B, then C. */
static void
fill (const Product *product, int a[16][32], int b[32][8], int c[16][8], guint32 *in, guint words)
{
  const guint per = 32 / product->bits, n_a = 16 * product->k / LANES, n_b = product->k * 8 / LANES;

  memset (in, 0, LANES * words * 4);
  for (guint lane = 0; lane < LANES; lane++)
    {
      guint32 *registers = in + lane * words;
      guint row, column;
      for (guint i = 0; i < n_a; i++)
        {
          place_a (product, lane, i, &row, &column);
          registers[i / per] |= product->encode (a[row][column]) << i % per * product->bits % 32;
        }
      registers += n_a / per;
      for (guint i = 0; i < n_b; i++)
        {
          place_b (product, lane, i, &row, &column);
          registers[i / per]
              |= (product->encode_right != NULL ? product->encode_right : product->encode) (b[row][column])
                 << i % per * product->bits % 32;
        }
      registers += n_b / per;
      for (guint i = 0; i < 4; i++)
        registers[i] = float_bits ((float) c[(lane >> 2) + (i < 2 ? 0 : 8)][lane % 4 * 2 + (i & 1)]);
    }
}

static char *
list (guint first, guint n)
{
  GString *text = g_string_new ("{");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%%r%u", i > 0 ? "," : "", first + i);
  return g_string_free (g_string_append_c (text, '}'), FALSE);
}

static char *
product_text (const Product *product, guint n_a, guint n_b)
{
  GString *text = g_string_new (NULL);
  g_autofree char *a = list (0, n_a), *b = list (n_a, n_b), *c = list (n_a + n_b, 4), *d = list (30, 4);
  for (guint i = 0; i < n_a + n_b + 4; i++)
    g_string_append_printf (text, "ld.global.b32 %%r%u, [%%in+%u];\n", i, 4 * i);
  g_string_append_printf (text, "mma.sync.aligned.%s.row.col.f32.%s.%s.f32 %s, %s, %s, %s;\n", product->shape,
      product->type, product->right != NULL ? product->right : product->type, d, a, b, c);
  for (guint i = 0; i < 4; i++)
    g_string_append_printf (text, "st.global.b32 [%%out+%u], %%r%u;\n", 4 * i, 30 + i);
  return g_string_free (text, FALSE);
}

static void
test_product (gconstpointer data)
{
  const Product *product = data;
  const guint per = 32 / product->bits, n_a = 16 * product->k / LANES / per,
              n_b = product->k * 8 / LANES / per;
  g_autofree char *text = product_text (product, n_a, n_b);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  int a[16][32], b[32][8], c[16][8];
  guint32 in[LANES * 10], out[LANES * 4];

  for (guint i = 0; i < 32; i++)
    for (guint j = 0; j < 16; j++)
      {
        a[j][i] = g_rand_int_range (random, -7, 8);
        b[i][j % 8] = g_rand_int_range (random, -7, 8);
        c[j][i % 8] = g_rand_int_range (random, -1000, 1000);
      }
  fill (product, a, b, c, in, n_a + n_b + 4);
  run (text, in, n_a + n_b + 4, out, 4);
  for (guint lane = 0; lane < LANES; lane++)
    for (guint i = 0; i < 4; i++)
      {
        const guint row = (lane >> 2) + (i < 2 ? 0 : 8), column = lane % 4 * 2 + (i & 1);
        int sum = c[row][column];
        for (guint k = 0; k < product->k; k++)
          sum += a[row][k] * b[k][column];
        g_assert_cmphex (out[4 * lane + i], ==, float_bits ((float) sum));
      }
}

/* Sums in f16: two of row lane / 4 in one word, two of 8 rows further in the other. Whole numbers up to 2048 are exact. */
static void
test_half_sums (void)
{
  for (guint which = 0; which < 2; which++)
    {
      const Product *product = &products[which];
      const guint n_a = which == 0 ? 4 : 2, n_b = n_a / 2;
      g_autofree char *d = list (0, 2), *a = list (4, n_a), *b = list (8, n_b), *c = list (10, 2);
      g_autoptr (GString) text = g_string_new (NULL);
      int left[16][32], right[32][8], start[16][8];
      guint32 in[LANES * 10], out[LANES * 2];

      for (guint i = 0; i < 32; i++)
        for (guint j = 0; j < 16; j++)
          {
            left[j][i] = (int) ((i * 5 + j * 3) % 13) - 6;
            right[i][j % 8] = (int) ((i * 7 + j * 11) % 11) - 5;
            start[j][i % 8] = (int) ((i % 8 + j) % 8) - 4;
          }
      fill (product, left, right, start, in, n_a + n_b + 4);
      for (guint i = 0; i < n_a; i++)
        g_string_append_printf (text, "ld.global.b32 %%r%u, [%%in+%u];\n", 4 + i, 4 * i);
      for (guint i = 0; i < n_b; i++)
        g_string_append_printf (text, "ld.global.b32 %%r%u, [%%in+%u];\n", 8 + i, 4 * (n_a + i));
      g_string_append_printf (text,
          "mov.b32 %%r10, 0x3c003c00; mov.b32 %%r11, 0xbc00bc00;\n"
          "mma.sync.aligned.%s.row.col.f16.f16.f16.f16 %s, %s, %s, %s;\nst.global.v2.b32 [%%out], "
          "{%%r0,%%r1};",
          product->shape, d, a, b, c);
      run (text->str, in, n_a + n_b + 4, out, 2);
      for (guint lane = 0; lane < LANES; lane++)
        for (guint i = 0; i < 4; i++)
          {
            const guint row = lane / 4 + (i < 2 ? 0 : 8), column = lane % 4 * 2 + i % 2;
            int sum = i < 2 ? 1 : -1, exponent;
            guint32 bits;

            for (guint k = 0; k < product->k; k++)
              sum += left[row][k] * right[k][column];
            g_assert_cmpint (ABS (sum), <=, 2048);
            bits = sum == 0 ? 0 : (guint32) (frexp (ABS (sum), &exponent) * 2048) - 1024;
            if (sum != 0)
              bits |= (guint32) (exponent + 14) << 10 | (sum < 0 ? 0x8000 : 0);
            g_assert_cmphex (out[2 * lane + i / 2] >> i % 2 * 16 & 0xffff, ==, bits);
          }
    }
}

/* --- rows from shared memory --- */

/* Element e of row r of matrix m is 256 m + 16 r + e, so that each says where it is from. Row r of matrix m lies at
 * 16 * ((5 (8 m + r)) % 32): no order that a wrong reading would hit by chance. */
#define PLACE(row) ((row) *5 % 32)

static const char put_row[] = "mul.lo.u32 %r30, %lane, 5; and.b32 %r30, %r30, 31; shl.b32 %r30, %r30, 4;\n"
                              "mov.u32 %r31, tile; add.u32 %at, %r30, %r31;\n"
                              "ld.global.v4.b32 {%r20,%r21,%r22,%r23}, [%in];\n"
                              "st.shared.v4.b32 [%at], {%r20,%r21,%r22,%r23};\n"
                              "bar.warp.sync 0xffffffff;\n";

typedef struct
{
  const char *name;
  guint count;
  gboolean transposed;
} Rows;

static const Rows rows[] = { { "x1", 1, FALSE }, { "x2", 2, FALSE }, { "x4", 4, FALSE },
  { "x1.trans", 1, TRUE }, { "x2.trans", 2, TRUE }, { "x4.trans", 4, TRUE } };

static void
test_rows (gconstpointer data)
{
  const Rows *how = data;
  g_autofree char *registers = list (0, how->count);
  g_autofree char *load = g_strdup_printf (
      "%sldmatrix.sync.aligned.m8n8.%s.shared.b16 %s, [%%at];\n", put_row, how->name, registers);
  g_autoptr (GString) text = g_string_new (load);
  guint16 in[LANES * 8];
  guint32 out[LANES * 4];

  for (guint row = 0; row < LANES; row++)
    for (guint e = 0; e < 8; e++)
      in[row * 8 + e] = (guint16) (row / 8 * 256 + row % 8 * 16 + e);
  for (guint i = 0; i < how->count; i++)
    g_string_append_printf (text, "st.global.b32 [%%out+%u], %%r%u;\n", 4 * i, i);
  run (text->str, (const guint32 *) in, 4, out, how->count);
  for (guint lane = 0; lane < LANES; lane++)
    for (guint m = 0; m < how->count; m++)
      {
        /* thread 4 r + c gets elements 2 c and 2 c + 1 of row r; .trans: of column r */
        const guint r = lane / 4, c = lane % 4;
        const guint low = how->transposed ? m * 256 + 2 * c * 16 + r : m * 256 + r * 16 + 2 * c;
        const guint high = how->transposed ? m * 256 + (2 * c + 1) * 16 + r : low + 1;
        g_assert_cmphex (out[lane * how->count + m], ==, high << 16 | low);
      }
}

/* The reverse: what thread 4 r + c holds of matrix m are elements 2 c and 2 c + 1 of row r; .trans: of column r. Row r of it is at the address of
 * thread 8 m + r. */
static void
test_rows_stored (gconstpointer data)
{
  const Rows *how = data;
  g_autofree char *registers = list (0, how->count);

  for (guint way = 0; way < 2; way++)
    {
      g_autofree char *shape
          = way == 0 ? g_strdup_printf ("m8n8.%s", how->name) : g_strdup_printf ("%s.m8n8", how->name);
      g_autoptr (GString) text
          = g_string_new ("mul.lo.u32 %r30, %lane, 5; and.b32 %r30, %r30, 31; shl.b32 %r30, %r30, 4;\n"
                          "mov.u32 %r31, tile; add.u32 %at, %r30, %r31;\n");
      guint32 in[LANES * 4], out[LANES * 4];
      guint16 halves[LANES * 8];

      for (guint i = 0; i < how->count; i++)
        g_string_append_printf (text, "ld.global.b32 %%r%u, [%%in+%u];\n", i, 4 * i);
      g_string_append_printf (text,
          "stmatrix.sync.aligned.%s.shared.b16 [%%at], %s;\nbar.warp.sync 0xffffffff;\n"
          "ld.shared.v4.b32 {%%r20,%%r21,%%r22,%%r23}, [%%at];\nst.global.v4.b32 [%%out], "
          "{%%r20,%%r21,%%r22,%%r23};\n",
          shape, registers);
      for (guint lane = 0; lane < LANES; lane++)
        for (guint m = 0; m < how->count; m++)
          {
            const guint low = m * 256 + lane * 2;

            in[lane * how->count + m] = (low + 1) << 16 | low;
          }
      run (text->str, in, how->count, out, 4);
      memcpy (halves, out, sizeof halves);
      for (guint row = 0; row < 8 * how->count; row++)
        for (guint e = 0; e < 8; e++)
          {
            const guint r = how->transposed ? e : row % 8, c = how->transposed ? row % 8 : e;

            g_assert_cmpuint (halves[row * 8 + e], ==, row / 8 * 256 + (4 * r + c / 2) * 2 + c % 2);
          }
    }
}

/* wmma: whatever its fragments are, memory holds the product. A [m, k] and B [k, n] by rows or by columns, C added, D stored by columns. */
static void
test_opaque (void)
{
  static const struct
  {
    const char *shape, *a, *b;
    guint m, n;
  } forms[] = { { "m16n16k16", "row", "col", 16, 16 }, { "m16n16k16", "col", "row", 16, 16 },
    { "m32n8k16", "row", "row", 32, 8 }, { "m8n32k16", "col", "col", 8, 32 } };

  for (guint which = 0; which < G_N_ELEMENTS (forms); which++)
    {
      const guint m = forms[which].m, n = forms[which].n;
      const gboolean a_by_rows = g_str_equal (forms[which].a, "row"),
                     b_by_rows = g_str_equal (forms[which].b, "row");
      g_autofree char *body = g_strdup_printf (
          "ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
          "wmma.load.a.sync.aligned.%s.%s.global.f16 {%%r0,%%r1,%%r2,%%r3,%%r4,%%r5,%%r6,%%r7}, [%%in];\n"
          "wmma.load.b.sync.aligned.%s.%s.global.f16 {%%r8,%%r9,%%r10,%%r11,%%r12,%%r13,%%r14,%%r15}, "
          "[%%in+1024], %u;\n"
          "wmma.load.c.sync.aligned.row.%s.global.f32 {%%r16,%%r17,%%r18,%%r19,%%r20,%%r21,%%r22,%%r23}, "
          "[%%in+2048];\n"
          "wmma.mma.sync.aligned.%s.%s.%s.f32.f32 {%%r24,%%r25,%%r26,%%r27,%%r28,%%r29,%%r30,%%r31}, "
          "{%%r0,%%r1,%%r2,%%r3,%%r4,%%r5,%%r6,%%r7}, {%%r8,%%r9,%%r10,%%r11,%%r12,%%r13,%%r14,%%r15}, "
          "{%%r16,%%r17,%%r18,%%r19,%%r20,%%r21,%%r22,%%r23};\n"
          "wmma.store.d.sync.aligned.col.%s.global.f32 [%%out], "
          "{%%r24,%%r25,%%r26,%%r27,%%r28,%%r29,%%r30,%%r31};\n",
          forms[which].a, forms[which].shape, forms[which].b, forms[which].shape, b_by_rows ? n : 16,
          forms[which].shape, forms[which].a, forms[which].b, forms[which].shape, forms[which].shape);
      guint16 halves[1024] = { 0 };
      float c[256], d[256];
      guint32 in[LANES * 24], out[LANES * 8];

      for (guint k = 0; k < 16; k++)
        {
          for (guint i = 0; i < m; i++)
            halves[a_by_rows ? i * 16 + k : k * m + i] = (guint16) half_bits ((int) ((i * 3 + k) % 9) - 4);
          for (guint j = 0; j < n; j++)
            halves[512 + (b_by_rows ? k * n + j : j * 16 + k)]
                = (guint16) half_bits ((int) ((j * 5 + k * 2) % 7) - 3);
        }
      for (guint i = 0; i < m * n; i++)
        c[i] = (float) i;
      memcpy (in, halves, sizeof halves);
      memcpy (in + 512, c, sizeof c);
      run (body, in, 24, out, 8);
      memcpy (d, out, sizeof d);
      for (guint i = 0; i < m; i++)
        for (guint j = 0; j < n; j++)
          {
            int sum = (int) (i * n + j);

            for (guint k = 0; k < 16; k++)
              sum += ((int) ((i * 3 + k) % 9) - 4) * ((int) ((j * 5 + k * 2) % 7) - 3);
            g_assert_cmpfloat (d[j * m + i], ==, (float) sum);
          }
    }
}

static void
test_transposition (void)
{
  guint32 in[LANES], out[LANES];

  for (guint lane = 0; lane < LANES; lane++)
    in[lane] = lane / 4 * 16 + lane % 4 * 2 + ((lane / 4 * 16 + lane % 4 * 2 + 1) << 16);
  run ("ld.global.b32 %r0, [%in];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\nst.global.b32 [%out], "
       "%r1;",
      in, 1, out, 1);
  for (guint lane = 0; lane < LANES; lane++)
    g_assert_cmphex (
        out[lane], ==, lane % 4 * 2 * 16 + lane / 4 + (((lane % 4 * 2 + 1) * 16 + lane / 4) << 16));
}

/* --- what is wrong --- */

static void
check_refused (const char *body, int code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = ptx_case_module (
      ".param .u64 in", ".reg .b32 %r<8>; .reg .pred %p; .shared .align 16 .b8 tile[512];\n");
  g_autofree char *text = g_strdup_printf (".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k "
                                           "(.param .u64 in)\n{\n.reg .b32 %%r<12>; .reg "
                                           ".pred %%p; .shared .align 16 .b8 tile[512];\n%s\nret;\n}\n",
      body);
  g_autoptr (HeddlePtxModule) wrong = heddle_ptx_module_new (text, -1, &error);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { LANES, 1, 1 } };
  const guint64 argument = 0;
  const char *words[] = { word, NULL };

  g_assert_nonnull (module);
  if (wrong != NULL)
    ptx_case_launch (wrong, memory, &config, &argument, 1, NULL, &error);
  ptx_case_assert_error (error, code, words);
}

static void
test_refused (void)
{
  check_refused (
      "mov.u32 %r0, tile; add.u32 %r0, %r0, 8;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0];",
      HEDDLE_PTX_ERROR_ACCESS, "aligned");
  check_refused ("mov.u32 %r0, tile;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2}, [%r0];",
      HEDDLE_PTX_ERROR_SYNTAX, "2 where 4");
  check_refused ("mov.u32 %r0, %laneid; setp.lt.u32 %p, %r0, 16; mov.u32 %r0, tile;\n"
                 "@%p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0];",
      HEDDLE_PTX_ERROR_TRAP, "not all lanes");
  check_refused (
      "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%r0,%r1,%r2,%r3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
      "{%r0,%r1,%r2,%r3};",
      HEDDLE_PTX_ERROR_UNKNOWN, "mma");
  check_refused (
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%r8,%r9}, "
      "{%r0,%r1,%r2,%r3};",
      HEDDLE_PTX_ERROR_UNDEFINED, "never written");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/mma/", products[i].name, NULL);
      g_test_add_data_func (path, &products[i], test_product);
    }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/ldmatrix/", rows[i].name, NULL);
      g_test_add_data_func (path, &rows[i], test_rows);
    }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/stmatrix/", rows[i].name, NULL);
      g_test_add_data_func (path, &rows[i], test_rows_stored);
    }
  g_test_add_func ("/ptx/wmma", test_opaque);
  g_test_add_func ("/ptx/mma/to-f16", test_half_sums);
  g_test_add_func ("/ptx/movmatrix", test_transposition);
  g_test_add_func ("/ptx/matrix/refused", test_refused);
  return g_test_run ();
}
