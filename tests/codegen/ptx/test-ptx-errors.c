/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "ptx-case.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"

#define HEADER ".version 9.0\n.target sm_80\n.address_size 64\n"
#define REGISTERS ".reg .pred %p, %q; .reg .b32 %r<8>, %tid; .reg .f32 %f<4>; .reg .b64 %rd<8>;\n"

/* A text that is refused, with what, and with words that the message has to have. */
typedef struct
{
  const char *text;
  HeddlePtxError code;
  const char *words[4];
} Refused;

#define BODY(code) HEADER ".entry k () {\n" REGISTERS code "\nret;\n}\n"

static const Refused refused[] = {
  { BODY ("frobnicate.b32 %r1, %r2;"), HEDDLE_PTX_ERROR_UNKNOWN, { "line 6", "frobnicate.b32 %r1, %r2" } },
  { BODY ("add.frob.s32 %r1, %r2, %r3;"), HEDDLE_PTX_ERROR_UNKNOWN, { "line 6", ".frob" } },
  { BODY ("add.rz.s32 %r1, %r2, %r3;"), HEDDLE_PTX_ERROR_UNKNOWN, { ".rz" } },
  { BODY ("add %r1, %r2, %r3;"), HEDDLE_PTX_ERROR_UNKNOWN, { "lacks a type" } },
  { BODY ("fma.f32 %f1, %f2, %f3, %f1;"), HEDDLE_PTX_ERROR_UNKNOWN, { "lacks" } },
  { BODY ("div.f32 %f1, %f2, %f3;"), HEDDLE_PTX_ERROR_UNKNOWN, { "lacks" } },
  { BODY ("add.rni.f32 %f1, %f2, %f3;"), HEDDLE_PTX_ERROR_UNKNOWN, { ".rni" } },
  { BODY ("add.rz.f16 %f1, %f2, %f3;"), HEDDLE_PTX_ERROR_UNKNOWN, { ".rz" } },
  { BODY ("atom.global.min.f32 %f1, [%rd1], %f2;"), HEDDLE_PTX_ERROR_UNKNOWN, { "atom" } },
  { BODY ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%f1}, {%r1}, {%r2}, {%f2};"),
      HEDDLE_PTX_ERROR_UNKNOWN, { "mma.sync" } },
  { BODY ("add.s32 %r1, %r2;"), HEDDLE_PTX_ERROR_SYNTAX, { "2 operands" } },
  { BODY ("add.s64 %rd1, %rd2, %r3;"), HEDDLE_PTX_ERROR_SYNTAX, { "%r3", "32 bits", "64" } },
  { BODY ("add.s32 %r1, %r2, %r9;"), HEDDLE_PTX_ERROR_SYNTAX, { "%r9", "not declared" } },
  { BODY ("add.s32 %r1, %r2, 1x;"), HEDDLE_PTX_ERROR_SYNTAX, { "1x" } },
  { BODY ("add.f32 %f1, %f2, 1;"), HEDDLE_PTX_ERROR_SYNTAX, { "number" } },
  { BODY ("mov.f32 %f1, 0f3F8;"), HEDDLE_PTX_ERROR_SYNTAX, { "0f3F8" } },
  { BODY ("mov.u32 5, %r1;"), HEDDLE_PTX_ERROR_SYNTAX, { "5" } },
  { BODY ("mov.u32 %tid.x, %r1;"), HEDDLE_PTX_ERROR_SYNTAX, { "%tid.x" } },
  { BODY ("ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];"), HEDDLE_PTX_ERROR_SYNTAX, { "vector of 3" } },
  { BODY ("ld.global.u32 {%r1, %r2}, [%rd1];"), HEDDLE_PTX_ERROR_SYNTAX, { "vector of 2" } },
  { BODY ("ld.global.v8.f64 {%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1,%rd1}, [%rd1];"), HEDDLE_PTX_ERROR_SYNTAX,
      { "64 bytes" } },
  { BODY ("mov.b64 %rd1, {%r1, %r2, %r3};"), HEDDLE_PTX_ERROR_SYNTAX, { "vector" } },
  { BODY ("ld.global.u32 %r1, %rd1;"), HEDDLE_PTX_ERROR_SYNTAX, { "[" } },
  { BODY ("bra nowhere;"), HEDDLE_PTX_ERROR_SYNTAX, { "nowhere", "line 6" } },
  { BODY ("$a: $a: ret;"), HEDDLE_PTX_ERROR_SYNTAX, { "$a", "twice" } },
  { BODY ("@%r1 ret;"), HEDDLE_PTX_ERROR_SYNTAX, { "not a predicate" } },
  { BODY (".reg .b32 %r<8>;"), HEDDLE_PTX_ERROR_SYNTAX, { "twice" } },
  { BODY (".reg .b32 %x<99999999>;"), HEDDLE_PTX_ERROR_LIMIT, { "99999999" } },
  { BODY (".local .align 4 .b8 big[1000000];"), HEDDLE_PTX_ERROR_LIMIT, { "local" } },
  { BODY (".reg .v4 %x;"), HEDDLE_PTX_ERROR_UNKNOWN, { ".v4" } },
  { BODY ("call missing, ();"), HEDDLE_PTX_ERROR_SYNTAX, { "missing" } },
  { BODY ("brx.idx %r1, $nothing;"), HEDDLE_PTX_ERROR_SYNTAX, { "$nothing" } },
  { HEADER ".func f (.param .b32 a);\n.entry k () { { .param .b32 p; call f, (p); } ret; }",
      HEDDLE_PTX_ERROR_UNKNOWN, { "no body" } },
  { HEADER ".func f (.param .b32 a) { ret; }\n.entry k () { { .param .b64 p; call f, (p); } ret; }",
      HEDDLE_PTX_ERROR_SYNTAX, { "does not fit" } },
  { HEADER ".entry k () { ret; }\n.entry k () { ret; }", HEDDLE_PTX_ERROR_SYNTAX, { "twice" } },
  { HEADER ".entry k () .frob { ret; }", HEDDLE_PTX_ERROR_UNKNOWN, { ".frob" } },
  { HEADER ".global .align 3 .u32 x;", HEDDLE_PTX_ERROR_SYNTAX, { "power of two" } },
  { HEADER ".global .u32 x[2] = {1, 2, 3};", HEDDLE_PTX_ERROR_SYNTAX, { "more values" } },
  { HEADER ".global .u32 x = y;", HEDDLE_PTX_ERROR_UNKNOWN, { "64 bits" } },
  { HEADER ".global .b8 x[99999999999];", HEDDLE_PTX_ERROR_LIMIT, { "99999999999" } },
  { HEADER ".global .b8 a[60000000];\n.global .b8 b[60000000];\n.global .b8 c[60000000];\n.global .b8 "
           "d[60000000];\n"
           ".global .b8 e[60000000];",
      HEDDLE_PTX_ERROR_LIMIT, { "line 8", "too large" } },
  { HEADER ".extern .global .u32 x;", HEDDLE_PTX_ERROR_UNKNOWN, { "another module" } },
  { ".version 9.0\n.target sm_80\n.address_size 32\n", HEDDLE_PTX_ERROR_UNKNOWN, { "64 bits" } },
  { HEADER ".entry k () { \"text", HEDDLE_PTX_ERROR_SYNTAX, { "never ends" } },
  { HEADER "/* ", HEDDLE_PTX_ERROR_SYNTAX, { "never ends" } },
  { HEADER ".entry k () { \x01 }", HEDDLE_PTX_ERROR_SYNTAX, { "0x01" } },
};

