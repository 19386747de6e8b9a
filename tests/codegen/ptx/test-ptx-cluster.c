/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/instructions/tensor-map.h"

/* Clusters of blocks. Numbers of blocks, and what each sees of the others, are worked out here from the sections "Special Registers", "mapa",
 * "barrier.cluster" and "cp.async.bulk.tensor" of the PTX ISA 9.0. Nobody ran these on hardware. */

#define THREADS 64
#define BLOCKS 4
#define MAP_ROWS 16

typedef struct
{
  const char *name, *body;
  guint32 expected[BLOCKS]; /* of each block's threads */
} Right;

/* The own shared memory has `cell`, two barriers and a tile; %peer is the other block of a cluster of two, whose cell is at %far. */
#define BEGIN                                                                                                \
  ".reg .b64 %out, %map, %wide; .reg .b32 %t, %b, %rank, %peer, %far, %bar, %tile, %r<8>; .reg .b16 %mask; " \
  ".reg .pred %first, %p, %q;\n.shared .align 1024 .b8 tile[1024];\n.shared .align 8 .b8 bar[16];\n"         \
  ".shared .align 4 .b8 cell[4];\n"                                                                          \
  "mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %rank, %cluster_ctarank; xor.b32 %peer, %rank, 1;\n"    \
  "mov.u32 %bar, bar; mov.u32 %tile, tile; mov.u32 %r0, cell; mapa.shared::cluster.u32 %far, %r0, %peer;\n"  \
  "setp.eq.u32 %first, %t, 0; mov.b64 %map, map; cvta.param.u64 %map, %map;\n"
#define END                                                                                                  \
  "\nld.param.u64 %out, [out]; mad.lo.u32 %r7, %b, 64, %t; mul.wide.u32 %wide, %r7, 4; add.u64 %out, %out, " \
  "%wide;\nst.global.u32 [%out], %r1;\nret;"
#define MEET "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
#define WAIT "W: mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0;\n@!%p bra W;\n"
#define INIT(count) "@%first mbarrier.init.shared::cta.b64 [%bar], " #count ";\n"
#define FAR_BAR(rank) "mapa.shared::cluster.u32 %r3, %bar, " rank ";\n"
#define COPY(mask)                                                                                           \
  "mov.b16 %mask, " #mask ";\nsetp.eq.u32 %q, %rank, 0;\nand.pred %q, %q, %first;\n"                         \
  "@%q cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster " \
  "[%tile], [%map, {0, 8}], [%bar], %mask;\n"

