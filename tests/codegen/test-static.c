/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "case.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "codegen/ptx/ptx.h"
#include "codegen/verify/run.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"

/* How good kernels are, told without a GPU: instructions of PTX an element, as the interpreter counts them, and of the machine where nothing is done
 * twice; sectors of global memory over the fewest; cycles lost to banks; warps that work; registers, spills and warps that a multiprocessor holds. Each
 * kernel has limits, so that slow code is noticed. With --table they are printed; otherwise they are tests. */

#define TOOLKIT "13.0"

typedef struct
{
  const char *name, *text, *sizes;
  gint64 elements; /* of the largest array at @sizes */
  HeddleFamily family; /* AUTO: whichever */
  double instructions; /* of PTX an element, at most */
  double sectors; /* over the fewest, at most */
  double triton; /* instructions of the machine an element that Triton 3.9 has for sm_90; 0: not known */
  gboolean banks; /* accesses of shared memory lose nothing to banks, but for one in 20 */
} Kernel;

#define ROW(equation) "X : f16[x=16384, m=4096]\n" equation "\n"
#define ROWS HEDDLE_FAMILY_ROWS

static const Kernel kernels[] = {
  { "rmsnorm-4096", ROW ("g : f16[m]\nY[x,m] = rmsnorm[m](X[x,m]) * g[m]"), "x=2 m=4096", 8192, ROWS, 13.5, 1,
      11 },
  { "layernorm-4096", ROW ("g : f16[m]\nb : f16[m]\nY[x,m] = layernorm[m](X[x,m]) * g[m] + b[m]"),
      "x=2 m=4096", 8192, ROWS, 22, 1, 0 },
  { "softmax-4096", ROW ("Y[x,m] = softmax[m](X[x,m])"), "x=2 m=4096", 8192, ROWS, 19.5, 1, 18.5 },
  { "softmax-32768", "X : f16[x=2048, m=32768]\nY[x,m] = softmax[m](X[x,m])\n", "x=1 m=32768", 32768, ROWS,
      13.5, 1, 16 },
  { "gelu-bias", ROW ("b : f16[m]\nY[x,m] = gelu(X[x,m] + b[m])"), "x=2 m=4096", 8192, ROWS, 28, 1, 40 },
  { "silu", ROW ("Y[x,m] = silu(X[x,m])"), "x=2 m=4096", 8192, ROWS, 13, 1, 0 },
  { "tanh", ROW ("Y[x,m] = tanh(X[x,m])"), "x=2 m=4096", 8192, ROWS, 22.5, 1, 0 },
  { "transpose", "X : f16[t=8192, m=8192]\nY[m,t] = X[t,m]\n", "t=128 m=256", 32768, ROWS, 12.5, 1, 4 },
  { "sum-of-columns", "X : f16[t=8192, m=8192]\nY[m] = sum[t](X[t,m])\n", "t=2048 m=128", 262144, ROWS, 5.5,
      1, 0 },
  { "batch-norm-statistics",
      "X : f32[b=32, c=64, h=56, w=56]\nY : f32[b, c, h, w]\nY[b,c,h,w] = batchnorm[b,h,w](X[b,c,h,w])\n",
      "b=5 c=1 h=56 w=56", 15680, ROWS, 40, 1, 0 },
  { "depthwise-3x3-nhwc",
      "X : f16[b=32, u=114, v=114, c=128]\nW : f16[i=3, j=3, c]\nY[b,y=112,x=112,c] = X[b,y + i,x + j,c] "
      "W[i,j,c]\n",
      "b=1 u=18 v=18 c=128 i=3 j=3 y=16 x=16", 32768, ROWS, 78, 1, 0 },
  { "max-pooling-nhwc",
      "X : f16[b=32, u=112, v=112, c=64]\naxis i = 2\naxis j = 2\naxis y = 56\naxis x = 56\n"
      "Y[b,y,x,c] = max[i,j](X[b,2*y + i,2*x + j,c])\n",
      "b=1 u=32 v=32 c=64 y=16 x=16", 16384, ROWS, 27, 1, 0 },
  { "rotary",
      "X : f16[x=4096, h=32, d=128]\nC : f16[x, d]\nS : f16[x, d]\nY[x,h,d] = X[x,h,d] * C[x,d] + "
      "where(index(d) < 64, -X[x,h,d + 64], X[x,h,d - 64]) * S[x,d]\n",
      "x=4 h=32 d=128", 16384, ROWS, 22, 1, 0 },
  { "embedding", "E : f16[v=50257, m=4096]\nT : i32[n=8192]\nY[n,m] = E[T[n],m]\n", "n=4 v=8 m=4096", 16384,
      ROWS, 9, 1, 0 },
  { "cumsum", "X : f32[n=4096, m=4096]\nY : f32[n, m]\nY[n,m] = cumsum[m](X[n,m])\n", "n=2 m=4096", 8192,
      ROWS, 17, 1, 0 },
  { "product-of-odd-rows", "A : f16[a=4095, k=4097]\nB : f16[k, b=4097]\nC[a,b] = A[a,k] B[k,b]\n",
      "a=129 k=193 b=257", 33153, HEDDLE_FAMILY_SM90, 90, 4.6, 0 },
  { "logsumexp-131072", "X : f16[n=4096, v=131072]\nL[n] = logsumexp[v](X[n,v])\n", "n=1 v=32768", 32768,
      ROWS, 18, 1, 0 },
  { "softmax-131072", "X : f16[n=4096, v=131072]\nP[n,v] = softmax[v](X[n,v])\n", "n=1 v=32768", 32768, ROWS,
      33, 1, 0 },
  { "argmax-32768", "X : f16[n=2048, v=32768]\nA[n] = argmax[v](X[n,v])\n", "n=2 v=32768", 65536, ROWS, 10, 1,
      0 },
  /* of products, an element is a multiplication */
  { "product-f32", "A : f32[a=4096, k=4096]\nB : f32[k, b=4096]\nC[a,b] = A[a,k] B[k,b]\n",
      "a=128 k=256 b=128", 128 * 128 * 256, HEDDLE_FAMILY_GENERAL, 1.2, 1.01, 0, TRUE },
  { "product-f32-transposed", "A : f32[k=4096, a=4096]\nB : f32[b=4096, k]\nC[a,b] = A[k,a] B[b,k]\n",
      "a=128 k=256 b=128", 128 * 128 * 256, HEDDLE_FAMILY_GENERAL, 1.32, 1.01, 0, TRUE },
  { "product-f32-batched",
      "A : f32[h=64, a=1024, k=1024]\nB : f32[h, k, b=1024]\nC[h,a,b] = A[h,a,k] B[h,k,b]\n",
      "h=1 a=128 k=256 b=128", 128 * 128 * 256, HEDDLE_FAMILY_GENERAL, 1.22, 1.01, 0, TRUE },
  { "convolution-f32",
      "X : f32[b=32, u=58, v=58, c=128]\nW : f32[i=3, j=3, c, f=128]\nY[b,y=56,x=56,f] = X[b,y + i,x + j,c] "
      "W[i,j,c,f]\n",
      "b=16 u=3 v=10 c=32 i=3 j=3 y=1 x=8 f=128", 16 * 8 * 128 * 32 * 9, HEDDLE_FAMILY_GENERAL, 1.4, 2, 0,
      TRUE },
  { "attention-f32",
      "Q : f32[h=8, y=1024, k=64]\nK : f32[h, x=1024, k]\nV : f32[h, x, k]\nS[h,y,x] = Q[h,y,k] K[h,x,k]\n"
      "P[h,y,x] = softmax[x](S[h,y,x] * k^-0.5)\nO[h,y,k] = P[h,y,x] V[h,x,k]\n",
      "h=1 y=64 k=64 x=256", 2 * 64 * 64 * 256, HEDDLE_FAMILY_GENERAL, 2.4, 1.01, 0, TRUE },
  { "sum-of-rows", ROW ("Y[x] = sum[m](X[x,m])"), "x=2 m=4096", 8192, ROWS, 8.5, 1, 0 },
};