static void
test_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = NULL;
      HeddlePtxModule *module = heddle_ptx_module_new (refused[i].text, -1, &error);
      g_test_message ("%s", refused[i].text);
      g_assert_null (module);
      ptx_case_assert_error (error, refused[i].code, refused[i].words);
    }
}

static const char whole[] = HEADER
    ".extern .shared .align 16 .b8 s[];\n.global .align 8 .u64 t[2] = {generic(u), 5};\n"
    ".func (.param .b32 r) f (.param .b32 a) { .reg .b32 %a; ld.param.b32 %a, [a]; st.param.b32 [r], %a; "
    "ret; }\n"
    ".visible .entry k (.param .u64 out, .param .align 8 .b8 p[24]) .maxntid 32, 1, 1 {\n" REGISTERS
    "$top: mov.b64 {%r1, _}, %rd1; @!%p bra $top; { .param .b32 x; .param .b32 y; st.param.b32 [x+0], -1;\n"
    "call.uni (y), f, (x); ld.param.b32 %r2, [y]; } $t: .branchtargets $top, $end; brx.idx %r2, $t;\n"
    "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd3+-16]; $end: ret; }\n";

/* No beginning of a text, and no text with one byte changed, makes the parser fail otherwise than with an error. */
static void
test_damaged (void)
{
  gsize length = strlen (whole);
  guint accepted = 0, wrong = 0;
  for (gsize i = 0; i <= length; i++)
    for (guint change = 0; change < 4; change++)
      {
        static const char marks[] = { 0, '{', ';', '9' };
        g_autoptr (GError) error = NULL;
        g_autofree char *text = g_strndup (whole, change == 0 ? i : length);
        if (change != 0 && i < length)
          text[i] = marks[change];
        HeddlePtxModule *module = heddle_ptx_module_new (text, -1, &error);
        wrong += (module == NULL) != (error != NULL && error->domain == HEDDLE_PTX_ERROR);
        accepted += module != NULL;
        g_clear_pointer (&module, heddle_ptx_module_free);
      }
  g_assert_cmpuint (wrong, ==, 0);
  g_assert_cmpuint (accepted, >, 0);
  g_assert_cmpuint (accepted, <, 4 * length);
}

