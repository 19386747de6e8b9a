/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/traffic.h"

/* Threads, warps and blocks together. Every kernel here stores one word per thread, at out[thread]. */
#define HEAD                                                                                                 \
  ".reg .pred %p, %q; .reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .b32 %tid;\n"                                 \
  "ld.param.u64 %rd0, [out]; mov.u32 %tid, %tid.x;\n"
#define STORE(value)                                                                                         \
  "mul.wide.u32 %rd1, %tid, 4; add.s64 %rd2, %rd0, %rd1; st.global.u32 [%rd2], " value "; ret;\n"

#define MOST_THREADS 128

static HeddlePtxStats last_stats;

static void
run_kernel (const char *body, const HeddlePtxLaunch *config, guint32 *out)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 out", body);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  guint threads = config->block[0];
  guint64 address = heddle_ptx_memory_allocate (memory, "out", threads * 4, &error);
  g_assert_no_error (error);
  ptx_case_launch (module, memory, config, &address, 1, &last_stats, &error);
  g_assert_no_error (error);
  heddle_ptx_memory_read (memory, address, out, threads * 4, &error);
  g_assert_no_error (error);
}

static void
run_threads (const char *body, guint threads, guint64 seed, guint32 *out)
{
  const HeddlePtxLaunch config
      = { .grid = { 1, 1, 1 }, .block = { threads, 1, 1 }, .seed = seed, .check_races = TRUE };
  run_kernel (body, &config, out);
}

static void
test_special_registers (void)
{
  guint32 out[MOST_THREADS];
  run_threads (HEAD
      "mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; mov.u32 %r3, %ntid.x; mov.u32 %r4, %lanemask_lt;"
      "popc.b32 %r4, %r4; mad.lo.u32 %r5, %r2, 1000, %r1; mad.lo.u32 %r5, %r3, 100000, %r5;"
      "sub.u32 %r6, %r1, %r4; add.u32 %r5, %r5, %r6;" STORE ("%r5"),
      70, 0, out);
  for (guint i = 0; i < 70; i++)
    g_assert_cmpuint (out[i], ==, 70 * 100000 + i / 32 * 1000 + i % 32);
}

/* Blocks and threads in three dimensions: out[linear] = its coordinates, packed. */
static void
test_dimensions (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 out",
      ".reg .b32 %r<30>; .reg .b64 %rd<4>;\n"
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ctaid.x; mov.u32 %r5, "
      "%ctaid.y;"
      "mov.u32 %r6, %ctaid.z; mov.u32 %r7, %nctaid.x; mov.u32 %r8, %nctaid.y; mov.u32 %r9, %nctaid.z;"
      "mad.lo.u32 %r10, %r6, %r8, %r5; mad.lo.u32 %r10, %r10, %r7, %r4;"
      "mov.u32 %r11, %ntid.x; mov.u32 %r12, %ntid.y; mov.u32 %r13, %ntid.z;"
      "mad.lo.u32 %r14, %r3, %r12, %r2; mad.lo.u32 %r14, %r14, %r11, %r1;"
      "mul.lo.u32 %r15, %r11, %r12; mul.lo.u32 %r15, %r15, %r13; mad.lo.u32 %r16, %r10, %r15, %r14;"
      "shl.b32 %r17, %r6, 4; or.b32 %r17, %r17, %r5; shl.b32 %r17, %r17, 4; or.b32 %r17, %r17, %r4;"
      "shl.b32 %r17, %r17, 4; or.b32 %r17, %r17, %r3; shl.b32 %r17, %r17, 4; or.b32 %r17, %r17, %r2;"
      "shl.b32 %r17, %r17, 4; or.b32 %r17, %r17, %r1; shl.b32 %r18, %r9, 24; or.b32 %r17, %r17, %r18;"
      "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r16, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], "
      "%r17;");
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 3, 2, 2 }, .block = { 4, 3, 2 } };
  guint32 out[12 * 24];
  guint64 address = heddle_ptx_memory_allocate (memory, "out", sizeof out, &error);
  g_assert_no_error (error);
  ptx_case_launch (module, memory, &config, &address, 1, NULL, &error);
  g_assert_no_error (error);
  heddle_ptx_memory_read (memory, address, out, sizeof out, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (out); i++)
    {
      guint b = i / 24, t = i % 24;
      guint expected
          = 2u << 24 | b / 6 << 20 | b / 3 % 2 << 16 | b % 3 << 12 | t / 12 << 8 | t / 4 % 3 << 4 | t % 4;
      g_assert_cmphex (out[i], ==, expected);
    }
}

