/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/instructions/tensor-map.h"

/* Copies from shared to global memory by the hardware, and tensor maps that a kernel changes. Where elements come from is written here as the PTX ISA
 * 9.0 states it (sections "cp.async.bulk.tensor", "Tensors", "tensormap.replace"), apart from the interpreter's own form. Nobody ran these on hardware. */

#define THREADS 64
#define TILE_BYTES 8192
#define ROWS 24
#define COLUMNS 72
#define ELEMENTS (ROWS * COLUMNS)
#define UNTOUCHED 0x7777

typedef struct
{
  HeddlePtxCompletion completion;
  guint64 seed;
} How;

static const How hows[]
    = { { HEDDLE_PTX_LATE, 0 }, { HEDDLE_PTX_EARLY, 0 }, { HEDDLE_PTX_DRAWN, 1 }, { HEDDLE_PTX_DRAWN, 2 } };

/* Shared memory: word w of the tile has this value, in halves 2 w and 2 w + 1; the kernel adds nothing to it. */
static guint16
half_of (guint i)
{
  return (guint16) (i + 1);
}

/* All threads fill the tile and fence it; %map is the tensor map, %out a buffer of plain bytes, which has the map too, 8192 bytes further. */
#define BEGIN                                                                                                \
  ".reg .b64 %out, %map, %copy, %policy; .reg .b32 %t, %tile, %w, %r<8>; .reg .pred %first, %p;\n"           \
  ".shared .align 1024 .b8 tile[8192];\n.shared .align 128 .b8 spare[128];\n"                                \
  "mov.u32 %t, %tid.x; mov.u32 %tile, tile; setp.eq.u32 %first, %t, 0; mov.b64 %map, map; cvta.param.u64 "   \
  "%map, %map; ld.param.u64 %out, [out];\nmov.u32 %w, %t;\n"                                                 \
  "FILL: shl.b32 %r0, %w, 1; add.u32 %r1, %r0, 1; add.u32 %r2, %r0, 2; shl.b32 %r2, %r2, 16; or.b32 %r1, "   \
  "%r1, %r2; shl.b32 %r0, %w, 2; add.u32 %r0, %r0, %tile; st.shared.u32 [%r0], %r1;\n"                       \
  "add.u32 %w, %w, 64; setp.lt.u32 %p, %w, 2048; @%p bra FILL;\n"
#define FENCED "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
#define STORE(at)                                                                                            \
  "@%first cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%map, {" at "}], [%tile];\n"
#define COMMIT "@%first cp.async.bulk.commit_group;\n"
#define WAIT "@%first cp.async.bulk.wait_group 0;\n"
#define WAIT_READ "@%first cp.async.bulk.wait_group.read 0;\n"

static gboolean
run_counted (const char *body, guint swizzle, guint16 columns, guint16 rows, const How *how, guint16 *array,
    guint8 *plain, HeddlePtxStats *stats, GError **error)
{
  g_autofree char *text = g_strconcat (BEGIN, body, "\nret;", NULL);
  g_autoptr (HeddlePtxModule) module
      = ptx_case_module (".param .u64 out, .param .align 64 .b8 map[128]", text);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 },
    .block = { THREADS, 1, 1 },
    .seed = how->seed,
    .completion = how->completion,
    .check_races = TRUE };
  HeddlePtxTensorMap map = { .sizes = { COLUMNS, ROWS },
    .strides = { 2 * COLUMNS },
    .box = { columns, rows },
    .element_bytes = 2,
    .type = 6, /* f16 */
    .rank = 2,
    .swizzle = (guint8) swizzle };
  guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES];
  guint64 out = heddle_ptx_memory_allocate (memory, "out", TILE_BYTES + sizeof bytes, error);
  const HeddlePtxArgument arguments[] = { { &out, sizeof out }, { bytes, sizeof bytes } };

  map.address = heddle_ptx_memory_allocate (memory, "array", 2 * ELEMENTS, error);
  for (guint i = 0; i < ELEMENTS; i++)
    array[i] = UNTOUCHED;
  heddle_ptx_memory_write (memory, map.address, array, 2 * ELEMENTS, error);
  g_assert_true (heddle_ptx_tensor_map_encode (&map, bytes, error));
  heddle_ptx_memory_write (memory, out + TILE_BYTES, bytes, sizeof bytes, error);
  return heddle_ptx_launch (module, "k", memory, &config, arguments, 2, NULL, stats, error)
         && heddle_ptx_memory_read (memory, map.address, array, 2 * ELEMENTS, error)
         && (plain == NULL || heddle_ptx_memory_read (memory, out, plain, TILE_BYTES, error));
}

