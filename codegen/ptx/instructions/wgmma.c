/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/instructions/barrier.h"
#include "codegen/ptx/matrix-shared.h"
#include "codegen/ptx/instructions/matrix.h"
#include "codegen/ptx/number.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/random.h"
#include "codegen/ptx/warp.h"
#include "codegen/ptx/instructions/wgmma.h"

/* Products of a warpgroup, as the section "Asynchronous Warpgroup Level Matrix Instructions" of the PTX ISA
 * has them: begun by four warps, done at some moment before they are waited for, one after another. Each warp
 * has 16 of the 64 rows, and needs nothing of the others but that they begin the same. */

#define N_WARPS PTX_WARPGROUP_WARPS
#define N_ROWS 16
#define MOST_COLUMNS 256

/* A product. @half: sums are f16. @group: how many groups the warp had committed before it. @a: where it is
 * in shared memory. */
struct _PtxProduct
{
  const PtxInstruction *in;
  PtxFrame *frame;
  PtxMatrix a, b;
  gboolean adds;
  gboolean half;
  guint group;
  gboolean made;
};

static gboolean
is_shared (const PtxInstruction *in)
{
  return in->operands[1].count == 0;
}

/* --- one product --- */

/* Returns the number of columns of the result: a lane has half as many elements. */
static guint
columns_of (const PtxProduct *product)
{
  return product->in->operands[0].count * (product->half ? 4 : 2);
}

static guint64 *
register_of (const PtxProduct *product, guint32 slot)
{
  return product->frame->registers + (gsize) PTX_SLOT_INDEX (slot) * PTX_LANES;
}

/* Reads the left factor from registers: they go down the rows (l / 4, and 8 further), then along k; each
 * holds as many neighbours along k as it has room for. */
static void
read_registers (const PtxProduct *product, double a[N_ROWS][PTX_MATRIX_DEPTH])
{
  const guint bytes = ptx_matrix_element_bytes (product->in), n = 4 / bytes;
  const PtxMatrixValue value_of = ptx_matrix_value_of (product->in->type);

  for (guint i = 0; i < 4; i++)
    for (guint l = 0; l < PTX_LANES; l++)
      for (guint e = 0; e < n; e++)
        {
          const guint64 bits
              = register_of (product, product->in->operands[1].elements[i])[l] >> 8 * bytes * e;

          a[l / 4 + i % 2 * 8][l % 4 * n + e + i / 2 * 4 * n] = value_of ((guint) ptx_cut (bits, 8 * bytes));
        }
}

static gboolean
read_left (PtxWarp *warp, const PtxProduct *product, double a[N_ROWS][PTX_MATRIX_DEPTH])
{
  if (is_shared (product->in))
    return ptx_matrix_read (
        warp, product->in, &product->a, warp->place % N_WARPS * N_ROWS, N_ROWS, a[0], PTX_MATRIX_DEPTH, 1);
  read_registers (product, a);
  return TRUE;
}

/* Reads the right factor. Rows are terms of the sum, so that those of one term lie side by side. */
static gboolean
read_right (PtxWarp *warp, const PtxProduct *product, double b[PTX_MATRIX_DEPTH][MOST_COLUMNS])
{
  return ptx_matrix_read (warp, product->in, &product->b, 0, columns_of (product), b[0], 1, MOST_COLUMNS);
}

/* Returns the place of element @i of lane 0: of each 8 columns a lane has two of row l / 4, then two of 8
 * rows further. */
static double *
place_of (double sums[N_ROWS][MOST_COLUMNS], guint i)
{
  return &sums[i / 2 % 2 * 8][i / 4 * 8 + i % 2];
}

/* The distance to the same element of another lane. */
#define LANE(l) ((l) / 4 * MOST_COLUMNS + (l) % 4 * 2)

/* Adds the products to @sums, which are rows of the result as they were before. Every sum goes along k in
 * order; those of a row are computed side by side. */