/* Lanes loop as often as their number says, and meet again behind the loop: the vote then sees all of them. */
static void
test_divergence (void)
{
  guint32 out[MOST_THREADS];
  run_threads (HEAD
      "mov.u32 %r1, 0; mov.u32 %r2, 0;\n"
      "$loop: setp.ge.u32 %p, %r1, %tid; @%p bra $done; add.u32 %r2, %r2, %r1; add.u32 %r1, %r1, 1;"
      "bra $loop;\n$done: activemask.b32 %r3; popc.b32 %r3, %r3; mad.lo.u32 %r4, %r3, 1000, %r2;" STORE (
          "%r4"),
      32, 0, out);
  for (guint i = 0; i < 32; i++)
    g_assert_cmpuint (out[i], ==, 32000 + i * (i - 1) / 2);
}

static void
test_branch_table (void)
{
  guint32 out[MOST_THREADS];
  run_threads (HEAD
      "rem.u32 %r1, %tid, 3;\n$table: .branchtargets $a, $b, $c;\nbrx.idx %r1, $table;\n"
      "$a: mov.u32 %r2, 10; bra.uni $end;\n$b: mov.u32 %r2, 20; bra.uni $end;\n"
      "$c: mov.u32 %r2, 30;\n$end: activemask.b32 %r3; popc.b32 %r3, %r3; add.u32 %r2, %r2, %r3;" STORE (
          "%r2"),
      32, 0, out);
  for (guint i = 0; i < 32; i++)
    g_assert_cmpuint (out[i], ==, (i % 3 + 1) * 10 + 32);
}

static const PtxCase shuffles[] = {
  { "shfl.sync.bfly.b32 %r2|%p, %tid, 3, 31, -1;", "", { 0 }, 0 },
  { "shfl.sync.up.b32 %r2|%p, %tid, 2, 0, -1;", "", { 0 }, 1 },
  { "shfl.sync.down.b32 %r2|%p, %tid, 5, 31, -1;", "", { 0 }, 2 },
  { "shfl.sync.idx.b32 %r2|%p, %tid, 7, 31, -1;", "", { 0 }, 3 },
  /* Segments of eight lanes: c = (32 - 8) << 8 | 7, and for up a clamp of 0. */
  { "shfl.sync.down.b32 %r2|%p, %tid, 5, 0x1807, -1;", "", { 0 }, 4 },
  { "shfl.sync.up.b32 %r2|%p, %tid, 5, 0x1800, -1;", "", { 0 }, 5 },
  { "shfl.sync.idx.b32 %r2|%p, %tid, 9, 0x1807, -1;", "", { 0 }, 6 },
  { "shfl.sync.bfly.b32 %r2|%p, %tid, 16, 0x1807, -1;", "", { 0 }, 7 },
};

/* What lane i reads in the case of that number, and whether it lies inside its segment. */
static guint
expected_shuffle (guint number, guint i, gboolean *inside)
{
  const guint sources[] = { i ^ 3, i - 2, i + 5, 7, i + 5, i - 5, (i & 24) | 1, i ^ 16 };
  const gboolean insides[]
      = { TRUE, i >= 2, i + 5 <= 31, TRUE, i % 8 + 5 <= 7, i % 8 >= 5, TRUE, (i ^ 16) <= (i | 7) };
  *inside = insides[number];
  return insides[number] ? sources[number] : i;
}

