/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ptx-case.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

/* Asynchronous copies: what is copied, and what a thread sees before and after it has waited. */

#define THREADS 64

typedef struct
{
  HeddlePtxCompletion completion;
  guint64 seed;
  gboolean check_races;
} How;

/* Two warps; thread t copies 4 words from in + 16 t to tile + 16 t. %mine and %other: addresses in tile of what this thread
 * and the one across the warps copied. */
static gboolean
run (const char *body, const How *how, guint32 out[THREADS], GError **error)
{
  g_autofree char *text = g_strdup_printf (
      ".reg .b64 %%in, %%out, %%offset; .reg .b32 %%t, %%mine, %%other, %%r<8>; .reg .pred %%p;\n"
      ".shared .align 16 .b8 tile[2048];\n"
      "mov.u32 %%t, %%tid.x; ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];\n"
      "mul.wide.u32 %%offset, %%t, 16; add.u64 %%in, %%in, %%offset;\n"
      "mul.wide.u32 %%offset, %%t, 4; add.u64 %%out, %%out, %%offset;\n"
      "mov.u32 %%r0, tile; shl.b32 %%mine, %%t, 4; xor.b32 %%other, %%mine, 512;\n"
      "add.u32 %%mine, %%mine, %%r0; add.u32 %%other, %%other, %%r0;\n%s\nst.global.b32 [%%out], %%r1;\nret;",
      body);
  g_autoptr (HeddlePtxModule) module = ptx_case_module (".param .u64 in, .param .u64 out", text);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  const HeddlePtxLaunch config = { .grid = { 1, 1, 1 },
    .block = { THREADS, 1, 1 },
    .seed = how->seed,
    .completion = how->completion,
    .check_races = how->check_races };
  guint32 in[THREADS * 4];
  guint64 arguments[2];

  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    in[i] = 1000 + i;
  arguments[0] = heddle_ptx_memory_allocate (memory, "in", sizeof in, error);
  arguments[1] = heddle_ptx_memory_allocate (memory, "out", THREADS * 4, error);
  g_assert_true (heddle_ptx_memory_write (memory, arguments[0], in, sizeof in, error));
  return ptx_case_launch (module, memory, &config, arguments, 2, NULL, error)
         && heddle_ptx_memory_read (memory, arguments[1], out, THREADS * 4, error);
}

static const How hows[] = { { HEDDLE_PTX_LATE, 0, TRUE }, { HEDDLE_PTX_EARLY, 0, TRUE },
  { HEDDLE_PTX_DRAWN, 1, TRUE }, { HEDDLE_PTX_DRAWN, 2, TRUE }, { HEDDLE_PTX_DRAWN, 3, TRUE } };

#define COPY "cp.async.cg.shared.global [%mine], [%in], 16;\n"
#define COMMIT "cp.async.commit_group;\n"

/* Waited for and then met at a barrier, the other warp's copy is there, however it is made. */
static void
test_seen (void)
{
  static const char *const bodies[] = {
    COPY COMMIT "cp.async.wait_group 0;\nbar.sync 0;\nld.shared.b32 %r1, [%other+4];",
    COPY "cp.async.wait_all;\nbar.sync 0;\nld.shared.b32 %r1, [%other+4];",
    /* a second group may stay under way */
    COPY COMMIT "cp.async.ca.shared.global [%mine+1024], [%in], 4;\n" COMMIT
                "cp.async.wait_group 1;\nbar.sync 0;\nld.shared.b32 %r1, [%other+4];",
  };
  for (guint b = 0; b < G_N_ELEMENTS (bodies); b++)
    for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
      {
        g_autoptr (GError) error = NULL;
        guint32 out[THREADS];
        run (bodies[b], &hows[h], out, &error);
        g_assert_no_error (error);
        for (guint t = 0; t < THREADS; t++)
          g_assert_cmpuint (out[t], ==, 1000 + 4 * (t ^ 32) + 1);
      }
}

/* Of 16 bytes only 6 are read: the rest is zero. Nothing is read where 0 are, whatever the address. */
static void
test_zeros (void)
{
  const How how = { HEDDLE_PTX_LATE, 0, TRUE };
  g_autoptr (GError) error = NULL;
  guint32 out[THREADS];

  run ("cp.async.cg.shared.global.L2::128B [%mine], [%in], 16, 6;\ncp.async.wait_all;\n"
       "ld.shared.v4.b32 {%r1,%r2,%r3,%r4}, [%mine];\nor.b32 %r3, %r3, %r4; shl.b32 %r2, %r2, 16; "
       "or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3;",
      &how, out, &error);
  g_assert_no_error (error);
  for (guint t = 0; t < THREADS; t++)
    g_assert_cmphex (out[t], ==, (1000 + 4 * t) | (1000 + 4 * t + 1) << 16);
  run ("add.u64 %in, %in, 1048576;\ncp.async.cg.shared.global [%mine], [%in], 16, 0;\ncp.async.wait_all;\n"
       "ld.shared.b32 %r1, [%mine+12];",
      &how, out, &error);
  g_assert_no_error (error);
  g_assert_cmphex (out[5], ==, 0);
}