typedef struct
{
  HeddlePtxStats counts; /* of all kernels */
  double machine; /* instructions of the machine an element; 0: there are loops */
  int registers; /* of the thread that has the most */
  gint64 spilled;
  guint held; /* warps of a multiprocessor, of the kernel that has the fewest */
  HeddleFamily family; /* of the first */
  char *compiler;
} Measured;

static guint
warps_held (const HeddleMachine *machine, const HeddleKernelText *text, const HeddleCompilation *compilation)
{
  guint warps = (text->threads + 31) / 32;
  guint registers = MAX ((compilation->registers + 7) / 8 * 8, 8) * 32 * warps;
  guint blocks = MIN (65536 / registers, machine->max_threads_per_sm / text->threads);
  int level = heddle_machine_find_level (machine, "smem");
  gint64 shared = compilation->shared_bytes + machine->reserved_shared_bytes;

  if (level >= 0 && shared > 0)
    blocks
        = (guint) MIN (blocks, (((HeddleLevel *) g_ptr_array_index (machine->levels, level))->capacity_bytes
                                   + machine->reserved_shared_bytes)
                                   / shared);
  return blocks * warps;
}

static void
add_counts (HeddlePtxStats *to, const HeddlePtxStats *from)
{
  to->warp_instructions += from->warp_instructions;
  to->global_sectors_read += from->global_sectors_read;
  to->global_sectors_written += from->global_sectors_written;
  to->global_sectors_least += from->global_sectors_least;
  to->shared_accesses += from->shared_accesses;
  to->bank_conflicts += from->bank_conflicts;
  to->warps += from->warps;
  to->warps_working += from->warps_working;
  for (guint i = 0; i < HEDDLE_PTX_N_CLASSES; i++)
    to->of_class[i] += from->of_class[i];
}