static void
test_shuffle (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (shuffles); k++)
    {
      guint32 out[MOST_THREADS];
      g_autofree char *body = g_strconcat (
          HEAD, shuffles[k].code, "selp.u32 %r3, 1000, 0, %p; add.u32 %r3, %r3, %r2;", STORE ("%r3"), NULL);
      run_threads (body, 32, 0, out);
      for (guint i = 0; i < 32; i++)
        {
          gboolean inside;
          guint value = expected_shuffle (k, i, &inside);
          g_assert_cmpuint (out[i], ==, value + (inside ? 1000 : 0));
        }
    }
}

typedef struct
{
  const char *code;
  guint32 even;
  guint32 odd;
} Vote;

/* The predicate is "odd lane" unless the code says otherwise; results of even and of odd lanes. */
static void
test_votes (void)
{
  static const Vote votes[] = {
    { "vote.sync.ballot.b32 %r2, %p, -1;", 0xaaaaaaaa, 0xaaaaaaaa },
    { "vote.sync.ballot.b32 %r2, !%p, -1;", 0x55555555, 0x55555555 },
    { "vote.sync.any.pred %q, %p, -1; selp.u32 %r2, 1, 0, %q;", 1, 1 },
    { "vote.sync.all.pred %q, %p, -1; selp.u32 %r2, 1, 0, %q;", 0, 0 },
    { "vote.sync.uni.pred %q, %p, -1; selp.u32 %r2, 1, 0, %q;", 0, 0 },
    { "@%p vote.sync.ballot.b32 %r2, 1, 0xaaaaaaaa; @!%p mov.u32 %r2, 9;", 9, 0xaaaaaaaa },
    { "selp.u32 %r3, 5, 6, %p; match.any.sync.b32 %r2, %r3, -1;", 0x55555555, 0xaaaaaaaa },
    { "match.all.sync.b32 %r2|%q, 7, -1;", G_MAXUINT32, G_MAXUINT32 },
    { "selp.u32 %r3, 5, 6, %p; match.all.sync.b32 %r2|%q, %r3, -1;", 0, 0 },
    { "redux.sync.add.u32 %r2, %tid, -1;", 496, 496 },
    { "redux.sync.max.u32 %r2, %tid, -1;", 31, 31 },
    { "sub.s32 %r3, 5, %tid; redux.sync.min.s32 %r2, %r3, -1;", (guint32) -26, (guint32) -26 },
    { "redux.sync.xor.b32 %r2, %tid, -1;", 0, 0 },
    { "redux.sync.and.b32 %r2, 12, -1;", 12, 12 },
    { "bar.warp.sync -1; activemask.b32 %r2;", G_MAXUINT32, G_MAXUINT32 },
    /* Apart, each half names only itself; together again at the barrier of the warp. */
    { "@%p bra $odd; vote.sync.ballot.b32 %r2, 1, 0x55555555; bra $met; $odd: "
      "vote.sync.ballot.b32 %r2, 1, 0xaaaaaaaa; $met: bar.warp.sync -1;",
        0x55555555, 0xaaaaaaaa },
  };
  for (guint k = 0; k < G_N_ELEMENTS (votes); k++)
    {
      guint32 out[MOST_THREADS];
      g_autofree char *body = g_strconcat (
          HEAD, "and.b32 %r1, %tid, 1; setp.ne.u32 %p, %r1, 0;", votes[k].code, STORE ("%r2"), NULL);
      run_threads (body, 32, 0, out);
      for (guint i = 0; i < 32; i++)
        g_assert_cmphex (out[i], ==, i % 2 != 0 ? votes[k].odd : votes[k].even);
    }
}

typedef struct
{
  const char *code;
  guint32 start;
  guint32 end;
} Atomic;