static void
test_zero_byte (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (heddle_ptx_module_new (".version 9.0\n\0.x", 16, &error));
  g_assert_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_SYNTAX);
}

/* A kernel that fails while it runs. Its parameter "out" is the address of 256 bytes called "buffer". */
typedef struct
{
  const char *body;
  guint threads;
  HeddlePtxError code;
  const char *words[6];
} Failing;

#define START                                                                                                \
  "ld.param.u64 %rd0, [out]; mov.u32 %tid, %tid.x; mul.wide.u32 %rd1, %tid, 4; add.s64 %rd2, %rd0, %rd1;\n"

static const Failing failing[] = {
  { START "ld.global.u32 %r1, [%rd2+128];", 64, HEDDLE_PTX_ERROR_ACCESS,
      { "kernel “k”", "thread (32, 0, 0) of block (0, 0, 0)", "ld.global.u32 %r1, [%rd2+128]",
          "“buffer” of 256 bytes", "0 bytes behind" } },
  { START "st.global.u32 [%rd2+-8], 1;", 1, HEDDLE_PTX_ERROR_ACCESS,
      { "a write of 4 bytes", "8 bytes before" } },
  { START "ld.global.u32 %r1, [%rd2+2];", 1, HEDDLE_PTX_ERROR_ACCESS, { "aligned" } },
  { START "ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd2+8];", 1, HEDDLE_PTX_ERROR_ACCESS,
      { "16 bytes", "aligned" } },
  { START "mov.u64 %rd3, 0; ld.u32 %r1, [%rd3];", 1, HEDDLE_PTX_ERROR_ACCESS, { "at 0x0" } },
  { START "ld.shared.u32 %r1, [256];", 1, HEDDLE_PTX_ERROR_ACCESS, { "shared memory", "has 0 bytes" } },
  { ".local .align 4 .b8 d[8];" START "st.local.u32 [d+8], 1;", 1, HEDDLE_PTX_ERROR_ACCESS,
      { "local memory" } },
  { ".const .align 4 .u32 c = 1;" START "mov.u64 %rd3, c; st.u32 [%rd3], 1;", 1, HEDDLE_PTX_ERROR_ACCESS,
      { "“c” is constant" } },
  { START "ld.param.u64 %rd4, [out+8];", 1, HEDDLE_PTX_ERROR_ACCESS, { "param memory" } },
  { START "div.s32 %r1, %tid, %tid;", 4, HEDDLE_PTX_ERROR_TRAP, { "thread (0, 0, 0)", "division by zero" } },
  { START "setp.eq.u32 %p, %tid, 2; @%p trap;", 4, HEDDLE_PTX_ERROR_TRAP, { "thread (2, 0, 0)" } },
  { START "st.global.u32 [%rd2], %r5;", 1, HEDDLE_PTX_ERROR_UNDEFINED, { "never computed" } },
  { START "add.u32 %r5, %r6, 1; st.global.u32 [%rd2], %r5;", 1, HEDDLE_PTX_ERROR_UNDEFINED, { "st.global" } },
  { START "ld.global.u32 %r1, [%rd6];", 1, HEDDLE_PTX_ERROR_UNDEFINED, { "never written" } },
  { START "@%q bra $x; $x: ret;", 1, HEDDLE_PTX_ERROR_UNDEFINED, { "guard" } },
  { START "setp.lt.u32 %p, %tid, 3; @%p mov.u32 %r1, 1; st.global.u32 [%rd2], %r1;", 4,
      HEDDLE_PTX_ERROR_UNDEFINED, { "thread (3, 0, 0)" } },
  { START "$x: bra $x;", 32, HEDDLE_PTX_ERROR_BOUND, { "bra $x", "100000 instructions" } },
  { START "setp.lt.u32 %p, %tid, 7; @%p bra $end; bar.sync 0; $end: ret;", 64, HEDDLE_PTX_ERROR_DEADLOCK,
      { "thread (7, 0, 0)", "bar.sync 0", "thread (0, 0, 0) of block (0, 0, 0) has ended at PTX line" } },
  { START "setp.lt.u32 %p, %tid, 32; @%p bra $a; bar.sync 1; bra $end; $a: bar.sync 0; $end: ret;", 64,
      HEDDLE_PTX_ERROR_DEADLOCK, { "thread (0, 0, 0)", "bar.sync 0", "thread (32, 0, 0)", "bar.sync 1" } },
  { START "setp.lt.u32 %p, %tid, 9; @%p bra $a; bar.sync 0; bra $end; $a: bar.sync 0; $end: ret;", 32,
      HEDDLE_PTX_ERROR_DEADLOCK, { "another barrier" } },
  { START "setp.lt.u32 %p, %tid, 9; @%p bra $a; bar.warp.sync -1; bra $end; $a: bar.sync 0; $end: ret;", 32,
      HEDDLE_PTX_ERROR_DEADLOCK, { "bar.sync 0", "bar.warp.sync -1" } },
  { START "setp.lt.u32 %p, %tid, 9; @%p bra $a; shfl.sync.idx.b32 %r1, %tid, 0, 31, -1; bra $end; "
          "$a: shfl.sync.idx.b32 %r1, %tid, 0, 31, -1; $end: ret;",
      32, HEDDLE_PTX_ERROR_DEADLOCK, { "among lanes" } },
  { START "vote.sync.ballot.b32 %r1, 1, 2;", 32, HEDDLE_PTX_ERROR_TRAP, { "leaves out the lane itself" } },
  { START "bar.sync 16;", 32, HEDDLE_PTX_ERROR_TRAP, { "no such barrier" } },
  { START "bar.sync 0, 33;", 64, HEDDLE_PTX_ERROR_TRAP, { "multiple of the warp" } },
  { ".shared .align 4 .b8 s[256];" START "mov.u32 %r1, s; shl.b32 %r2, %tid, 2; add.u32 %r1, %r1, %r2;"
    "st.shared.u32 [%r1], %tid; xor.b32 %r2, %r2, 252; mov.u32 %r3, s; add.u32 %r1, %r3, %r2; ld.shared.u32 "
    "%r4, [%r1];",
      64, HEDDLE_PTX_ERROR_RACE, { "st.shared", "thread (32, 0, 0)", "warp 0 read it", "no barrier" } },
  { ".shared .align 4 .u32 s;" START
    "setp.eq.u32 %p, %tid, 3; @%p st.shared.u32 [s], 1; ld.shared.u32 %r1, [s];",
      64, HEDDLE_PTX_ERROR_RACE, { "ld.shared", "thread (32, 0, 0)", "warp 0 wrote it at PTX line" } },
  { ".shared .align 4 .u32 s;" START "st.shared.u32 [s], 1;", 64, HEDDLE_PTX_ERROR_RACE,
      { "st.shared", "wrote it" } },
  { ".shared .align 4 .u32 s;" START
    "setp.eq.u32 %p, %tid, 40; ld.shared.u32 %r1, [s]; @%p st.shared.u32 [s], 1;",
      64, HEDDLE_PTX_ERROR_RACE, { "st.shared", "warp 0 read it" } },
  { ".shared .align 4 .u32 s;" START "atom.shared.add.u32 %r1, [s], 1; ld.shared.u32 %r1, [s];", 64,
      HEDDLE_PTX_ERROR_RACE, { "atom.shared", "warp 0 read it" } },
};