/* What was not waited for: as late as may be, the poison of shared memory is read; early, the copy. Watched, it is an
 * error either way. */
static void
test_not_waited (void)
{
  static const char body[] = COPY COMMIT "cp.async.wait_group 1;\nbar.sync 0;\nld.shared.b32 %r1, [%mine];";
  guint32 out[THREADS];
  g_autoptr (GError) error = NULL;

  g_assert_true (run (body, &(How){ HEDDLE_PTX_LATE, 0, FALSE }, out, &error));
  g_assert_cmphex (out[3], ==, 0xffffffff);
  g_assert_true (run (body, &(How){ HEDDLE_PTX_EARLY, 0, FALSE }, out, &error));
  g_assert_cmpuint (out[3], ==, 1012);
  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_assert_false (run (body, &hows[h], out, &error));
      ptx_case_assert_error (
          error, HEDDLE_PTX_ERROR_RACE, (const char *const[]){ "began an asynchronous copy", NULL });
      g_clear_error (&error);
    }
}

/* Waiting is each thread's own: without a barrier the other warp's copies may be missing; and a copy must not begin into
 * what another warp still reads. */
static void
test_races (void)
{
  static const char *const bodies[] = {
    COPY "cp.async.wait_all;\nld.shared.b32 %r1, [%other];",
    "st.shared.b32 [%mine], %t;\nbar.sync 0;\nld.shared.b32 %r1, [%other];\n" COPY "cp.async.wait_all;",
  };
  for (guint b = 0; b < G_N_ELEMENTS (bodies); b++)
    for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
      {
        g_autoptr (GError) error = NULL;
        guint32 out[THREADS];
        g_assert_false (run (bodies[b], &hows[h], out, &error));
        ptx_case_assert_error (error, HEDDLE_PTX_ERROR_RACE, (const char *const[]){ "a race on byte", NULL });
      }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *body;
    int code;
    const char *word;
  } cases[] = {
    { "cp.async.cg.shared.global [%mine+4], [%in], 16;\nmov.u32 %r1, 0;", HEDDLE_PTX_ERROR_ACCESS,
        "aligned" },
    { "add.u64 %in, %in, 8;\n" COPY "mov.u32 %r1, 0;", HEDDLE_PTX_ERROR_ACCESS, "aligned" },
    { "add.u64 %in, %in, 1048576;\n" COPY "mov.u32 %r1, 0;", HEDDLE_PTX_ERROR_ACCESS, "global" },
    { "cp.async.ca.shared.global [%mine], [%in], 12;\nmov.u32 %r1, 0;", HEDDLE_PTX_ERROR_TRAP, "12 bytes" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint32 out[THREADS];
      g_assert_false (run (cases[i].body, &hows[0], out, &error));
      ptx_case_assert_error (error, cases[i].code, (const char *const[]){ cases[i].word, NULL });
    }
}

/* Neighbours copy the two halves of eight bytes that are loaded as one then: two copies, and no race. */
static void
test_neighbours (void)
{
  static const char body[]
      = "ld.param.u64 %in, [in]; mul.wide.u32 %offset, %t, 4; add.u64 %in, %in, %offset; shl.b32 %mine, %t, "
        "2; add.u32 "
        "%mine, %mine, %r0;\ncp.async.ca.shared.global [%mine], [%in], 4;\n" COMMIT
        "cp.async.wait_all;\nbar.sync 0;\n"
        "and.b32 %r2, %mine, 0xfffffff8; ld.shared.b64 %offset, [%r2]; mov.b64 {%r3, %r4}, %offset;\n"
        "and.b32 %r5, %t, 1; setp.eq.u32 %p, %r5, 0; selp.b32 %r1, %r3, %r4, %p;";

  for (guint h = 0; h < G_N_ELEMENTS (hows); h++)
    {
      g_autoptr (GError) error = NULL;
      guint32 out[THREADS];

      run (body, &hows[h], out, &error);
      g_assert_no_error (error);
      for (guint t = 0; t < THREADS; t++)
        g_assert_cmpuint (out[t], ==, 1000 + t);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ptx/async/seen", test_seen);
  g_test_add_func ("/ptx/async/zeros", test_zeros);
  g_test_add_func ("/ptx/async/not-waited", test_not_waited);
  g_test_add_func ("/ptx/async/races", test_races);
  g_test_add_func ("/ptx/async/refused", test_refused);
  g_test_add_func ("/ptx/async/neighbours", test_neighbours);
  return g_test_run ();
}
