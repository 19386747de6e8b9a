/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/instructions/tensor-map.h"

/* Barriers in shared memory and copies of boxes that complete on them. Where elements come to lie is written here as the PTX ISA 9.0
 * states it (sections "mbarrier", "Tensors", "cp.async.bulk.tensor") and CUDA's driver interface of tensor maps, apart from the interpreter's
 * own form. Nobody ran these on hardware. */

#define THREADS 64
#define TILE_BYTES 16384
#define MOST_ELEMENTS (TILE_BYTES / 2)

typedef struct
{
  HeddlePtxCompletion completion;
  guint64 seed;
} How;

static const How hows[] = { { HEDDLE_PTX_LATE, 0 }, { HEDDLE_PTX_EARLY, 0 }, { HEDDLE_PTX_DRAWN, 1 },
  { HEDDLE_PTX_DRAWN, 2 }, { HEDDLE_PTX_DRAWN, 3 } };

/* Element i of the array has this value: no two are the same. */
static guint16
value_of (guint64 i)
{
  return (guint16) (i + 1);
}

static guint64
elements_of (const HeddlePtxTensorMap *map)
{
  guint64 n = 1;

  for (guint i = 0; i < map->rank; i++)
    n *= map->sizes[i];
  return n;
}

/* Two warps; %tile and %bar in shared memory, %map the tensor map; at the end the tile goes out, 64 bytes a thread where @whole is set, else
 * %r1 of each. */
static gboolean
run_sized (const HeddlePtxTensorMap *map, const char *body, const How *how, guint threads, void *out,
    gsize out_bytes, GError **error)
{
  g_autofree char *text = g_strdup_printf (
      ".reg .b64 %%in, %%map, %%out, %%offset, %%state; .reg .b32 %%t, %%tile, %%bar, %%r<8>; .reg .pred "
      "%%first, %%p, %%q;\n.shared .align 1024 .b8 tile[%d];\n.shared .align 8 .b8 bar[64];\n"
      "mov.u32 %%t, %%tid.x; ld.param.u64 %%out, [out]; mov.b64 %%in, map; cvta.param.u64 %%map, %%in;\n"
      "mov.u32 %%tile, tile; mov.u32 %%bar, bar; setp.eq.u32 %%first, %%t, 0; mov.u32 %%r1, 0;\n%s\n"
      "mul.wide.u32 %%offset, %%t, 4; add.u64 %%out, %%out, %%offset; st.global.b32 [%%out], %%r1;\nret;",
      TILE_BYTES, body);
  g_autoptr (HeddlePtxModule) module
      = ptx_case_module (".param .u64 out, .param .align 64 .b8 map[128]", text);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 },
    .block = { threads, 1, 1 },
    .seed = how->seed,
    .completion = how->completion,
    .check_races = TRUE };
  const guint64 n = elements_of (map);
  g_autofree guint16 *array = g_new (guint16, n);
  HeddlePtxTensorMap placed = *map;
  guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES];
  guint64 to = heddle_ptx_memory_allocate (memory, "out", out_bytes, error);
  const HeddlePtxArgument arguments[] = { { &to, sizeof to }, { bytes, sizeof bytes } };

  placed.address = heddle_ptx_memory_allocate (memory, "array", n * 2, error);
  for (guint64 i = 0; i < n; i++)
    array[i] = value_of (i);
  g_assert_true (heddle_ptx_memory_write (memory, placed.address, array, n * 2, error));
  return heddle_ptx_tensor_map_encode (&placed, bytes, error)
         && heddle_ptx_launch (module, "k", memory, &config, arguments, 2, NULL, NULL, error)
         && heddle_ptx_memory_read (memory, to, out, out_bytes, error);
}

/* --- where elements come to lie --- */

typedef struct
{
  const char *name;
  HeddlePtxTensorMap map; /* without the address */
  gint32 at[HEDDLE_PTX_TENSOR_MAP_RANK];
} Box;