static void
launch_failing (const Failing *failure)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *body = g_strconcat (REGISTERS, failure->body, NULL);
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 out", body);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = {
    .grid = { 1, 1, 1 }, .block = { failure->threads, 1, 1 }, .max_instructions = 100000, .check_races = TRUE
  };
  guint64 address = heddle_ptx_memory_allocate (memory, "buffer", 256, &error);
  g_test_message ("%s", failure->body);
  g_assert_false (ptx_case_launch (module, memory, &config, &address, 1, NULL, &error));
  ptx_case_assert_error (error, failure->code, failure->words);
}

static void
test_failing (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (failing); i++)
    launch_failing (&failing[i]);
}

/* What is not defined may be moved, chosen away and joined with what decides, as compilers do. */
static void
test_harmless (void)
{
  static const PtxCase cases[] = {
    { "mov.u32 %t, %u; mov.u32 %d, 4;", "w", { 0 }, 4 },
    { "setp.eq.u32 %p, 0, 0; add.u32 %t, %u, 1; selp.b32 %d, 5, %t, %p;", "w", { 0 }, 5 },
    { "setp.ne.u32 %p, 0, 0; and.pred %p, %p, %q; selp.b32 %d, 5, 6, %p;", "w", { 0 }, 6 },
    { "setp.eq.u32 %p, 0, 0; or.pred %p, %q, %p; selp.b32 %d, 5, 6, %p;", "w", { 0 }, 5 },
    { ".local .align 4 .b8 keep[4]; st.local.u32 [keep], %u; mov.u32 %d, 7;", "w", { 0 }, 7 },
  };
  ptx_case_check (cases, G_N_ELEMENTS (cases));
}