static gboolean
run (const char *body, guint swizzle, guint16 columns, guint16 rows, const How *how, guint16 *array,
    guint8 *plain, GError **error)
{
  return run_counted (body, swizzle, columns, rows, how, array, plain, NULL, error);
}

typedef struct
{
  const char *name;
  guint swizzle, columns, rows;
  gint at[2];
  const char *coordinates;
} Box;

static const Box boxes[] = {
  { "plain", 0, 24, 8, { 8, 3 }, "8, 3" },
  { "swizzled-32", 32, 16, 8, { 16, 5 }, "16, 5" },
  { "swizzled-64", 64, 32, 16, { 0, 4 }, "0, 4" },
  { "swizzled-128", 128, 64, 16, { 8, 2 }, "8, 2" },
  { "over-the-edge", 128, 64, 16, { 40, 17 }, "40, 17" },
  { "before-the-array", 64, 32, 8, { -5, -3 }, "-5, -3" },
};

/* In memory the box lies without gaps; of lines of 128 bytes, piece p of line r is at p ^ (r mod as many as pieces are swizzled). */
static guint
place_of (const Box *box, guint column, guint row)
{
  const guint byte = 2 * (row * box->columns + column), line = byte / 128;
  const guint pieces = box->swizzle / 16;

  return (line * 128 + ((byte % 128 / 16) ^ (pieces > 0 ? line % pieces : 0)) * 16 + byte % 16) / 2;
}

static guint16
expected_at (const Box *box, gint column, gint row)
{
  const gint x = column - box->at[0], y = row - box->at[1];

  if (x < 0 || y < 0 || x >= (gint) box->columns || y >= (gint) box->rows)
    return UNTOUCHED;
  return half_of (place_of (box, (guint) x, (guint) y));
}

static void
test_box (gconstpointer data)
{
  const Box *box = data;
  g_autofree char *store
      = g_strconcat (FENCED "@%first cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%map, {",
          box->coordinates, "}], [%tile];\n" COMMIT WAIT, NULL);

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autoptr (GError) error = NULL;
      guint16 array[ELEMENTS];

      run (store, box->swizzle, (guint16) box->columns, (guint16) box->rows, &hows[h], array, NULL, &error);
      g_assert_no_error (error);
      for (gint row = 0; row < ROWS; row++)
        for (gint column = 0; column < COLUMNS; column++)
          g_assert_cmphex (array[row * COLUMNS + column], ==, expected_at (box, column, row));
    }
}

/* Bodies that store the box of 64 x 8 at (0, 0), not swizzled: element (column, row) is half 64 row + column of the tile. */
static const char *const rights[] = {
  FENCED STORE ("0, 0") COMMIT WAIT,
  /* read, and overwritten then */
  FENCED STORE ("0, 0") COMMIT WAIT_READ
  "bar.sync 0;\nsetp.eq.u32 %p, %t, 33;\n@%p st.shared.u32 [%tile], 0;\n",
  /* only the last group may be under way */
  FENCED STORE ("0, 0") COMMIT STORE ("0, 0") COMMIT "@%first cp.async.bulk.wait_group.read 0;\n",
  FENCED "createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;\n@%first "
         "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group.L2::cache_hint [%map, {0, 0}], [%tile], "
         "%policy;\n" COMMIT WAIT,
  /* a fence of the thread that stores, behind the barrier */
  "bar.sync 0;\n@%first fence.proxy.async;\n" STORE ("0, 0") COMMIT WAIT,
  /* a map of the kernel's own: as the given one, or with the fields that make it that */
  FENCED
  "add.u64 %copy, %out, 8192;\n@%first tensormap.replace.tile.box_dim.global.b1024.b32 [%copy], 0, 32;\n"
  "@%first tensormap.replace.tile.box_dim.global.b1024.b32 [%copy], 0, 64;\n@%first "
  "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%copy], 0;\n@%first "
  "tensormap.replace.tile.elemtype.global.b1024.b32 [%copy], 6;\n@%first "
  "tensormap.replace.tile.rank.global.b1024.b32 [%copy], 1;\n@%first "
  "tensormap.replace.tile.element_stride.global.b1024.b32 [%copy], 0, 1;\n@%first "
  "fence.proxy.tensormap::generic.acquire.gpu [%copy], 128;\n@%first "
  "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%copy, {0, 0}], [%tile];\n" COMMIT WAIT,
};