/* Inside, over each edge, before the first element, and beyond the last; of one to five axes. */
static const Box boxes[] = {
  { "1d", { .sizes = { 100 }, .box = { 64 }, .element_bytes = 2, .rank = 1 }, { 8 } },
  { "1d-edge", { .sizes = { 100 }, .box = { 64 }, .element_bytes = 2, .rank = 1 }, { 70 } },
  { "2d-plain", { .sizes = { 72, 20 }, .strides = { 144 }, .box = { 24, 8 }, .element_bytes = 2, .rank = 2 },
      { 3, 5 } },
  { "2d-swizzled",
      { .sizes = { 128, 40 },
          .strides = { 256 },
          .box = { 64, 32 },
          .element_bytes = 2,
          .rank = 2,
          .swizzle = 128 },
      { 64, 4 } },
  { "2d-both-edges",
      { .sizes = { 72, 20 },
          .strides = { 144 },
          .box = { 64, 16 },
          .element_bytes = 2,
          .rank = 2,
          .swizzle = 128 },
      { 64, 13 } },
  { "2d-before",
      { .sizes = { 72, 20 },
          .strides = { 144 },
          .box = { 64, 16 },
          .element_bytes = 2,
          .rank = 2,
          .swizzle = 128 },
      { -9, -3 } },
  { "2d-beyond",
      { .sizes = { 72, 20 },
          .strides = { 144 },
          .box = { 64, 16 },
          .element_bytes = 2,
          .rank = 2,
          .swizzle = 128 },
      { 80, 30 } },
  { "2d-short-rows-swizzled",
      { .sizes = { 32, 20 },
          .strides = { 64 },
          .box = { 32, 16 },
          .element_bytes = 2,
          .rank = 2,
          .swizzle = 128 },
      { 0, 2 } },
  { "2d-swizzled-64",
      { .sizes = { 72, 20 },
          .strides = { 144 },
          .box = { 32, 16 },
          .element_bytes = 2,
          .rank = 2,
          .swizzle = 64 },
      { 48, 2 } },
  { "2d-swizzled-32",
      { .sizes = { 72, 20 },
          .strides = { 144 },
          .box = { 16, 16 },
          .element_bytes = 2,
          .rank = 2,
          .swizzle = 32 },
      { 16, 7 } },
  { "3d",
      { .sizes = { 64, 10, 4 },
          .strides = { 128, 1280 },
          .box = { 64, 8, 1 },
          .element_bytes = 2,
          .rank = 3,
          .swizzle = 128 },
      { 0, 4, 3 } },
  { "3d-two-axes-of-rows",
      { .sizes = { 64, 4, 10 },
          .strides = { 128, 512 },
          .box = { 64, 4, 8 },
          .element_bytes = 2,
          .rank = 3,
          .swizzle = 128 },
      { 0, 0, 5 } },
  { "4d",
      { .sizes = { 72, 3, 5, 2 },
          .strides = { 144, 432, 2160 },
          .box = { 64, 1, 5, 1 },
          .element_bytes = 2,
          .rank = 4,
          .swizzle = 128 },
      { 8, 2, 1, 1 } },
  { "5d",
      { .sizes = { 64, 2, 3, 2, 2 },
          .strides = { 128, 256, 768, 1536 },
          .box = { 64, 2, 2, 1, 2 },
          .element_bytes = 2,
          .rank = 5,
          .swizzle = 128 },
      { 0, 0, 2, 1, 0 } },
};

static guint64
box_bytes (const HeddlePtxTensorMap *map)
{
  guint64 bytes = 2;

  for (guint i = 0; i < map->rank; i++)
    bytes *= map->box[i];
  return bytes;
}

/* What element @e of the box has to be: e counts along the first axis fastest. */
static guint16
expected_element (const Box *box, guint64 e)
{
  guint64 place = 0, stride = 1;

  for (guint i = 0; i < box->map.rank; i++)
    {
      gint64 index = box->at[i] + (gint64) (e % box->map.box[i]);

      e /= box->map.box[i];
      if (index < 0 || index >= (gint64) box->map.sizes[i])
        return 0;
      place += (guint64) index * stride;
      stride *= box->map.sizes[i];
    }
  return value_of (place);
}

/* In memory the box lies without gaps; swizzled, piece p of 16 bytes of the 128-byte line r is at piece p ^ (r mod as many as are swizzled). */
static guint
expected_place (const Box *box, guint64 e)
{
  guint64 byte = 2 * e, line = byte / 128, piece = byte % 128 / 16;

  if (box->map.swizzle > 0)
    piece ^= line % (box->map.swizzle / 16);
  return (guint) (line * 128 + piece * 16 + byte % 16) / 2;
}