/* Every thread of 64 performs the operation once on one word of shared memory. */
static void
test_atomics (void)
{
  static const Atomic atomics[] = {
    { "atom.shared.add.u32 %r2, [word], 2;", 1, 129 },
    { "red.shared.add.u32 [word], %tid;", 0, 2016 },
    { "atom.shared.max.s32 %r2, [word], %tid;", (guint32) -5, 63 },
    { "atom.shared.max.u32 %r2, [word], %tid;", (guint32) -5, (guint32) -5 },
    { "atom.shared.min.s32 %r2, [word], %tid;", 7, 0 },
    { "atom.shared.inc.u32 %r2, [word], 6;", 0, 64 % 7 },
    { "atom.shared.dec.u32 %r2, [word], 6;", 0, (7 - 64 % 7) % 7 },
    { "shl.b32 %r3, 1, %tid; atom.shared.or.b32 %r2, [word], %r3;", 0, G_MAXUINT32 },
    { "shl.b32 %r3, 1, %tid; atom.shared.xor.b32 %r2, [word], %r3;", 5, (guint32) ~5 },
    { "not.b32 %r3, %tid; atom.shared.and.b32 %r2, [word], %r3;", 0xff, 0xc0 },
    { "atom.shared.exch.b32 %r2, [word], 11;", 5, 11 },
    { "atom.shared.cas.b32 %r2, [word], %tid, %tid;", 5, 5 },
    { "setp.lt.u32 %q, %tid, 32; add.u32 %r3, %tid, 1; @%q atom.shared.cas.b32 %r2, [word], %tid, %r3;", 0,
        32 },
    { "atom.shared.add.f32 %r2, [word], 0f3F800000;", 0, 0x42800000 },
    { "mov.b32 %r3, 0x3c004000; atom.shared.add.noftz.f16x2 %r2, [word], %r3;", 0, 0x54005800 },
    { "mov.u64 %rd3, word; cvta.shared.u64 %rd3, %rd3; atom.acq_rel.gpu.add.u32 %r2, [%rd3], 1;", 0, 64 },
  };
  for (guint k = 0; k < G_N_ELEMENTS (atomics); k++)
    {
      guint32 out[MOST_THREADS];
      g_autofree char *start = g_strdup_printf (
          "setp.eq.u32 %%p, %%tid, 0; @%%p st.shared.u32 [word], %u; bar.sync 0;", atomics[k].start);
      g_autofree char *body = g_strconcat (".shared .align 4 .u32 word;", HEAD, start, atomics[k].code,
          "bar.sync 0; ld.shared.u32 %r4, [word];", STORE ("%r4"), NULL);
      run_threads (body, 64, 0, out);
      for (guint i = 0; i < 64; i++)
        g_assert_cmphex (out[i], ==, atomics[k].end);
    }
}

/* Each thread writes a word and, behind a barrier, reads that of the thread on the far side. */
static void
test_barrier (void)
{
  for (guint64 seed = 0; seed < 6; seed++)
    {
      guint32 out[MOST_THREADS];
      run_threads (".shared .align 4 .b8 area[512];" HEAD
                   "mov.u32 %r1, area; shl.b32 %r2, %tid, 2; add.u32 %r3, %r1, %r2; mul.lo.u32 %r4, %tid, 7;"
                   "st.shared.u32 [%r3], %r4; bar.sync 0; xor.b32 %r2, %r2, 508; add.u32 %r3, %r1, %r2;"
                   "ld.shared.u32 %r5, [%r3];" STORE ("%r5"),
          128, seed, out);
      for (guint i = 0; i < 128; i++)
        g_assert_cmpuint (out[i], ==, (127 - i) * 7);
      g_assert_cmpuint (last_stats.barriers, ==, 1);
    }
}