static const Right rights[] = {
  { "rank", "mad.lo.u32 %r1, %rank, 10, 0; mov.u32 %r2, %cluster_nctarank; add.u32 %r1, %r1, %r2;",
      { 2, 12, 2, 12 } },
  { "identity",
      "mov.u32 %r1, %clusterid.x; mov.u32 %r2, %nclusterid.x; mad.lo.u32 %r1, %r1, 10, %r2; mov.u32 %r2, "
      "%cluster_ctaid.x; mad.lo.u32 %r1, %r1, 10, %r2; mov.u32 %r2, %cluster_nctaid.x; mad.lo.u32 %r1, %r1, "
      "10, %r2;",
      { 202, 212, 1202, 1212 } },
  { "rank-of-address", "getctarank.shared::cluster.u32 %r1, %far; add.u32 %r1, %r1, 5;", { 6, 5, 6, 5 } },
  { "reads-the-other",
      "@%first st.shared.u32 [cell], %b;\n" MEET "ld.shared::cluster.u32 %r1, [%far];\n" MEET,
      { 1, 0, 3, 2 } },
  /* a generic address of the other block */
  { "reads-the-other-generically",
      "@%first st.shared.u32 [cell], %b;\n" MEET
      "mov.b64 %wide, cell; cvta.shared.u64 %wide, %wide; mapa.u64 %wide, "
      "%wide, %peer; ld.u32 %r1, [%wide];\n" MEET,
      { 1, 0, 3, 2 } },
  { "writes-to-the-other",
      "@%first st.shared.u32 [cell], 9;\n" MEET
      "add.u32 %r2, %b, 5; @%first st.shared::cluster.u32 [%far], %r2;\n" MEET "ld.shared.u32 %r1, [cell];",
      { 6, 5, 8, 7 } },
  { "arrives-at-the-other",
      INIT (64) "fence.mbarrier_init.release.cluster;\n" MEET
                "@%first st.shared::cluster.u32 [%far], %b;\nbar.sync 0;\n" FAR_BAR (
                    "%peer") "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];\n" WAIT
                             "ld.shared.u32 %r1, [cell];\n" MEET,
      { 1, 0, 3, 2 } },
  /* what a relaxed arrival passes on, a fence before it has put before */
  { "fence-and-relaxed",
      "@%first st.shared.u32 [cell], %b;\nfence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed.aligned;\n"
      "barrier.cluster.wait.acquire.aligned;\nld.shared::cluster.u32 %r1, [%far];\n" MEET,
      { 1, 0, 3, 2 } },
  /* threads that have ended need not come */
  { "some-have-ended",
      "mov.u32 %r1, 7;\nsetp.ge.u32 %p, %t, 32;\n@%p bra "
      "DONE;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nDONE:",
      { 7, 7, 7, 7 } },
  /* row 8 of an array of 64 columns begins with element 512: value 513 */
  { "multicast",
      INIT (1) "fence.mbarrier_init.release.cluster;\n" MEET
               "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 1024;\n" COPY (3) WAIT
      "ld.shared.u16 %r1, [%tile];\nadd.u32 %r1, %r1, %b;\n" MEET,
      { 513, 514, 515, 516 } },
  /* what a thread sends to the other block, with the bytes that it is */
  { "sends-to-the-other",
      INIT (1) "fence.mbarrier_init.release.cluster;\n@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
               "[%bar], 8;\n" MEET FAR_BAR (
                   "%peer") "mov.u32 %r4, tile; mapa.shared::cluster.u32 %r4, %r4, "
                            "%peer; add.u32 %r5, %b, 7;\n"
                            "@%first st.async.shared::cluster.mbarrier::complete_tx::"
                            "bytes.v2.u32 [%r4+8], {%b, %r5}, [%r3];\n" WAIT
                            "ld.shared.u32 %r1, [tile+8]; ld.shared.u32 %r2, [tile+12]; mad.lo.u32 %r1, %r1, "
                            "100, %r2;\n" MEET,
      { 108, 7, 310, 209 } },
  { "copies-to-the-other",
      INIT (1) "fence.mbarrier_init.release.cluster;\n@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
               "[%bar], 16;\n@%first st.shared.u32 [tile+512], %b; @%first st.shared.u32 [tile+516], 3; "
               "@%first "
               "st.shared.u32 [tile+520], 4; @%first st.shared.u32 [tile+524], "
               "5;\nfence.proxy.async.shared::cta;\n" MEET FAR_BAR (
                   "%peer") "mov.u32 %r4, tile; mapa.shared::cluster.u32 %r4, %r4, %peer;\n"
                            "@%first cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                            "[%r4], [tile+512], 16, [%r3];\n" WAIT
                            "ld.shared.u32 %r1, [tile]; ld.shared.u32 %r2, [tile+12]; mad.lo.u32 %r1, %r1, "
                            "100, %r2;\n" MEET,
      { 105, 5, 305, 205 } },
  { "multicast-to-one",
      INIT (1) "fence.mbarrier_init.release.cluster;\n" MEET
               "setp.eq.u32 %p, %rank, 1; and.pred %p, %p, %first;\n@%p "
               "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], "
               "1024;\n" COPY (2) "mov.u32 %r1, 0;\nsetp.eq.u32 %p, %rank, 0;\n@%p bra DONE;\n" WAIT
                                  "ld.shared.u16 %r1, [%tile+2];\nDONE:\n" MEET,
      { 0, 514, 0, 514 } },
};