static char *
copy_text (const Box *box, const char *to, gboolean policy)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GString) at = g_string_new (NULL);

  for (guint i = 0; i < box->map.rank; i++)
    g_string_append_printf (at, "%s%d", i > 0 ? ", " : "", box->at[i]);
  g_string_append_printf (text,
      "mov.b64 %%offset, 0;\n@%%first cp.async.bulk.prefetch.tensor.%ud.L2.global.tile [%%map, "
      "{%s}];\n@%%first "
      "cp.async.bulk.tensor.%ud.%s.global%s.mbarrier::complete_tx::bytes%s [%%tile], [%%map, {%s}], "
      "[%%bar]%s;",
      box->map.rank, at->str, box->map.rank, to, policy ? "" : ".tile", policy ? ".L2::cache_hint" : "",
      at->str, policy ? ", %offset" : "");
  return g_string_free (text, FALSE);
}

#define BEGIN                                                                                                \
  "@%first mbarrier.init.shared::cta.b64 [%bar], 1;\n@%first "                                               \
  "fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
#define WAIT(parity)                                                                                         \
  "AGAIN" #parity ": mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], " #parity                          \
  ";\n@!%p bra AGAIN" #parity ";\n"

/* After it a thread writes the whole tile, from shared memory out, word by word. */
#define OUT                                                                                                  \
  "shl.b32 %r2, %t, 2; add.u32 %r3, %r2, %tile; cvt.u64.u32 %offset, %r2; add.u64 %in, %out, %offset; "      \
  "mov.u32 %r4, 0;\n"                                                                                        \
  "OUT: ld.shared.b32 %r5, [%r3]; st.global.b32 [%in+256], %r5; add.u32 %r3, %r3, 256; add.u64 %in, %in, "   \
  "256;\n"                                                                                                   \
  "add.u32 %r4, %r4, 1; setp.lt.u32 %p, %r4, 64; @%p bra OUT;\n"

static void
test_box (gconstpointer data)
{
  const Box *box = data;
  const guint64 n = box_bytes (&box->map) / 2;

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autofree char *copy = copy_text (box, h % 2 == 0 ? "shared::cluster" : "shared::cta", h > 2);
      g_autofree char *bytes = g_strdup_printf ("%u", (guint) (2 * n));
      g_autofree char *body
          = g_strconcat (BEGIN "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], ", bytes, ";\n",
              copy, "\n", WAIT (0), OUT, NULL);
      g_autofree guint16 *out = g_malloc0 (256 + TILE_BYTES);
      g_autoptr (GError) error = NULL;

      run_sized (&box->map, body, &hows[h], THREADS, out, 256 + TILE_BYTES, &error);
      g_assert_no_error (error);
      for (guint64 e = 0; e < n; e++)
        g_assert_cmphex (out[128 + expected_place (box, e)], ==, expected_element (box, e));
      if (2 * n + 2 <= TILE_BYTES) /* nothing behind it was touched: shared memory is full of ones */
        g_assert_cmphex (out[128 + n], ==, 0xffff);
    }
}

/* --- phases --- */

static const Box plain = { "plain",
  { .sizes = { 64, 16 },
      .strides = { 128 },
      .box = { 64, 8 },
      .element_bytes = 2,
      .rank = 2,
      .swizzle = 128 },
  { 0, 0 } };

typedef struct
{
  const char *name, *body;
  guint32 expected; /* %r1 of every thread */
} Phase;

#define INIT(count)                                                                                          \
  "@%first mbarrier.init.shared.b64 [%bar], " #count                                                         \
  ";\n@%first mbarrier.init.shared.b64 [%bar+8], 1;\nbar.sync 0;\n"
#define TAKE(barrier, parity)                                                                                \
  "mbarrier.try_wait.parity.shared::cta.b64 %p, [" barrier "], " #parity ";\nselp.b32 %r1, 1, 0, %p;\n"
#define UNTIL(label, barrier, parity) label ": " TAKE (barrier, parity) "@!%p bra " label ";\n"

#define EXPECT(bytes) "@%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], " #bytes ";\n"
#define BOX(to)                                                                                              \
  "@%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [" to            \
  "], [%map, {0, 0}], [%bar];\n"