/* A missing barrier shows in the result too, once warps switch at random. */
static void
test_order (void)
{
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 out",
      ".shared .align 4 .b8 s[512];" REGISTERS START
      "mov.u32 %r1, s; shl.b32 %r2, %tid, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %tid;"
      "xor.b32 %r2, %r2, 508; add.u32 %r3, %r1, %r2; ld.shared.u32 %r4, [%r3]; st.global.u32 [%rd2], %r4;");
  guint wrong = 0;
  for (guint64 seed = 1; seed <= 4; seed++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
      const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 128, 1, 1 }, .seed = seed };
      guint32 out[128];
      guint64 address = heddle_ptx_memory_allocate (memory, "out", sizeof out, &error);
      g_assert_true (ptx_case_launch (module, memory, &config, &address, 1, NULL, &error));
      g_assert_true (heddle_ptx_memory_read (memory, address, out, sizeof out, &error));
      for (guint i = 0; i < 128; i++)
        wrong += out[i] != 127 - i;
    }
  g_assert_cmpuint (wrong, >, 0);
}

static void
test_memory (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  guint32 word = 0;
  guint64 first = heddle_ptx_memory_allocate (memory, "first", 100, &error);
  guint64 second = heddle_ptx_memory_allocate (memory, "second", 8, &error);
  g_assert_cmpuint (first % 256, ==, 0);
  g_assert_cmpuint (second, >, first + 200);
  g_assert_true (heddle_ptx_memory_read (memory, first + 96, &word, 4, &error));
  g_assert_cmphex (word, ==, 0xffffffff);
  word = 0x12345678;
  g_assert_true (heddle_ptx_memory_write (memory, first + 1, &word, 4, &error));
  word = 0;
  g_assert_true (heddle_ptx_memory_read (memory, first + 1, &word, 4, &error));
  g_assert_cmphex (word, ==, 0x12345678);
  g_assert_false (heddle_ptx_memory_read (memory, first + 98, &word, 4, &error));
  ptx_case_assert_error (error, HEDDLE_PTX_ERROR_ACCESS,
      (const char *[]){ "runs over the end of “first”", "leaves the buffers", NULL });
  g_clear_error (&error);
  g_assert_true (heddle_ptx_memory_release (memory, first, &error));
  g_assert_false (heddle_ptx_memory_write (memory, first, &word, 4, &error));
  ptx_case_assert_error (
      error, HEDDLE_PTX_ERROR_ACCESS, (const char *[]){ "“first”, which was released", NULL });
  g_clear_error (&error);
  g_assert_false (heddle_ptx_memory_release (memory, first, &error));
  g_assert_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_ACCESS);
  g_clear_error (&error);
  g_assert_cmpuint (heddle_ptx_memory_allocate (memory, "huge", (gsize) 1 << 40, &error), ==, 0);
  g_assert_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_LIMIT);
}