static void
test_rights (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rights); i++)
    for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
      {
        g_autoptr (GError) error = NULL;
        guint16 array[ELEMENTS];

        run (rights[i], 0, 64, 8, &hows[h], array, NULL, &error);
        g_assert_no_error (error);
        for (guint e = 0; e < ELEMENTS; e++)
          g_assert_cmphex (array[e], ==,
              e < 8 * COLUMNS && e % COLUMNS < 64 ? half_of (e / COLUMNS * 64 + e % COLUMNS) : UNTOUCHED);
      }
}

/* Plain bytes, out and in again. */
static void
test_bytes (void)
{
  static const char body[]
      = FENCED "@%first cp.async.bulk.global.shared::cta.bulk_group [%out], [%tile+16], 4096;\n" COMMIT WAIT
               ".shared .align 8 .b8 bar[8];\n@%first mbarrier.init.shared::cta.b64 [bar], 1;\n@%first "
               "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;\n@%first "
               "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%out+32], 64, "
               "[bar];\nbar.sync 0;\n"
               "W: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;\n@!%p bra W;\n"
               "ld.shared.u32 %r0, [%tile+60];\n@%first st.global.u32 [%out+4096], %r0;";

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *plain = g_malloc (TILE_BYTES);
      guint16 array[ELEMENTS], halves[2050];

      run (body, 0, 64, 8, &hows[h], array, plain, &error);
      g_assert_no_error (error);
      memcpy (halves, plain, sizeof halves);
      for (guint i = 0; i < 2048; i++)
        g_assert_cmphex (halves[i], ==, half_of (8 + i));
      g_assert_cmphex (halves[2048], ==, half_of (8 + (32 + 60) / 2));
    }
}

/* What is combined with 1 to 1024 as integers of 32 bits in shared memory: half 2 w + 1 above half 2 w, so that word w is (2 w + 2) * 65536 + 2 w + 1. */
typedef struct
{
  const char *operation;
  guint32 start; /* each word before */
  guint32 (*expected) (guint32 before, guint32 value);
} Reduction;

static guint32
sum (guint32 before, guint32 value)
{
  return before + value;
}

static guint32
least (guint32 before, guint32 value)
{
  return MIN (before, value);
}

static guint32
most (guint32 before, guint32 value)
{
  return (guint32) MAX ((gint32) before, (gint32) value);
}

static guint32
difference (guint32 before, guint32 value)
{
  return before ^ value;
}

static guint32
count_up (guint32 before, guint32 value)
{
  return before >= value ? 0 : before + 1;
}

static guint32
sum_of_floats (guint32 before, guint32 value)
{
  float a, b, result;
  guint32 bits;

  memcpy (&a, &before, sizeof a);
  memcpy (&b, &value, sizeof b);
  result = a + b;
  memcpy (&bits, &result, sizeof bits);
  return bits;
}

static const Reduction reductions[] = {
  { "add.u32", 0xffff0000, sum },
  { "min.u32", 0x00100000, least },
  { "max.s32", 0x80000000, most },
  { "xor.b32", 0x0f0f0f0f, difference },
  { "inc.u32", 0x00200020, count_up },
  { "add.f32", 0x3f800000, sum_of_floats },
};

static guint32
word_at (const guint8 *bytes, guint word)
{
  guint32 value;

  memcpy (&value, bytes + 4 * word, sizeof value);
  return value;
}

static guint32
value_of_word (guint word)
{
  return (guint32) half_of (2 * word + 1) << 16 | half_of (2 * word);
}