/* All read the tile and say so, the first thread has it filled again; a proxy fence of those who read, or of the one who fills. */
#define AGAIN_OF(read, filled)                                                                               \
  "ld.shared.u16 %r2, [%tile];\n" read "mbarrier.arrive.shared.b64 _, [%bar+8];\n"                           \
  "@!%first bra READ;\n" UNTIL ("EMPTY", "%bar+8", 0) filled                                                 \
      "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 1024;\n"                                              \
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"                                       \
      "complete_tx::bytes [%tile], [%map, {0, 8}], [%bar];\n"                                                \
      "READ:\n" WAIT (1) "ld.shared.u16 %r1, [%tile];\nadd.u32 %r1, %r1, %r2;"

static const Phase phases[] = {
  /* the phase before the first, of parity 1, is over */
  { "fresh", INIT (64) TAKE ("%bar", 1), 1 },
  { "all-arrive", INIT (64) "mbarrier.arrive.shared::cta.b64 _, [%bar];\n" UNTIL ("W", "%bar", 0), 1 },
  { "one-for-all",
      INIT (64) "@%first mbarrier.arrive.shared::cta.b64 _, [%bar], 64;\n" UNTIL ("W", "%bar", 0), 1 },
  { "release-and-acquire",
      INIT (64) "mbarrier.arrive.release.cta.shared::cta.b64 %state, [%bar];\nW: "
                "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p, [%bar], 0;\n@!%p bra W;\nmov.u32 "
                "%r1, 7;",
      7 },
  /* each phase wants all arrivals again; then the parity is that of the beginning */
  { "two-phases",
      INIT (64) "mbarrier.arrive.shared.b64 _, [%bar];\n" UNTIL (
          "V", "%bar", 0) "mbarrier.arrive.shared.b64 _, [%bar];\n" UNTIL ("W", "%bar", 1),
      1 },
  /* the second warp writes, arrives; the first waits and reads */
  { "ordered",
      INIT (32) "setp.ge.u32 %p, %t, 32;\n@%p st.shared.b32 [%tile], 5;\n@%p mbarrier.arrive.shared.b64 _, "
                "[%bar];\n" UNTIL ("W", "%bar", 0) "ld.shared.b32 %r1, [%tile];",
      5 },
  /* bytes may be announced apart from arriving; a generic address */
  { "announced-apart",
      BEGIN
      "mov.b64 %in, bar; cvta.shared.u64 %in, %in;\n"
      "@%first mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%bar], 1024;\n"
      "@%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%tile], "
      "[%map, {0, 0}], [%bar];\n@%first mbarrier.arrive.b64 _, [%in];\n" WAIT (
          0) "ld.shared.u16 %r1, [%tile+2];",
      2 },
  /* the slot is filled again when all have said that they read it */
  { "handed-over",
      "@%first mbarrier.init.shared.b64 [%bar], 1;\n@%first mbarrier.init.shared.b64 [%bar+8], 64;\n"
      "@%first fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
      "@%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 1024;\n"
      "@%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%tile], "
      "[%map, {0, 0}], [%bar];\n" WAIT (0) AGAIN_OF ("fence.proxy.async.shared::cta;\n", ""),
      514 },
  /* the same with the proxy fence on the other side of the barrier */
  { "handed-over-and-fenced-then",
      "@%first mbarrier.init.shared.b64 [%bar], 1;\n@%first mbarrier.init.shared.b64 [%bar+8], 64;\n"
      "@%first fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
      "@%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 1024;\n"
      "@%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%tile], "
      "[%map, {0, 0}], [%bar];\n" WAIT (0) AGAIN_OF ("", "fence.proxy.async;\n"),
      514 },
  /* a barrier of the block, or the order of one thread, shows that there is a barrier */
  { "barrier-shown-by-a-barrier",
      "@%first mbarrier.init.shared.b64 [%bar], 1;\nbar.sync 0;\n" EXPECT (1024) BOX ("%tile")
          WAIT (0) "ld.shared.u16 %r1, [%tile+2];",
      2 },
  { "barrier-shown-to-itself",
      "@%first mbarrier.init.shared.b64 [%bar], 1;\n" EXPECT (1024)
          BOX ("%tile") "bar.sync 0;\n" WAIT (0) "ld.shared.u16 %r1, [%tile+2];",
      2 },
  /* the address of a parameter may go through 32 bits */
  { "map-by-32-bits",
      BEGIN "mov.b32 %r2, map; cvt.u64.u32 %in, %r2; cvta.param.u64 %map, %in;\n" EXPECT (1024) BOX ("%tile")
          WAIT (0) "ld.shared.u16 %r1, [%tile+2];",
      2 },
  /* one lane of a warp waits in a branch for the other warp; the others come to what all lanes execute and wait for it */
  { "lane-comes-back",
      INIT (1) "@%first st.shared.v4.b32 [%tile], {65537, 65537, 65537, 65537};\nbar.sync 0;\n"
               "setp.eq.u32 %q, %t, 32;\n@%q mbarrier.arrive.shared.b64 _, [%bar];\n@!%first bra "
               "SKIP;\n" UNTIL (
                   "W", "%bar", 0) "SKIP: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%tile];",
      65537 },
  { "by-what-arriving-returned",
      INIT (64) "mbarrier.arrive.shared::cta.b64 %state, [%bar];\nW: mbarrier.try_wait.shared::cta.b64 %p, "
                "[%bar], "
                "%state;\n@!%p bra W;\nmov.u32 %r1, 3;",
      3 },
  { "tested",
      INIT (64) "mbarrier.test_wait.parity.shared::cta.b64 %p, [%bar], 0;\nselp.b32 %r2, 1, 0, %p;\nbar.sync "
                "0;\n"
                "mbarrier.arrive.shared::cta.b64 _, [%bar];\nbar.sync "
                "0;\nmbarrier.test_wait.parity.shared::cta.b64 %p, "
                "[%bar], 0;\nselp.b32 %r1, 2, 0, %p;\nadd.u32 %r1, %r1, %r2;",
      2 },
  { "begun-again",
      INIT (64) "griddepcontrol.wait;\nmbarrier.arrive.shared.b64 _, [%bar];\n" UNTIL (
          "W", "%bar", 0) "bar.sync 0;\n@%first mbarrier.inval.shared.b64 [%bar];\n@%first "
                          "mbarrier.init.shared.b64 [%bar], 64;\n"
                          "bar.sync 0;\nmbarrier.arrive.shared.b64 _, [%bar];\n" UNTIL (
                              "V", "%bar", 0) "griddepcontrol.launch_dependents;",
      1 },
  { "elected",
      "elect.sync %r2|%p, 0xffffffff;\nselp.b32 %r3, 1, 0, %p;\n"
      "redux.sync.add.u32 %r4, %r3, 0xffffffff;\nmul.lo.u32 %r1, %r2, 10;\nadd.u32 %r1, %r1, %r4;",
      1 },
};