/* Two warps produce, two consume, with barriers of 128 threads that the producers only arrive at. */
static void
test_named_barrier (void)
{
  for (guint64 seed = 0; seed < 6; seed++)
    {
      guint32 out[MOST_THREADS];
      run_threads (".shared .align 4 .b8 area[256];" HEAD
                   "mov.u32 %r1, area; and.b32 %r6, %tid, 63; shl.b32 %r2, %r6, 2; add.u32 %r3, %r1, %r2;"
                   "setp.ge.u32 %p, %tid, 64; @%p bra $consume; mad.lo.u32 %r4, %tid, 3, 1;"
                   "st.shared.u32 [%r3], %r4; bar.arrive 1, 128; mov.u32 %r5, 0; bra $end;\n"
                   "$consume: bar.sync 1, 128; xor.b32 %r2, %r2, 252; add.u32 %r3, %r1, %r2;"
                   "ld.shared.u32 %r5, [%r3];\n$end:" STORE ("%r5"),
          128, seed, out);
      for (guint i = 0; i < 128; i++)
        g_assert_cmpuint (out[i], ==, i < 64 ? 0 : (127 - i) * 3 + 1);
    }
}

static void
test_barrier_reduction (void)
{
  guint32 out[MOST_THREADS];
  run_threads (HEAD
      "setp.lt.u32 %p, %tid, 5; bar.red.popc.u32 %r1, 0, %p; bar.red.or.pred %q, 0, %p;"
      "selp.u32 %r2, 100, 0, %q; add.u32 %r1, %r1, %r2; bar.red.and.pred %q, 0, %p;"
      "selp.u32 %r2, 1000, 0, %q; add.u32 %r1, %r1, %r2; barrier.cta.red.popc.aligned.u32 %r3, 1, !%p;"
      "mad.lo.u32 %r1, %r3, 10000, %r1;" STORE ("%r1"),
      70, 3, out);
  for (guint i = 0; i < 70; i++)
    g_assert_cmpuint (out[i], ==, 65 * 10000 + 105);
}