static gboolean
run_counted (const char *body, const char *directive, const guint cluster[3], HeddlePtxCompletion completion,
    guint64 seed, guint32 *out, HeddlePtxStats *stats, GError **error)
{
  g_autofree char *text = g_strconcat (".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k "
                                       "(.param .u64 out, .param .align 64 .b8 map[128]) ",
      directive, "\n{\n" BEGIN, body, END "\n}\n", NULL);
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, error);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { BLOCKS, 1, 1 },
    .block = { THREADS, 1, 1 },
    .cluster = { cluster[0], cluster[1], cluster[2] },
    .seed = seed,
    .completion = completion,
    .check_races = TRUE };
  HeddlePtxTensorMap map
      = { .sizes = { 64, MAP_ROWS }, .strides = { 128 }, .box = { 64, 8 }, .element_bytes = 2, .rank = 2 };
  guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES];
  guint16 array[64 * MAP_ROWS];
  guint64 to;
  const HeddlePtxArgument arguments[] = { { &to, sizeof to }, { bytes, sizeof bytes } };

  if (module == NULL)
    return FALSE;
  to = heddle_ptx_memory_allocate (memory, "out", 4 * BLOCKS * THREADS, error);
  map.address = heddle_ptx_memory_allocate (memory, "array", sizeof array, error);
  for (guint i = 0; i < G_N_ELEMENTS (array); i++)
    array[i] = (guint16) (i + 1);
  heddle_ptx_memory_write (memory, map.address, array, sizeof array, error);
  return heddle_ptx_tensor_map_encode (&map, bytes, error)
         && heddle_ptx_launch (module, "k", memory, &config, arguments, 2, NULL, stats, error)
         && heddle_ptx_memory_read (memory, to, out, 4 * BLOCKS * THREADS, error);
}

static gboolean
run (const char *body, const char *directive, const guint cluster[3], HeddlePtxCompletion completion,
    guint64 seed, guint32 *out, GError **error)
{
  return run_counted (body, directive, cluster, completion, seed, out, NULL, error);
}

static const guint pairs[3] = { 2, 1, 1 }, as_it_says[3] = { 0 };

static void
test_right (gconstpointer data)
{
  const Right *row = data;

  for (guint how = 0; how < 5; how++)
    {
      g_autoptr (GError) error = NULL;
      guint32 out[BLOCKS * THREADS];

      run (row->body, "", pairs, how < 3 ? (HeddlePtxCompletion) how : HEDDLE_PTX_DRAWN, how, out, &error);
      g_assert_no_error (error);
      for (guint i = 0; i < G_N_ELEMENTS (out); i++)
        g_assert_cmpuint (out[i], ==, row->expected[i / THREADS]);
    }
}

/* The kernel may say itself how many blocks a cluster has. */
static void
test_of_kernel (void)
{
  g_autoptr (GError) error = NULL;
  guint32 out[BLOCKS * THREADS];
  const char *words[] = { "requires clusters of 2", NULL };
  const guint fours[3] = { 4, 1, 1 };

  run (rights[0].body, ".explicitcluster .reqnctapercluster 2, 1, 1", as_it_says, HEDDLE_PTX_LATE, 0, out,
      &error);
  g_assert_no_error (error);
  g_assert_cmpuint (out[THREADS], ==, 12);
  g_assert_false (run (
      rights[0].body, ".explicitcluster .reqnctapercluster 2, 1, 1", fours, HEDDLE_PTX_LATE, 0, out, &error));
  ptx_case_assert_error (error, HEDDLE_PTX_ERROR_ARGUMENT, words);
}

/* A box of 8 rows of 128 bytes, 32 sectors, is read once for both blocks of each of the two clusters. */
static void
test_read_once (void)
{
  static const char body[]
      = INIT (1) "fence.mbarrier_init.release.cluster;\n" MEET
                 "@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 1024;\n" COPY (3) WAIT MEET
      "mov.u32 %r1, 0;";
  g_autoptr (GError) error = NULL;
  guint32 out[BLOCKS * THREADS];
  HeddlePtxStats stats = { 0 };

  run_counted (body, "", pairs, HEDDLE_PTX_LATE, 0, out, &stats, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stats.global_sectors_read, ==, 64);
}

typedef struct
{
  const char *name, *body;
  int code;
  const char *word;
} Fault;