static void
test_phase (gconstpointer data)
{
  const Phase *phase = data;

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autoptr (GError) error = NULL;
      guint32 out[THREADS];

      run_sized (&plain.map, phase->body, &hows[h], THREADS, out, sizeof out, &error);
      g_assert_no_error (error);
      for (guint t = 0; t < THREADS; t++)
        g_assert_cmpuint (out[t], ==, phase->expected);
    }
}

/* --- what is wrong --- */

typedef struct
{
  const char *name, *body;
  int code;
  const char *word;
  gboolean late_only; /* where copies are made at once nothing shows */
} Fault;

#define READ "ld.shared.u16 %r1, [%tile];"

/* A fault that shows in one way or another, by the order of the warps. */
#define ANY -1

static const Fault faults[] = {
  { "no-wait", BEGIN EXPECT (1024) BOX ("%tile") "bar.sync 0;\n" READ, HEDDLE_PTX_ERROR_RACE, "bulk copy" },
  { "wrong-parity", BEGIN EXPECT (1024) BOX ("%tile") WAIT (1) READ, HEDDLE_PTX_ERROR_RACE, "race on byte" },
  { "too-few-bytes",
      BEGIN EXPECT (1024) BOX ("%tile") BOX ("%tile+1024") WAIT (0) "ld.shared.u16 %r1, [%tile+1024];",
      HEDDLE_PTX_ERROR_RACE, NULL },
  { "too-many-bytes", BEGIN EXPECT (1040) BOX ("%tile") WAIT (0) READ, HEDDLE_PTX_ERROR_DEADLOCK,
      "16 bytes are missing" },
  { "no-arrival", BEGIN BOX ("%tile") WAIT (0) READ, HEDDLE_PTX_ERROR_DEADLOCK, "1 of 1 arrivals" },
  { "nobody-waits", BEGIN EXPECT (1024) BOX ("%tile"), HEDDLE_PTX_ERROR_RACE, "the block has ended", TRUE },
  { "handed-over-unfenced",
      "@%first mbarrier.init.shared.b64 [%bar], 1;\n@%first mbarrier.init.shared.b64 [%bar+8], 64;\nbar.sync "
      "0;\n" EXPECT (1024) BOX ("%tile") WAIT (0) AGAIN_OF ("", ""),
      HEDDLE_PTX_ERROR_RACE, "was read by warp" },
  { "written-and-unfenced",
      BEGIN "@%first st.shared.b32 [%tile+1020], 1;\nbar.sync 0;\n" EXPECT (1024) BOX ("%tile") WAIT (0),
      HEDDLE_PTX_ERROR_RACE, "byte 1020 of shared memory was written by warp 0" },
  /* the writer's fence comes behind the barrier: nothing orders it before the copy */
  { "written-and-fenced-behind-the-barrier",
      BEGIN
      "setp.eq.u32 %q, %t, 32;\n@%q st.shared.b32 [%tile], 1;\nbar.sync 0;\n@%q fence.proxy.async;\n" EXPECT (
          1024) BOX ("%tile") WAIT (0),
      HEDDLE_PTX_ERROR_RACE, "was written by warp 1" },
  { "no-barrier-after-beginning",
      "@%first mbarrier.init.shared.b64 [%bar], 64;\nmbarrier.arrive.shared.b64 _, [%bar];\n" WAIT (0), ANY,
      NULL },
  { "not-begun", "mbarrier.arrive.shared.b64 _, [%bar];", HEDDLE_PTX_ERROR_UNDEFINED, "no mbarrier" },
  { "invalidated",
      INIT (
          1) "@%first mbarrier.inval.shared.b64 [%bar];\nbar.sync 0;\nmbarrier.arrive.shared.b64 _, [%bar];",
      HEDDLE_PTX_ERROR_UNDEFINED, "no mbarrier" },
  { "begun-twice", INIT (1) "@%first mbarrier.init.shared.b64 [%bar], 1;", HEDDLE_PTX_ERROR_TRAP, "already" },
  { "count-of-none", "@%first mbarrier.init.shared.b64 [%bar], 0;", HEDDLE_PTX_ERROR_TRAP,
      "count of arrivals" },
  { "more-arrive", INIT (3) "@%first mbarrier.arrive.shared.b64 _, [%bar], 4;", HEDDLE_PTX_ERROR_TRAP,
      "more arrive" },
  { "parity-of-two", INIT (3) TAKE ("%bar", 2), HEDDLE_PTX_ERROR_TRAP, "neither 0 nor 1" },
  { "unaligned-barrier", "@%first mbarrier.init.shared.b64 [%bar+4], 1;", HEDDLE_PTX_ERROR_ACCESS,
      "aligned" },
  { "written-over",
      INIT (1) "@%first st.shared.b64 [%bar], 0;\n@%first mbarrier.arrive.shared.b64 _, [%bar];",
      HEDDLE_PTX_ERROR_ACCESS, "written over" },
  /* the slot is filled again while the other warp may still read it */
  { "filled-too-early", BEGIN EXPECT (1024) BOX ("%tile") WAIT (0) READ EXPECT (1024) BOX ("%tile") WAIT (1),
      ANY, NULL },
  { "unaligned-tile", BEGIN EXPECT (1024) BOX ("%tile+512"), HEDDLE_PTX_ERROR_ACCESS, "multiple of 1024" },
  { "tile-beyond", BEGIN EXPECT (1024) BOX ("%tile+32768"), HEDDLE_PTX_ERROR_ACCESS, NULL },
  { "other-rank",
      BEGIN EXPECT (
          1024) "@%first cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                "[%tile], [%map, {0, 0, 0}], [%bar];",
      HEDDLE_PTX_ERROR_ACCESS, "no tensor map of 3 axes" },
  { "no-map",
      BEGIN EXPECT (
          1024) "@%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                "[%tile], [%out, {0, 0}], [%bar];",
      HEDDLE_PTX_ERROR_ACCESS, NULL },
  { "few-registers", "setmaxnreg.dec.sync.aligned.u32 20;", HEDDLE_PTX_ERROR_TRAP, "multiple of 8" },
  { "fewer-by-more", "setmaxnreg.inc.sync.aligned.u32 240;", HEDDLE_PTX_ERROR_TRAP, "255 registers already" },
};