/* Recursion, from lanes that need different depths, and a call through a register. */
static void
test_calls (void)
{
  static const char text[]
      = ".version 9.0\n.target sm_80\n.address_size 64\n"
        ".func (.param .b32 r) triangle (.param .b32 n);\n"
        ".func (.param .b32 r) twice (.param .b32 n) { .reg .b32 %a; ld.param.u32 %a, [n]; add.u32 %a, %a, "
        "%a;"
        "st.param.b32 [r], %a; ret; }\n"
        ".func (.param .b32 r) triangle (.param .b32 n) {\n .local .align 4 .b8 keep[4]; .reg .pred %p;"
        ".reg .b32 %a<5>; ld.param.u32 %a1, [n]; mov.u32 %a2, 0; setp.eq.u32 %p, %a1, 0; @%p bra $out;\n"
        "st.local.u32 [keep], %a1; sub.u32 %a3, %a1, 1; { .param .b32 p; .param .b32 q; st.param.b32 [p], "
        "%a3;\n"
        "call.uni (q), triangle, (p); ld.param.b32 %a2, [q]; } ld.local.u32 %a4, [keep]; add.u32 %a2, %a2, "
        "%a4;\n"
        "$out: st.param.b32 [r+0], %a2; ret; }\n"
        ".global .align 8 .u64 table[2] = {triangle, twice};\n"
        ".visible .entry k (.param .u64 out) {\n" HEAD
        "{ .param .b32 p; .param .b32 q; st.param.b32 [p], %tid; call (q), triangle, (p); ld.param.b32 %r1, "
        "[q]; }\n"
        "and.b32 %r2, %tid, 1; mul.wide.u32 %rd3, %r2, 8; mov.u64 %rd4, table; add.s64 %rd4, %rd4, %rd3;\n"
        "ld.global.u64 %rd5, [%rd4]; { .param .b32 p; .param .b32 q; st.param.b32 [p], %tid;\n"
        "proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (q), %rd5, (p), proto;\n"
        "ld.param.b32 %r3, [q]; } activemask.b32 %r4; popc.b32 %r4, %r4; mad.lo.u32 %r1, %r1, 1000, %r3;\n"
        "mad.lo.u32 %r1, %r4, 10000000, %r1;" STORE ("%r1") "}\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, &error);
  g_assert_no_error (error);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };
  guint32 out[32];
  guint64 address = heddle_ptx_memory_allocate (memory, "out", sizeof out, &error);
  g_assert_true (ptx_case_launch (module, memory, &config, &address, 1, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (heddle_ptx_memory_read (memory, address, out, sizeof out, &error));
  for (guint i = 0; i < 32; i++)
    g_assert_cmpuint (
        out[i], ==, 320000000 + i * (i + 1) / 2 * 1000 + (i % 2 != 0 ? 2 * i : i * (i + 1) / 2));
}

/* Variables of the module begin anew with each launch, and leave no trace in the memory. */
static void
test_variables (void)
{
  static const char text[]
      = ".version 9.0\n.target sm_80\n.address_size 64\n.const .align 4 .f32 c[2] = {1.5, 0f40000000};\n"
        ".global .align 4 .u32 count = 40;\n.global .align 2 .b16 halves[4] = {1, -1, {2, 3}};\n"
        ".global .align 8 .u64 pointer = generic(halves)+6;\n"
        ".visible .entry k (.param .u64 out) {\n" HEAD
        "ld.const.f32 %r1, [c+4]; atom.global.add.u32 %r2, [count], 2; ld.global.u64 %rd3, [pointer];"
        "ld.u16 %r3, [%rd3]; ld.global.s16 %r4, [halves+2]; cvt.rzi.u32.f32 %r1, %r1; add.u32 %r1, %r1, %r2;"
        "add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;" STORE ("%r1") "}\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, &error);
  g_assert_no_error (error);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
  guint64 address = heddle_ptx_memory_allocate (memory, "out", 4, &error);
  for (guint i = 0; i < 3; i++)
    {
      guint32 out = 0;
      g_assert_true (ptx_case_launch (module, memory, &config, &address, 1, NULL, &error));
      g_assert_true (heddle_ptx_memory_read (memory, address, &out, 4, &error));
      g_assert_cmpuint (out, ==, 2 + 40 + 3 - 1);
    }
}

static void
test_dynamic_shared (void)
{
  static const char text[]
      = ".version 9.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 dynamic[];\n"
        ".shared .align 4 .b8 other[4096];\n"
        ".visible .entry k (.param .u64 out) {\n.shared .align 4 .b8 fixed[20];\n" HEAD
        "mov.u32 %r1, dynamic; mov.u32 %r2, fixed; sub.u32 %r3, %r1, %r2; mov.u32 %r4, %dynamic_smem_size;"
        "mad.lo.u32 %r3, %r4, 1000, %r3; st.shared.u32 [dynamic+60], %r3; ld.shared.u32 %r5, "
        "[%r1+60];" STORE ("%r5") "}\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (heddle_ptx_module_get_static_shared (module, "k"), ==, 20);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .dynamic_shared_bytes = 64 };
  guint32 out = 0;
  guint64 address = heddle_ptx_memory_allocate (memory, "out", 4, &error);
  g_assert_true (ptx_case_launch (module, memory, &config, &address, 1, NULL, &error));
  g_assert_true (heddle_ptx_memory_read (memory, address, &out, 4, &error));
  g_assert_cmpuint (out, ==, 64000 + 32);
}

static void
test_description (void)
{
  static const char text[] = ".version 9.0\n.target sm_80\n.address_size 64\n"
                             ".visible .entry first (.param .u64 .ptr .global .align 16 a, .param .u8 b, "
                             ".param .align 16 .b8 c[40])\n.maxntid 128, 1, 1\n.minnctapersm 2\n{ ret; }\n"
                             ".entry second () .reqntid 32, 2 { ret; }\n.entry declared ();\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, &error);
  HeddlePtxParameter parameter;
  g_assert_no_error (error);
  g_assert_cmpuint (heddle_ptx_module_get_n_kernels (module), ==, 2);
  g_assert_cmpstr (heddle_ptx_module_get_kernel (module, 1), ==, "second");
  g_assert_true (heddle_ptx_module_has_kernel (module, "first"));
  g_assert_false (heddle_ptx_module_has_kernel (module, "third"));
  g_assert_cmpuint (heddle_ptx_module_get_n_parameters (module, "first"), ==, 3);
  g_assert_true (heddle_ptx_module_get_parameter (module, "first", 2, &parameter));
  g_assert_cmpstr (parameter.name, ==, "c");
  g_assert_cmpuint (parameter.size, ==, 40);
  g_assert_cmpuint (parameter.align, ==, 16);
  g_assert_cmpuint (parameter.offset, ==, 16);
  g_assert_false (heddle_ptx_module_get_parameter (module, "first", 3, &parameter));
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 32, 2, 1 } };
  g_assert_true (heddle_ptx_launch (module, "second", memory, &config, NULL, 0, NULL, NULL, &error));
  config.block[1] = 1;
  g_assert_false (heddle_ptx_launch (module, "second", memory, &config, NULL, 0, NULL, NULL, &error));
  ptx_case_assert_error (error, HEDDLE_PTX_ERROR_ARGUMENT, (const char *[]){ "32 × 2 × 1", NULL });
}