static void
measure_code (Measured *self, const Kernel *kernel, const Case *at)
{
  self->held = G_MAXUINT;
  self->family = case_kernel (at, 0)->family;
  for (guint i = 0; i < at->plan->texts->len; i++)
    {
      const HeddleKernelText *text = case_kernel (at, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) compilation = heddle_compile (text, NULL, &error);

      g_assert_no_error (error);
      self->registers = MAX (self->registers, compilation->registers);
      self->spilled += compilation->spill_bytes;
      self->held = MIN (self->held, warps_held (at->plan->machine, text, compilation));
      g_free (self->compiler);
      self->compiler = g_strdup (compilation->compiler);
      if (at->plan->texts->len == 1 && compilation->audit.loops == 0)
        self->machine = (double) compilation->audit.instructions * (double) self->counts.warps * 32
                        / (double) kernel->elements;
    }
}

/* Returns whether there is a compiler to measure with. */
static gboolean
measure (Measured *self, const Kernel *kernel)
{
  g_auto (Case) at = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;

  if (!case_has_cuda ())
    return FALSE;
  case_init (&at, &(CaseOptions){ .text = kernel->text, .dtype = HEDDLE_DTYPE_F16, .automatic = TRUE });
  sizes = case_sizes (&at, kernel->sizes);
  results = heddle_verify (at.plan->diagram, at.plan->derivation, sizes, at.plan->machine, HEDDLE_DTYPE_F16,
      HEDDLE_VERIFY_CPU, 1, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < results->len; i++)
    {
      const HeddleVerification *result = g_ptr_array_index (results, i);

      g_assert_true (result->passed);
      add_counts (&self->counts, result->counts);
    }
  measure_code (self, kernel, &at);
  return TRUE;
}