static void
test_fault (gconstpointer data)
{
  const Fault *fault = data;
  const char *words[] = { fault->word, NULL };

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autoptr (GError) error = NULL;
      guint32 out[THREADS];

      if (fault->late_only && hows[h].completion != HEDDLE_PTX_LATE)
        continue;
      g_assert_false (run_sized (&plain.map, fault->body, &hows[h], THREADS, out, sizeof out, &error));
      if (fault->code != ANY)
        ptx_case_assert_error (error, fault->code, words);
    }
}

/* 384 threads have 168 registers each at first. 128 * 40 + 256 * 232 = 64,512 of 65,536. */
static void
test_registers (void)
{
  static const struct
  {
    const char *body;
    int code;
    const char *word;
  } rows[] = {
    { "setp.lt.u32 %p, %t, 128;\n@%p bra GIVE;\nsetmaxnreg.inc.sync.aligned.u32 232;\nbra DONE;\n"
      "GIVE: setmaxnreg.dec.sync.aligned.u32 40;\nDONE:",
        -1, NULL },
    { "setp.lt.u32 %p, %t, 128;\n@%p bra GIVE;\nsetmaxnreg.inc.sync.aligned.u32 240;\nbra DONE;\n"
      "GIVE: setmaxnreg.dec.sync.aligned.u32 40;\nDONE:",
        HEDDLE_PTX_ERROR_DEADLOCK, "66560 registers" },
    { "setp.lt.u32 %p, %t, 96;\n@%p bra GIVE;\nsetmaxnreg.inc.sync.aligned.u32 176;\nbra DONE;\n"
      "GIVE: setmaxnreg.dec.sync.aligned.u32 24;\nDONE:",
        HEDDLE_PTX_ERROR_TRAP, "warp 3" },
    { "setmaxnreg.dec.sync.aligned.u32 176;", HEDDLE_PTX_ERROR_TRAP, "168 registers only" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *words[] = { rows[i].word, NULL };
      guint32 out[384];
      gboolean good = run_sized (&plain.map, rows[i].body, &hows[0], 384, out, sizeof out, &error);

      g_assert_cmpint (good, ==, rows[i].code < 0);
      if (rows[i].code >= 0)
        ptx_case_assert_error (error, rows[i].code, words);
    }
}

/* --- tensor maps that there are none of --- */

static void
test_maps (void)
{
  const HeddlePtxTensorMap good
      = { 4096, { 64, 16 }, { 128 }, { 64, 8 }, .element_bytes = 2, .rank = 2, .swizzle = 128 };
  static const struct
  {
    gsize place;
    guint bytes;
    guint64 value;
    const char *word;
  } rows[] = {
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, address), 8, 4104, "aligned to 16" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, rank), 1, 6, "more than five" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, rank), 1, 0, "no axes" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, element_bytes), 1, 3, "no element" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, sizes), 8, 0, "a size is 0" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, sizes), 8, G_GUINT64_CONSTANT (0x100000001), "beyond" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, strides), 8, 120, "multiple of 16" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, strides), 8, G_GUINT64_CONSTANT (1) << 40, "too long" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, box) + 2, 2, 257, "longer than 256" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, box), 2, 4, "multiple of 16 bytes" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, box), 2, 72, "bytes that are swizzled" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, swizzle), 1, 64, "bytes that are swizzled" },
    { G_STRUCT_OFFSET (HeddlePtxTensorMap, swizzle), 1, 16, "no swizzle has that many bytes" },
  };
  guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES];

  g_assert_true (heddle_ptx_tensor_map_encode (&good, bytes, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *words[] = { rows[i].word, NULL };
      HeddlePtxTensorMap bad = good;
      guint64 value = GUINT64_TO_LE (rows[i].value);

      memcpy ((guint8 *) &bad + rows[i].place, &value, rows[i].bytes);
      g_assert_false (heddle_ptx_tensor_map_encode (&bad, bytes, &error));
      ptx_case_assert_error (error, HEDDLE_PTX_ERROR_ARGUMENT, words);
    }
}

#define ADD(folder, rows, test)                                                                              \
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)                                                            \
    {                                                                                                        \
      g_autofree char *path = g_strconcat ("/ptx/" folder "/", rows[i].name, NULL);                          \
      g_test_add_data_func (path, &rows[i], test);                                                           \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("bulk", boxes, test_box)
  ADD ("mbarrier", phases, test_phase)
  ADD ("mbarrier/refused", faults, test_fault)
  g_test_add_func ("/ptx/registers", test_registers);
  g_test_add_func ("/ptx/tensor-map", test_maps);
  return g_test_run ();
}