typedef struct
{
  const char *code;
  guint64 read;
  guint64 written;
  guint64 conflicts;
  guint64 least; /* sectors that the bytes fill; 0: as many as are touched */
} Traffic;

/* One warp. %rd3 is out + 4 * tid, %r2 is 4 * tid. */
static void
test_stats (void)
{
  static const Traffic traffic[] = {
    { "ld.global.u32 %r1, [%rd3];", 4, 0, 0 },
    { "ld.global.u32 %r1, [%rd0];", 1, 0, 0 },
    { "st.global.u8 [%rd3], 1;", 0, 4, 0, 1 },
    { "mul.wide.u32 %rd4, %tid, 64; add.s64 %rd4, %rd4, %rd0; ld.global.u32 %r1, [%rd4];", 32, 0, 0, 4 },
    { "mul.wide.u32 %rd4, %tid, 16; add.s64 %rd4, %rd4, %rd0; ld.global.v4.u32 {%r1, %r3, %r4, %r5}, [%rd4];",
        16, 0, 0 },
    { "st.shared.u32 [%r2], 1;", 0, 0, 0 },
    { "shl.b32 %r3, %r2, 1; st.shared.u32 [%r3], 1;", 0, 0, 1 },
    { "shl.b32 %r3, %r2, 5; st.shared.u32 [%r3], 1;", 0, 0, 31 },
    { "mul.lo.u32 %r3, %r2, 33; ld.shared.u32 %r1, [%r3];", 0, 0, 0 },
    { "ld.shared.u32 %r1, [64];", 0, 0, 0 },
    { "shl.b32 %r3, %r2, 2; ld.shared.v4.u32 {%r1, %r4, %r5, %r6}, [%r3];", 0, 0, 0 },
    { "shl.b32 %r3, %r2, 3; ld.shared.v4.u32 {%r1, %r4, %r5, %r6}, [%r3];", 0, 0, 4 },
    { "shl.b32 %r3, %r2, 1; ld.shared.b64 %rd4, [%r3];", 0, 0, 0 },
  };
  for (guint k = 0; k < G_N_ELEMENTS (traffic); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *body
          = g_strconcat (HEAD, "mul.wide.u32 %rd1, %tid, 4; add.s64 %rd3, %rd0, %rd1; shl.b32 %r2, %tid, 2;",
              traffic[k].code, "ret;", NULL);
      g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 out", body);
      g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
      const HeddlePtxLaunch config
          = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 }, .dynamic_shared_bytes = 8192 };
      HeddlePtxStats stats;
      guint64 address = heddle_ptx_memory_allocate (memory, "out", 4096, &error);
      g_assert_true (ptx_case_launch (module, memory, &config, &address, 1, &stats, &error));
      g_assert_no_error (error);
      g_test_message ("%s", traffic[k].code);
      g_assert_cmpuint (stats.global_sectors_read, ==, traffic[k].read);
      g_assert_cmpuint (stats.global_sectors_written, ==, traffic[k].written);
      g_assert_cmpuint (stats.bank_conflicts, ==, traffic[k].conflicts);
      g_assert_cmpuint (stats.global_sectors_least, ==,
          traffic[k].least > 0 ? traffic[k].least : traffic[k].read + traffic[k].written);
      g_assert_cmpuint (stats.instructions, ==, 32 * stats.warp_instructions);
    }
}