/* Plain bytes that come to what is there; each waits for the store before it. */
static void
test_reduction (gconstpointer data)
{
  const Reduction *reduction = data;
  g_autofree char *start = g_strdup_printf ("mov.u32 %%r3, 0x%x;\n", reduction->start);
  g_autofree char *body = g_strconcat (start,
      "mul.wide.u32 %copy, %t, 4; add.u64 %copy, %copy, %out; st.global.u32 [%copy], %r3; st.global.u32 "
      "[%copy+256], %r3;\n" FENCED "@%first cp.reduce.async.bulk.global.shared::cta.bulk_group.",
      reduction->operation, " [%out], [%tile], 512;\n" COMMIT WAIT, NULL);

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *plain = g_malloc (TILE_BYTES);
      guint16 array[ELEMENTS];

      run (body, 0, 64, 8, &hows[h], array, plain, &error);
      g_assert_no_error (error);
      for (guint word = 0; word < 128; word++)
        g_assert_cmphex (
            word_at (plain, word), ==, reduction->expected (reduction->start, value_of_word (word)));
    }
}

/* A box twice: what lies outside of the array is left out. Halves 1 to 512 as f16 are multiples of 2^-24, so that twice their sum with 0 is their double. */
static void
test_reduced_box (void)
{
  static const char body[] = FENCED
      "@%first tensormap.replace.tile.elemtype.global.b1024.b32 [%out+8192], 6;\n@%first "
      "fence.proxy.tensormap::generic.acquire.gpu [%out+8192], 128;\nadd.u64 %copy, %out, 8192;\n" STORE (
          "40, 17") COMMIT WAIT
      "@%first cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%copy, {40, 17}], "
      "[%tile];\n" COMMIT WAIT;

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autoptr (GError) error = NULL;
      guint16 array[ELEMENTS];

      run (body, 0, 64, 8, &hows[h], array, NULL, &error);
      g_assert_no_error (error);
      for (guint row = 0; row < ROWS; row++)
        for (guint column = 0; column < COLUMNS; column++)
          g_assert_cmphex (array[row * COLUMNS + column], ==,
              row >= 17 && column >= 40 ? 2 * half_of ((row - 17) * 64 + column - 40) : UNTOUCHED);
    }
}

/* Sectors of 32 bytes. Row r of the array begins at byte 144 r, and the array at a multiple of 256: of columns 8 to 15, 16 bytes each, rows begin at byte 16 of a
 * sector in even rows and at its beginning in odd ones, and each touches one. */