static void
accumulate (double a[N_ROWS][PTX_MATRIX_DEPTH], double b[PTX_MATRIX_DEPTH][MOST_COLUMNS], guint depth,
    guint n_columns, double sums[N_ROWS][MOST_COLUMNS])
{
  for (guint row = 0; row < N_ROWS; row++)
    for (guint k = 0; k < depth; k++)
      for (guint column = 0; column < n_columns; column++)
        sums[row][column] += a[row][k] * b[k][column];
}

/* Reads sums of f32, of which a register holds one. */
static void
get_floats (const PtxProduct *product, double sums[N_ROWS][MOST_COLUMNS])
{
  const PtxOperand *results = &product->in->operands[0];

  for (guint i = 0; i < results->count; i++)
    {
      const guint64 *values = register_of (product, results->elements[i]);
      double *place = place_of (sums, i);

      for (guint row = 0; row < 8; row++)
        for (guint pair = 0; pair < 4; pair++)
          place[row * MOST_COLUMNS + 2 * pair] = (double) ptx_bits_float ((guint32) values[4 * row + pair]);
    }
}

static void
put_floats (const PtxProduct *product, double sums[N_ROWS][MOST_COLUMNS])
{
  const PtxOperand *results = &product->in->operands[0];

  for (guint i = 0; i < results->count; i++)
    {
      guint64 *values = register_of (product, results->elements[i]);
      const double *place = place_of (sums, i);

      for (guint row = 0; row < 8; row++)
        for (guint pair = 0; pair < 4; pair++)
          values[4 * row + pair] = ptx_float_bits ((float) place[row * MOST_COLUMNS + 2 * pair]);
    }
}

/* Reads sums of f16, of which a register holds two neighbours. */
static void
get_halves (const PtxProduct *product, double sums[N_ROWS][MOST_COLUMNS])
{
  const PtxOperand *results = &product->in->operands[0];

  for (guint i = 0; i < results->count; i++)
    {
      const guint64 *values = register_of (product, results->elements[i]);
      double *place = place_of (sums, 2 * i);

      for (guint l = 0; l < PTX_LANES; l++)
        {
          place[LANE (l)] = ptx_half_value (values[l] & 0xffff);
          place[LANE (l) + 1] = ptx_half_value (values[l] >> 16 & 0xffff);
        }
    }
}

static guint64
half_bits (double value)
{
  return ptx_round_to_format (value, &ptx_format_half, PTX_ROUND_NEAREST);
}

static void
put_halves (const PtxProduct *product, double sums[N_ROWS][MOST_COLUMNS])
{
  const PtxOperand *results = &product->in->operands[0];

  for (guint i = 0; i < results->count; i++)
    {
      guint64 *values = register_of (product, results->elements[i]);
      const double *place = place_of (sums, 2 * i);

      for (guint l = 0; l < PTX_LANES; l++)
        values[l] = half_bits (place[LANE (l)]) | half_bits (place[LANE (l) + 1]) << 16;
    }
}

static void
put_results (
    const PtxProduct *product, double a[N_ROWS][PTX_MATRIX_DEPTH], double b[PTX_MATRIX_DEPTH][MOST_COLUMNS])
{
  double sums[N_ROWS][MOST_COLUMNS];

  if (product->adds)
    (product->half ? get_halves : get_floats) (product, sums);
  for (guint row = 0; !product->adds && row < N_ROWS; row++)
    memset (sums[row], 0, columns_of (product) * sizeof (double));
  accumulate (a, b, ptx_matrix_depth (product->in), columns_of (product), sums);
  (product->half ? put_halves : put_floats) (product, sums);
}

static gboolean
make (PtxWarp *warp, PtxProduct *product)
{
  double a[N_ROWS][PTX_MATRIX_DEPTH], b[PTX_MATRIX_DEPTH][MOST_COLUMNS];
  if (product->made)
    return TRUE;
  if (!read_left (warp, product, a) || !read_right (warp, product, b))
    return FALSE;
  put_results (product, a, b);
  product->made = TRUE;
  return TRUE;
}