static const Fault faults[] = {
  { "not-met", "@%first st.shared.u32 [cell], %b;\nld.shared::cluster.u32 %r1, [%far];\n" MEET,
      HEDDLE_PTX_ERROR_RACE, "race" },
  { "relaxed",
      "@%first st.shared.u32 [cell], "
      "%b;\nbarrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n"
      "ld.shared::cluster.u32 %r1, [%far];\n" MEET,
      HEDDLE_PTX_ERROR_RACE, "wrote it" },
  /* the write comes behind the arrival */
  { "between",
      "barrier.cluster.arrive.aligned;\n@%first st.shared.u32 [cell], %b;\nbarrier.cluster.wait.aligned;\n"
      "ld.shared::cluster.u32 %r1, [%far];\n" MEET,
      HEDDLE_PTX_ERROR_RACE, "wrote it" },
  { "arrives-twice", "barrier.cluster.arrive;\nbarrier.cluster.arrive;\n", HEDDLE_PTX_ERROR_TRAP,
      "arrived at the cluster's barrier already" },
  { "waits-alone", "barrier.cluster.wait;\n", HEDDLE_PTX_ERROR_TRAP, "without having arrived" },
  { "one-does-not-come",
      "setp.eq.u32 %p, %rank, 1;\n@%p bra ON;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nON: @%p "
      "bar.sync 1, 96;\n",
      HEDDLE_PTX_ERROR_DEADLOCK, "a deadlock" },
  /* in whichever order: the first block reads when the second has ended, or the second one when the first has */
  { "the-other-has-ended", "ld.shared::cluster.u32 %r1, [%far];\n", HEDDLE_PTX_ERROR_ACCESS,
      "of the cluster has ended" },
  /* far outside, in no window of the cluster */
  { "wild-address", "add.u32 %r2, %tile, 0x1000000;\nld.shared.u32 %r1, [%r2];", HEDDLE_PTX_ERROR_ACCESS,
      "a read of 4 bytes" },
  { "no-such-block", "mapa.shared::cluster.u32 %r1, %bar, 2;", HEDDLE_PTX_ERROR_TRAP,
      "block 2 of a cluster of 2" },
  { "multicast-beyond", INIT (1) MEET COPY (4) MEET, HEDDLE_PTX_ERROR_TRAP, "blocks 0x4 of a cluster of 2" },
  { "multicast-not-expected",
      INIT (1) MEET
      "setp.eq.u32 %p, %rank, 0; and.pred %p, %p, %first;\n@%p mbarrier.arrive.expect_tx.shared::cta.b64 "
      "_, [%bar], 1024;\n@%first mbarrier.arrive.shared::cta.b64 _, [%bar];\n" COPY (3) WAIT MEET,
      -1, NULL },
};

static void
test_fault (gconstpointer data)
{
  const Fault *fault = data;
  const char *words[] = { fault->word, NULL };

  for (guint how = 0; how < 3; how++)
    {
      g_autoptr (GError) error = NULL;
      guint32 out[BLOCKS * THREADS];

      g_assert_false (run (fault->body, "", pairs, (HeddlePtxCompletion) how, how, out, &error));
      if (fault->code >= 0)
        ptx_case_assert_error (error, fault->code, words);
    }
}

static void
test_sizes (void)
{
  static const guint clusters[][3] = { { 3, 1, 1 }, { 1, 2, 1 }, { 32, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (clusters); i++)
    {
      g_autoptr (GError) error = NULL;
      guint32 out[BLOCKS * THREADS];

      g_assert_false (run (rights[0].body, "", clusters[i], HEDDLE_PTX_LATE, 0, out, &error));
      g_assert_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_ARGUMENT);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rights); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/cluster/", rights[i].name, NULL);

      g_test_add_data_func (path, &rights[i], test_right);
    }
  g_test_add_func ("/ptx/cluster/read-once", test_read_once);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/cluster/refused/", faults[i].name, NULL);

      g_test_add_data_func (path, &faults[i], test_fault);
    }
  g_test_add_func ("/ptx/cluster/of-kernel", test_of_kernel);
  g_test_add_func ("/ptx/cluster/refused/sizes", test_sizes);
  return g_test_run ();
}