static void
test_sectors (void)
{
  static const struct
  {
    guint columns, rows;
    const char *at;
    guint sectors, least;
  } cases[] = {
    { 8, 8, "8, 0", 8, 4 },
    /* 32 bytes from 16 on: two sectors in even rows; from 160 on, one in odd ones */
    { 16, 8, "8, 0", 12, 8 },
    /* rows of 144 bytes without gaps: 8 rows are 1152 bytes, 36 sectors, and where one row ends amid a sector the next begins in the same */
    { 72, 8, "0, 0", 36, 36 },
    /* the last row, and 16 bytes of it */
    { 64, 8, "64, 23", 1, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *body
          = g_strconcat (FENCED "@%first cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%map, {",
              cases[i].at, "}], [%tile];\n" COMMIT WAIT, NULL);
      g_autoptr (GError) error = NULL;
      guint16 array[ELEMENTS];
      HeddlePtxStats stats = { 0 };

      run_counted (body, 0, (guint16) cases[i].columns, (guint16) cases[i].rows, &hows[0], array, NULL,
          &stats, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (stats.global_sectors_written, ==, cases[i].sectors);
      g_assert_cmpuint (stats.global_sectors_least, ==, cases[i].least);
      g_assert_cmpuint (stats.global_sectors_read, ==, 0);
    }
}

typedef struct
{
  const char *name, *body;
  int code;
  const char *word;
} Fault;

static const Fault faults[] = {
  { "not-fenced", "bar.sync 0;\n" STORE ("0, 0") COMMIT WAIT, HEDDLE_PTX_ERROR_RACE, "no fence.proxy.async" },
  { "not-committed", FENCED STORE ("0, 0") WAIT, HEDDLE_PTX_ERROR_RACE, "may still read shared memory" },
  { "not-waited-for", FENCED STORE ("0, 0") COMMIT, HEDDLE_PTX_ERROR_RACE, "may still read shared memory" },
  { "weak-wait", FENCED STORE ("0, 0") COMMIT "@%first cp.async.bulk.wait_group 1;\n", HEDDLE_PTX_ERROR_RACE,
      "may still read shared memory" },
  /* another warp writes over what may still be read */
  { "overwritten",
      FENCED STORE ("0, 0") COMMIT
      "bar.sync 0;\nsetp.eq.u32 %p, %t, 32;\n@%p st.shared.u32 [%tile], 0;\nbar.sync 0;\n" WAIT,
      HEDDLE_PTX_ERROR_RACE, NULL },
  { "other-rank",
      FENCED "@%first cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%map, {0, 0, 0}], [%tile];\n",
      HEDDLE_PTX_ERROR_ACCESS, "no tensor map of 3 axes" },
  { "unaligned",
      FENCED "@%first cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {0, 0}], [%tile+64];\n",
      HEDDLE_PTX_ERROR_ACCESS, "multiple of 128" },
  { "part-of-a-piece", FENCED "@%first cp.async.bulk.global.shared::cta.bulk_group [%out], [%tile], 24;\n",
      HEDDLE_PTX_ERROR_ACCESS, "multiple of 16" },
  { "a-map-that-is-none",
      FENCED "add.u64 %copy, %out, 8192;\n@%first tensormap.replace.tile.box_dim.global.b1024.b32 [%copy], "
             "0, 5;\n@%first fence.proxy.tensormap::generic.acquire.gpu [%copy], 128;\n@%first "
             "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%copy, {0, 0}], [%tile];\n",
      HEDDLE_PTX_ERROR_ACCESS, "its tensor map is none" },
  { "a-map-that-is-not-acquired",
      FENCED "add.u64 %copy, %out, 8192;\n@%first tensormap.replace.tile.box_dim.global.b1024.b32 [%copy], "
             "0, 64;\n@%first "
             "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%copy, {0, 0}], [%tile];\n",
      HEDDLE_PTX_ERROR_RACE, "no fence.proxy.tensormap::generic.acquire" },
  /* the map says f16, which has sums alone */
  { "combined-as-it-cannot-be",
      FENCED "@%first cp.reduce.async.bulk.tensor.2d.global.shared::cta.and.tile.bulk_group [%map, {0, 0}], "
             "[%tile];\n" COMMIT WAIT,
      HEDDLE_PTX_ERROR_UNKNOWN, "type 6" },
  { "combined-unfenced",
      "bar.sync 0;\n@%first cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%map, {0, 0}], "
      "[%tile];\n" COMMIT WAIT,
      HEDDLE_PTX_ERROR_RACE, "no fence.proxy.async" },
  { "a-fill-that-is-unknown",
      "add.u64 %copy, %out, 8192;\n@%first tensormap.replace.tile.fill_mode.global.b1024.b32 [%copy], 1;\n",
      HEDDLE_PTX_ERROR_UNKNOWN, "an unknown kind" },
};

static void
test_fault (gconstpointer data)
{
  const Fault *fault = data;
  const char *words[] = { fault->word, NULL };
  g_autoptr (GError) error = NULL;
  guint16 array[ELEMENTS];

  g_assert_false (run (fault->body, 0, 64, 8, &hows[0], array, NULL, &error));
  ptx_case_assert_error (error, fault->code, words);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/store/", boxes[i].name, NULL);

      g_test_add_data_func (path, &boxes[i], test_box);
    }
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/store/refused/", faults[i].name, NULL);

      g_test_add_data_func (path, &faults[i], test_fault);
    }
  g_test_add_func ("/ptx/store/in-other-words", test_rights);
  g_test_add_func ("/ptx/store/bytes", test_bytes);
  for (guint i = 0; i < G_N_ELEMENTS (reductions); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/store/reduced/", reductions[i].operation, NULL);

      g_test_add_data_func (path, &reductions[i], test_reduction);
    }
  g_test_add_func ("/ptx/store/reduced/box", test_reduced_box);
  g_test_add_func ("/ptx/store/sectors", test_sectors);
  return g_test_run ();
}