static double
sectors_over_least (const HeddlePtxStats *counts)
{
  return (double) (counts->global_sectors_read + counts->global_sectors_written)
         / (double) MAX (counts->global_sectors_least, 1);
}

static double
each (const Kernel *kernel, guint64 warp_instructions)
{
  return (double) warp_instructions * 32 / (double) kernel->elements;
}

static void
test_kernel (gconstpointer data)
{
  const Kernel *kernel = data;
  Measured self = { 0 };
  g_autofree char *compiler = NULL;

  if (!measure (&self, kernel))
    return;
  compiler = self.compiler;
  g_test_message ("%.1f instructions of PTX an element, %.1f of the machine, %.2f sectors",
      each (kernel, self.counts.warp_instructions), self.machine, sectors_over_least (&self.counts));
  if (kernel->family != HEDDLE_FAMILY_AUTO)
    g_assert_cmpint (self.family, ==, kernel->family);
  g_assert_cmpfloat (sectors_over_least (&self.counts), <=, kernel->sectors);
  g_assert_cmpuint (self.counts.warps_working, ==, self.counts.warps);
  if (kernel->banks)
    g_assert_cmpuint (20 * self.counts.bank_conflicts, <=, self.counts.shared_accesses);
  if (strstr (self.compiler, TOOLKIT) == NULL)
    {
      g_test_skip ("the limits of instructions are those of another toolkit");
      return;
    }
  g_assert_cmpint (self.spilled, ==, 0);
  g_assert_cmpfloat (each (kernel, self.counts.warp_instructions), <=, kernel->instructions);
}

/* --- the table --- */

static void
print_row (const Kernel *kernel)
{
  Measured self = { 0 };
  g_autofree char *compiler = NULL;
  const guint64 *of = self.counts.of_class;

  if (!measure (&self, kernel))
    return;
  compiler = self.compiler;
  g_print ("%-22s %-8s %6.1f %5.1f %5.1f %5.1f %5.1f %5.1f %6.1f %6.1f %7.2f %9.2f %6.2f %4d %6d %5u\n",
      kernel->name, heddle_family_to_string (self.family), each (kernel, self.counts.warp_instructions),
      each (kernel, of[HEDDLE_PTX_ARITHMETIC]), each (kernel, of[HEDDLE_PTX_SPECIAL]),
      each (kernel, of[HEDDLE_PTX_MEMORY]), each (kernel, of[HEDDLE_PTX_LANES]),
      each (kernel, of[HEDDLE_PTX_CONTROL] + of[HEDDLE_PTX_BARRIER]), self.machine, kernel->triton,
      sectors_over_least (&self.counts),
      (double) self.counts.bank_conflicts / (double) MAX (self.counts.shared_accesses, 1),
      (double) self.counts.warps_working / (double) MAX (self.counts.warps, 1), self.registers,
      (int) self.spilled, self.held);
}

static int
print_table (void)
{
  g_print ("Instructions an element: of PTX, in all and by class; of the machine (0: it has loops), and "
           "Triton's for sm_90 (0: not known).\n"
           "%-22s %-8s %6s %5s %5s %5s %5s %5s %6s %6s %7s %9s %6s %4s %6s %5s\n",
      "kernel", "family", "PTX", "arith", "spec", "mem", "lanes", "ctrl", "SASS", "Triton", "sectors",
      "conflicts", "works", "regs", "spills", "warps");
  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    print_row (&kernels[i]);
  return 0;
}

int
main (int argc, char **argv)
{
  gboolean table = argc > 1 && g_str_equal (argv[argc - 1], "--table");

  g_test_init (&argc, &argv, NULL);
  if (table)
    return print_table ();
  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    {
      g_autofree char *path = g_strconcat ("/static/", kernels[i].name, NULL);

      g_test_add_data_func (path, &kernels[i], test_kernel);
    }
  return g_test_run ();
}