typedef struct
{
  const char *kernel;
  HeddlePtxLaunch config;
  guint n_arguments;
  gsize size;
  const char *word;
} Call;

static void
test_arguments (void)
{
  static const Call calls[] = {
    { "other", { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } }, 1, 8, "no kernel" },
    { "k", { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } }, 0, 8, "takes 1" },
    { "k", { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } }, 1, 4, "8 bytes, not 4" },
    { "k", { .grid = { 0, 1, 1 }, .block = { 1, 1, 1 } }, 1, 8, "grid" },
    { "k", { .grid = { 1, 70000, 1 }, .block = { 1, 1, 1 } }, 1, 8, "70000" },
    { "k", { .grid = { 1, 1, 1 }, .block = { 64, 32, 1 } }, 1, 8, "2048" },
    { "k", { .grid = { 1, 1, 1 }, .block = { 1, 1, 65 } }, 1, 8, "65" },
    { "k", { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .dynamic_shared_bytes = 300000 }, 1, 8, "shared" },
  };
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 out", "ret;");
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  guint64 value = 0;
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GError) error = NULL;
      const HeddlePtxArgument argument = { &value, calls[i].size };
      g_assert_false (heddle_ptx_launch (module, calls[i].kernel, memory, &calls[i].config, &argument,
          calls[i].n_arguments, NULL, NULL, &error));
      ptx_case_assert_error (error, HEDDLE_PTX_ERROR_ARGUMENT, (const char *[]){ calls[i].word, NULL });
    }
}

/* What assert () calls has no body: a kernel that gets there has failed, and one that does not is right. */
static void
test_assertion (void)
{
  static const char text[] = HEADER
      ".extern .func __assertfail (.param .b64 message, .param .b32 line) .noreturn ;\n"
      ".entry k (.param .u64 out) { .reg .b32 %r; .reg .pred %p; ld.param.u32 %r, [out]; setp.eq.u32 %p, "
      "%r, 1; @%p ret; { .param .b64 m; .param .b32 l; call.uni __assertfail, (m, l); } ret; }\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, &error);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 } };
  const guint64 holds[] = { 1 }, fails[] = { 0 };

  g_assert_no_error (error);
  g_assert_true (ptx_case_launch (module, memory, &config, holds, 1, NULL, &error));
  g_assert_false (ptx_case_launch (module, memory, &config, fails, 1, NULL, &error));
  ptx_case_assert_error (error, HEDDLE_PTX_ERROR_TRAP, (const char *[]){ "an assertion", NULL });
}

static void
test_recursion (void)
{
  static const char text[]
      = HEADER ".func f () { call f; ret; }\n.entry k (.param .u64 out) { call f; ret; }\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, &error);
  g_assert_no_error (error);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 64, 1, 1 } };
  const guint64 value = 0;
  g_assert_false (ptx_case_launch (module, memory, &config, &value, 1, NULL, &error));
  ptx_case_assert_error (error, HEDDLE_PTX_ERROR_LIMIT, (const char *[]){ "too deep", "call f", NULL });
}

static void
test_cancelled (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = ptx_case_module ("", "$x: bra $x;");
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };
  HeddlePtxStats stats;
  g_cancellable_cancel (cancellable);
  g_assert_false (heddle_ptx_launch (module, "k", memory, &config, NULL, 0, cancellable, &stats, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (stats.warp_instructions, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ptx/errors/refused", test_refused);
  g_test_add_func ("/ptx/errors/damaged", test_damaged);
  g_test_add_func ("/ptx/errors/zero-byte", test_zero_byte);
  g_test_add_func ("/ptx/errors/failing", test_failing);
  g_test_add_func ("/ptx/errors/harmless", test_harmless);
  g_test_add_func ("/ptx/errors/order", test_order);
  g_test_add_func ("/ptx/errors/memory", test_memory);
  g_test_add_func ("/ptx/errors/arguments", test_arguments);
  g_test_add_func ("/ptx/errors/assertion", test_assertion);
  g_test_add_func ("/ptx/errors/recursion", test_recursion);
  g_test_add_func ("/ptx/errors/cancelled", test_cancelled);
  return g_test_run ();
}