/* Two warps, of which one multiplies nothing and touches nothing; what they execute, counted by hand. */
static void
test_classes (void)
{
  static const guint64 expected[HEDDLE_PTX_N_CLASSES] = {
    [HEDDLE_PTX_ARITHMETIC]
    = 2 * 1 + 1 + 1, /* setp of both; the load of the parameter and the addition of one */
    [HEDDLE_PTX_SPECIAL] = 1,
    [HEDDLE_PTX_MEMORY] = 1,
    [HEDDLE_PTX_LANES] = 1,
    [HEDDLE_PTX_CONTROL] = 1 + 2, /* the branch of the second warp; two ends */
    [HEDDLE_PTX_BARRIER] = 2 * 2,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 out",
      ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .pred %p;\nsetp.ge.u32 %p, %tid.x, 32;\n@%p "
      "bra DONE;\n"
      "ld.param.u64 %rd1, [out];\nadd.u64 %rd2, %rd1, 4;\nex2.approx.f32 %f1, 0f3F800000;\n"
      "redux.sync.add.u32 %r1, 1, 0xffffffff;\nst.global.u32 [%rd2], %r1;\nDONE: bar.sync "
      "0;\nmembar.cta;\nret;");
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 3, 1, 1 }, .block = { 64, 1, 1 } };
  HeddlePtxStats stats, twice = { 0 };
  guint64 address = heddle_ptx_memory_allocate (memory, "out", 64, &error);

  g_assert_true (ptx_case_launch (module, memory, &config, &address, 1, &stats, &error));
  g_assert_cmpuint (stats.warps, ==, 6);
  g_assert_cmpuint (stats.warps_working, ==, 3);
  for (guint i = 0; i < HEDDLE_PTX_N_CLASSES; i++)
    g_assert_cmpuint (stats.of_class[i], ==, 3 * expected[i]);
  heddle_ptx_stats_add (&twice, &stats);
  heddle_ptx_stats_add (&twice, &stats);
  g_assert_cmpuint (twice.of_class[HEDDLE_PTX_BARRIER], ==, 24);
  g_assert_cmpuint (twice.instructions, ==, 2 * stats.instructions);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ptx/launch/special-registers", test_special_registers);
  g_test_add_func ("/ptx/launch/dimensions", test_dimensions);
  g_test_add_func ("/ptx/launch/divergence", test_divergence);
  g_test_add_func ("/ptx/launch/branch-table", test_branch_table);
  g_test_add_func ("/ptx/launch/shuffle", test_shuffle);
  g_test_add_func ("/ptx/launch/votes", test_votes);
  g_test_add_func ("/ptx/launch/atomics", test_atomics);
  g_test_add_func ("/ptx/launch/barrier", test_barrier);
  g_test_add_func ("/ptx/launch/named-barrier", test_named_barrier);
  g_test_add_func ("/ptx/launch/barrier-reduction", test_barrier_reduction);
  g_test_add_func ("/ptx/launch/calls", test_calls);
  g_test_add_func ("/ptx/launch/variables", test_variables);
  g_test_add_func ("/ptx/launch/dynamic-shared", test_dynamic_shared);
  g_test_add_func ("/ptx/launch/description", test_description);
  g_test_add_func ("/ptx/launch/stats", test_stats);
  g_test_add_func ("/ptx/launch/classes", test_classes);
  return g_test_run ();
}