/* Completes, where completion is drawn by lot, some of the products that were begun first. */
static gboolean
draw (PtxWarp *warp)
{
  if (warp->run->config->completion != HEDDLE_PTX_DRAWN)
    return TRUE;
  for (guint i = 0; i < warp->products->len && ptx_random (warp->run) % 2 == 0; i++)
    if (!make (warp, &g_array_index (warp->products, PtxProduct, i)))
      return FALSE;
  return TRUE;
}

/* --- what has to be before it --- */

/* Gathers the warp, which executes the instruction as a whole; lanes that branched off come back before it,
 * for which PTX_JUMPED is returned. */
static PtxStatus
gather_group (PtxWarp *warp, const PtxInstruction *in)
{
  const PtxStatus status = ptx_matrix_gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (warp->mask == G_MAXUINT32 && warp->run->block_warps >= warp->place / N_WARPS * N_WARPS + N_WARPS)
    return PTX_NEXT;
  return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_TRAP,
      warp->mask == G_MAXUINT32 ? _ ("there are not four warps to execute it")
                                : _ ("not all lanes of the warp execute it"));
}

static gboolean
is_pending (const PtxWarp *warp, guint32 slot)
{
  for (guint i = 0; i < warp->products->len; i++)
    {
      const PtxOperand *results = &g_array_index (warp->products, PtxProduct, i).in->operands[0];
      for (guint k = 0; k < results->count; k++)
        if (results->elements[k] == slot)
          return TRUE;
    }
  return FALSE;
}

static gboolean
check_registers (PtxWarp *warp, const PtxInstruction *in, const PtxOperand *operand, gboolean pending)
{
  for (guint i = 0; i < operand->count; i++)
    if (ptx_defined (warp, operand->elements[i]) != G_MAXUINT32
        && !(pending && is_pending (warp, operand->elements[i])))
      {
        ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_UNDEFINED, _ ("it reads a register that was never written"));
        return FALSE;
      }
  return TRUE;
}

/* Traces what the four warps of a group begin, which must be the same. */
static void
trace (PtxWarp *warp, const PtxProduct *product)
{
  guint64 parts[] = { product->in->line, product->b.start, is_shared (product->in) ? product->a.start : 0,
    (guint64) product->adds };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    warp->products_trace = (warp->products_trace ^ parts[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
                           + warp->products_trace % 7;
}

static gboolean
check_operands (PtxWarp *warp, const PtxInstruction *in, gboolean adds)
{
  if (!warp->products_fenced)
    {
      ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_RACE,
          _ ("no wgmma.fence lies between it and what the registers were used for before"));
      return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    if (ptx_source (warp, in, 4 + i)[0] != 1)
      {
        ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_UNKNOWN, _ ("factors that are negated"));
        return FALSE;
      }
  return (!adds || check_registers (warp, in, &in->operands[0], TRUE))
         && (is_shared (in) || check_registers (warp, in, &in->operands[1], FALSE));
}

static gboolean
begin (PtxWarp *warp, const PtxInstruction *in, gboolean half, PtxProduct *product)
{
  gboolean shared = is_shared (in), flags = ptx_matrix_element_bytes (in) == 2;
  guint transposed = shared ? 6 : 5; /* the first of the flags, or before the only one */
  const guint64 *predicate = ptx_source (warp, in, 3);
  *product = (PtxProduct){ .in = in,
    .frame = warp->frame,
    .adds = (predicate[0] != 0) != in->operands[3].negate,
    .half = half,
    .group = warp->products_committed };
  return check_operands (warp, in, product->adds)
         && (!shared
             || ptx_matrix_read_descriptor (
                 warp, in, 1, flags && ptx_source (warp, in, transposed)[0] != 0, &product->a))
         && ptx_matrix_read_descriptor (
             warp, in, 2, flags && ptx_source (warp, in, transposed + 1)[0] != 0, &product->b);
}

static PtxStatus
multiply_into (PtxWarp *warp, const PtxInstruction *in, gboolean half)
{
  PtxProduct product;
  const PtxStatus status = gather_group (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (!begin (warp, in, half, &product))
    return PTX_FAILED;
  trace (warp, &product);
  warp->run->stats.asynchronous_products++;
  g_array_append_val (warp->products, product);
  for (guint i = 0; i < in->operands[0].count; i++)
    ptx_set_defined (warp, in->operands[0].elements[i], 0);
  if (warp->run->config->completion == HEDDLE_PTX_EARLY
      && !make (warp, &g_array_index (warp->products, PtxProduct, warp->products->len - 1)))
    return PTX_FAILED;
  return draw (warp) ? PTX_NEXT : PTX_FAILED;
}

static PtxStatus
multiply (PtxWarp *warp, const PtxInstruction *in)
{
  return multiply_into (warp, in, FALSE);
}

static PtxStatus
multiply_to_half (PtxWarp *warp, const PtxInstruction *in)
{
  return multiply_into (warp, in, TRUE);
}

static PtxStatus
fence (PtxWarp *warp, const PtxInstruction *in)
{
  const PtxStatus status = gather_group (warp, in);

  if (status != PTX_NEXT)
    return status;
  warp->products_fenced = TRUE;
  return ptx_warpgroup_meet (warp, in, 0);
}

static PtxStatus
commit (PtxWarp *warp, const PtxInstruction *in)
{
  const PtxStatus status = gather_group (warp, in);

  if (status != PTX_NEXT)
    return status;
  warp->products_committed++;
  return draw (warp) ? PTX_NEXT : PTX_FAILED;
}

/* Marks registers that products under way still write as never written. */
static void
spoil_pending (PtxWarp *warp)
{
  for (guint i = 0; i < warp->products->len; i++)
    {
      const PtxProduct *product = &g_array_index (warp->products, PtxProduct, i);

      for (guint k = 0; product->frame == warp->frame && k < product->in->operands[0].count; k++)
        ptx_set_defined (warp, product->in->operands[0].elements[k], 0);
    }
}

/* Finishes a product. What was read of shared memory counts as read until now: whoever writes there must come
 * after. */
static gboolean
finish (PtxWarp *warp, PtxProduct *product)
{
  gboolean again = product->made && warp->run->races != NULL;
  if (!make (warp, product)
      || (again && !ptx_matrix_read (warp, product->in, &product->b, 0, columns_of (product), NULL, 0, 0)))
    return FALSE;
  for (guint i = 0; i < product->in->operands[0].count; i++)
    ptx_set_defined (warp, product->in->operands[0].elements[i], G_MAXUINT32);
  return TRUE;
}

static PtxStatus
wait_for_groups (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 left = ptx_source (warp, in, 0)[0];
  const guint limit = warp->products_committed > left ? warp->products_committed - (guint) left : 0;
  const PtxStatus status = gather_group (warp, in);
  guint n = 0;

  if (status != PTX_NEXT)
    return status;
  for (; n < warp->products->len && g_array_index (warp->products, PtxProduct, n).group < limit; n++)
    if (!finish (warp, &g_array_index (warp->products, PtxProduct, n)))
      return PTX_FAILED;
  g_array_remove_range (warp->products, 0, n);
  spoil_pending (warp);
  warp->products_fenced = warp->products_fenced && n == 0;
  return ptx_warpgroup_meet (warp, in, 1);
}

/* Executes a fence of global memory, which has one view: nothing happens. */
static PtxStatus
nothing (PtxWarp *warp, const PtxInstruction *in)
{
  return PTX_NEXT;
}

/* Executes a fence: what is known to have been done to shared memory before it comes before what the
 * asynchronous proxy does after it, for whoever knows of it. */
static PtxStatus
fence_proxy (PtxWarp *warp, const PtxInstruction *in)
{
  for (guint w = 0; w < warp->run->n_warps; w++)
    warp->known.proxied[w] = MAX (warp->known.proxied[w], warp->known.clocks[w]);
  ptx_warp_advance (warp);
  return PTX_NEXT;
}

/* Resets the products of a warp for a new block. */
void
ptx_products_reset (PtxWarp *warp)
{
  if (warp->products == NULL)
    warp->products = g_array_new (FALSE, FALSE, sizeof (PtxProduct));
  g_array_set_size (warp->products, 0);
  warp->products_committed = 0;
  warp->products_fenced = FALSE;
  warp->products_trace = 0;
}

/* Returns whether the warps of each warpgroup of a block that has ended began the same products. */
gboolean
ptx_products_check (PtxRun *run)
{
  for (guint w = 0; w < run->n_warps; w++)
    {
      const PtxWarp *warp = &run->warps[w];

      if (warp->products_trace == warp->block->warps[warp->place / N_WARPS * N_WARPS].products_trace)
        continue;
      g_set_error (&run->error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_TRAP,
          _ ("warp %u began other products than the first warp of its warpgroup"), warp->place);
      return FALSE;
    }
  return TRUE;
}

/* The rows for each width and type; both factors are in shared memory, or the left one is in registers. For
 * elements of 8 and of 32 bits k is contiguous, and is not mentioned. */
#define BYTES (PTX_T (E4M3) | PTX_T (E5M2))
#define PRODUCTS(columns)                                                                                    \
  { "wgmma.mma_async.sync.aligned.m64n" #columns "k32.f32", 0, 0, BYTES, BYTES, "RFqpuu", multiply,          \
    PTX_UNDEFINED_CUSTOM },                                                                                  \
      { "wgmma.mma_async.sync.aligned.m64n" #columns "k8.f32.tf32", 0, 0, PTX_T (TF32), 0, "RFqpuu",         \
        multiply, PTX_UNDEFINED_CUSTOM },                                                                    \
      { "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f16.f16", 0, 0, PTX_T (F16), 0,                    \
        "Rqqpuuuu/RSqpuuu", multiply_to_half, PTX_UNDEFINED_CUSTOM },                                        \
      { "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16", 0, 0, PTX_T (F16), 0,                    \
        "Rqqpuuuu/RSqpuuu", multiply, PTX_UNDEFINED_CUSTOM },                                                \
  {                                                                                                          \
    "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16", 0, 0, PTX_T (BF16), 0, "Rqqpuuuu/RSqpuuu",  \
        multiply, PTX_UNDEFINED_CUSTOM                                                                       \
  }

const PtxRow ptx_rows_wgmma[] = {
  PRODUCTS (8),
  PRODUCTS (16),
  PRODUCTS (24),
  PRODUCTS (32),
  PRODUCTS (40),
  PRODUCTS (48),
  PRODUCTS (56),
  PRODUCTS (64),
  PRODUCTS (72),
  PRODUCTS (80),
  PRODUCTS (88),
  PRODUCTS (96),
  PRODUCTS (104),
  PRODUCTS (112),
  PRODUCTS (120),
  PRODUCTS (128),
  PRODUCTS (136),
  PRODUCTS (144),
  PRODUCTS (152),
  PRODUCTS (160),
  PRODUCTS (168),
  PRODUCTS (176),
  PRODUCTS (184),
  PRODUCTS (192),
  PRODUCTS (200),
  PRODUCTS (208),
  PRODUCTS (216),
  PRODUCTS (224),
  PRODUCTS (232),
  PRODUCTS (240),
  PRODUCTS (248),
  PRODUCTS (256),
  { "wgmma.fence.sync.aligned", 0, 0, 0, 0, "", fence },
  { "wgmma.commit_group.sync.aligned", 0, 0, 0, 0, "", commit },
  { "wgmma.wait_group.sync.aligned", 0, 0, 0, 0, "u", wait_for_groups, PTX_UNDEFINED_FAILS },
  { "fence.proxy.async", 0, 0, 0, 0, "", fence_proxy },
  { "fence.proxy.async.shared::cta", 0, 0, 0, 0, "", fence_proxy },
  { "fence.proxy.async.shared::cluster", 0, 0, 0, 0, "", fence_proxy },
  { "fence.proxy.async.global", 0, 0, 0, 0, "", nothing },
  { NULL },
};
