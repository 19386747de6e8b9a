/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/memory-cache.h"
#include "codegen/verify/plan.h"
#include "diagram/base/dtype.h"

static const char source[] = "extern \"C\" __global__ void __launch_bounds__ (256)\n"
                             "scale (const float *in, float *out, int n)\n"
                             "{\n"
                             "  __shared__ float tile[256];\n"
                             "  const int i = blockIdx.x * 256 + threadIdx.x;\n"
                             "  tile[threadIdx.x] = i < n ? in[i] : 0.0f;\n"
                             "  __syncthreads ();\n"
                             "  if (i < n)\n"
                             "    out[i] = 2.0f * tile[255 - threadIdx.x];\n"
                             "}\n";

static const HeddleKernelText scale
    = { .device = (char *) source, .arch = (char *) "sm_90a", .shared_bytes = 512 };

/* What HEDDLE_COMPILER was at first. */
static char *chosen;

/* %NULL: the first choice again. */
static void
choose_compiler (const char *name)
{
  if (name == NULL)
    name = chosen;
  if (name != NULL)
    g_setenv ("HEDDLE_COMPILER", name, TRUE);
  else
    g_unsetenv ("HEDDLE_COMPILER");
}

static void
check_compilation (const HeddleCompilation *compilation, const char *compiler)
{
  gsize length;
  const char *cubin = g_bytes_get_data (compilation->cubin, &length);

  g_assert_nonnull (strstr (compilation->ptx, ".entry scale"));
  g_assert_nonnull (strstr (compilation->ptx, "sm_90a"));
  g_assert_cmpuint (length, >, 64);
  g_assert_cmpmem (cubin, 4, "\177ELF", 4);
  g_assert_cmpint (compilation->registers, >, 0);
  g_assert_cmpint (compilation->registers, <=, 255);
  g_assert_cmpint (compilation->shared_bytes, ==, 256 * 4 + 512);
  g_assert_cmpint (compilation->spill_bytes, ==, 0);
  g_assert_cmpint (compilation->local_bytes, ==, 0);
  g_assert_true (g_str_has_prefix (compilation->compiler, compiler));
}

static void
test_compiler (gconstpointer data)
{
  gboolean nvrtc = g_str_equal (data, "nvrtc");
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation = NULL;

  if (!case_has_cuda ())
    return;
  choose_compiler (data);
  g_assert_true (heddle_compile_is_available (NULL));
  compilation = heddle_compile (&scale, NULL, &error);
  g_assert_no_error (error);
  check_compilation (compilation, nvrtc ? "NVRTC " : "nvcc ");
  choose_compiler (NULL);
}

/* The same text is compiled once; another architecture or another letter is another text. */
static void
test_remembered (void)
{
  HeddleKernelText other = scale;
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) first = NULL, again = NULL, elsewhere = NULL;

  if (!case_has_cuda ())
    return;
  first = heddle_compile (&scale, NULL, &error);
  again = heddle_compile (&scale, NULL, &error);
  other.arch = (char *) "sm_80";
  other.shared_bytes = 16;
  elsewhere = heddle_compile (&other, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (first->cubin == again->cubin);
  g_assert_cmpfloat (first->milliseconds, ==, again->milliseconds);
  check_compilation (again, "");
  g_assert_nonnull (strstr (elsewhere->ptx, "sm_80"));
  g_assert_cmpint (elsewhere->shared_bytes, ==, 256 * 4 + 16);
}

/* Comments do not count, and what only looks like one does. */
static void
test_remembered_without_comments (void)
{
  static const char plain[] = "a = 1; b = \"x\"; c = 4 / 2;";
  static const char *const alike[]
      = { "a = 1;/* one */b = \"x\"; c = 4 / 2;", "a = 1;// \"one\"\nb = \"x\"; c = 4 / 2;" };
  static const char *const different[] = { "a = 2; b = \"x\"; c = 4 / 2;", "a = 1; b = \"x//\"; c = 4 / 2;",
    "a = 1; b = \"x/*\"; c = 4 / 2; /* */", "a = 1; b = \"x\\\"//\"; c = 4 / 2;",
    "a = 1; b = '\"'; // c = 4 / 2;", "a = 1; b = \"x\"; c = 4 /* / 2;" };
  g_autofree char *key = heddle_memory_cache_key ("nvrtc", "sm_80", plain);
  g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (alike); i++)
    {
      g_autofree char *spaced = g_strdup_printf ("a = 1;%sb = \"x\"; c = 4 / 2;", i == 0 ? " " : " \n");
      g_autofree char *one = heddle_memory_cache_key ("nvrtc", "sm_80", alike[i]);
      g_autofree char *two = heddle_memory_cache_key ("nvrtc", "sm_80", spaced);

      g_assert_cmpstr (one, ==, two);
    }
  g_hash_table_add (keys, g_steal_pointer (&key));
  for (guint i = 0; i < G_N_ELEMENTS (different); i++)
    g_assert_true (g_hash_table_add (keys, heddle_memory_cache_key ("nvrtc", "sm_80", different[i])));
}

/* What the compiler says is in the error, with the line. */
static void
test_refused (gconstpointer data)
{
  HeddleKernelText broken
      = { .device = (char *) "extern \"C\" __global__ void\nbroken ()\n{\n  nonsense;\n}\n",
          .arch = (char *) "sm_80" };
  g_autoptr (GError) error = NULL;

  if (!case_has_cuda ())
    return;
  choose_compiler (data);
  g_assert_null (heddle_compile (&broken, NULL, &error));
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE);
  g_assert_nonnull (strstr (error->message, "nonsense"));
  g_assert_nonnull (strstr (error->message, "kernel.cu(4)"));
  choose_compiler (NULL);
}

/* A machine without CUDA: clear words, and no result. */
static void
test_missing (void)
{
  g_autofree char *why = NULL;
  g_autoptr (GError) error = NULL;

  choose_compiler ("none");
  g_assert_false (heddle_compile_is_available (&why));
  g_assert_false (heddle_nvrtc_is_available ());
  g_assert_null (heddle_nvcc_find ());
  g_assert_nonnull (strstr (why, "NVRTC"));
  g_assert_nonnull (strstr (why, "CUDA Toolkit"));
  g_assert_null (heddle_compile (&scale, NULL, &error));
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING);
  g_assert_cmpstr (error->message, ==, why);
  choose_compiler (NULL);
}

/* Then the line for a kernel's head says that it was not verified, and why; the loop program was. */
static void
test_missing_verification (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;
  g_autoptr (GPtrArray) results = NULL;

  case_init (&self,
      &(CaseOptions){
          .text = ATTENTION_AT (20, 20, 8), .fuse = "all", .labels = "y:group@smem=8 x:stream@smem=8" });
  choose_compiler ("none");
  line = heddle_plan_verify_line (self.plan, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (line, "NOT VERIFIED: no CUDA compiler"));
  results = heddle_plan_verify (self.plan, self.plan->sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  g_assert_null (results);
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING);
  choose_compiler (NULL);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (heddle_compile (&scale, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What ptxas -v prints, of NVRTC and nvcc 12 and 13. */
static void
test_log (void)
{
  HeddleCompilation compilation
      = { .log
          = (char *) "ptxas info    : 0 bytes gmem\n"
                     "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
                     "ptxas info    : Function properties for k\n"
                     "    24 bytes stack frame, 20 bytes spill stores, 36 bytes spill loads\n"
                     "ptxas info    : Used 168 registers, used 1 barriers, 24 bytes cumulative stack size, "
                     "1024 bytes smem, 400 bytes cmem[0]\n" };
  HeddleCompilation empty = { .registers = 3 };

  heddle_compilation_read_log (&compilation);
  g_assert_cmpint (compilation.registers, ==, 168);
  g_assert_cmpint (compilation.spill_bytes, ==, 56);
  g_assert_cmpint (compilation.local_bytes, ==, 24);
  g_assert_cmpint (compilation.shared_bytes, ==, 1024);
  heddle_compilation_read_log (&empty);
  g_assert_cmpint (empty.registers, ==, 0);
}

/* Kernels as they are suggested: nothing spills and no thread has memory of its own. */
static void
test_audit (gconstpointer data)
{
  static const char *const gpus[] = { "a100", "rtx-4090", "h100-sxm", "b200" };

  if (!case_has_cuda ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      g_auto (Case) self = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) compilation = NULL;

      case_init (&self, &(CaseOptions){ .text = data, .gpu = gpus[i], .dtype = HEDDLE_DTYPE_F16 });
      compilation = heddle_compile (case_kernel (&self, 0), NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (compilation->spill_bytes, ==, 0);
      g_assert_cmpint (compilation->local_bytes, ==, 0);
      g_assert_cmpint (compilation->registers, <=, 128);
      g_assert_cmpint (compilation->shared_bytes, ==, case_kernel (&self, 0)->shared_bytes);
    }
}

/* Six blocks have room in shared memory, with 40 registers for each thread: four are asked for. */
static void
test_registers_of_many (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation = NULL;

  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = "X : f32[u=14, v=14, c=1024]\nA : f32[c, k=512]\nB : f32[c, k]\n"
                                            "K[u,v,k] = X[u,v,c] A[c,k]\nV[u,v,k] = X[u,v,c] B[c,k]\n",
                        .fuse = "all",
                        .labels = "u:group@smem=1 k:group@smem=16 c:stream@smem=128",
                        .gpu = "a100" });
  g_assert_nonnull (strstr (case_kernel (&self, 0)->kernel, "__launch_bounds__ (256, 4)"));
  compilation = heddle_compile (case_kernel (&self, 0), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (compilation->spill_bytes, ==, 0);
}

/* A block that takes most of the shared memory of a multiprocessor has its registers, too. */
static void
test_registers (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation = NULL;

  if (!case_has_cuda ())
    return;
  case_init (&self, &(CaseOptions){ .text = "X : f32[b=32, c=64, h=56, w=56]\nparam g : f32[c]\n"
                                            "N[b,c,h,w] = batchnorm[b,h,w, eps=1e-05](X[b,c,h,w])\n"
                                            "Y[b,c,h,w] = N[b,c,h,w] g[c]\n",
                        .gpu = "a100" });
  g_assert_cmpint (2 * case_kernel (&self, 0)->shared_bytes, >, 166912);
  g_assert_nonnull (strstr (case_kernel (&self, 0)->kernel, "__launch_bounds__ (256, 1)"));
  compilation = heddle_compile (case_kernel (&self, 0), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (compilation->spill_bytes, ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  chosen = g_strdup (g_getenv ("HEDDLE_COMPILER"));
  g_test_add_data_func ("/compile/nvrtc", "nvrtc", test_compiler);
  g_test_add_data_func ("/compile/nvcc", "nvcc", test_compiler);
  g_test_add_data_func ("/compile/refused/nvrtc", "nvrtc", test_refused);
  g_test_add_data_func ("/compile/refused/nvcc", "nvcc", test_refused);
  g_test_add_func ("/compile/remembered", test_remembered);
  g_test_add_func ("/compile/remembered/without-comments", test_remembered_without_comments);
  g_test_add_func ("/compile/missing", test_missing);
  g_test_add_func ("/compile/missing-verification", test_missing_verification);
  g_test_add_func ("/compile/cancelled", test_cancelled);
  g_test_add_func ("/compile/log", test_log);
  g_test_add_func ("/compile/registers", test_registers);
  g_test_add_func ("/compile/registers/many-blocks", test_registers_of_many);
  g_test_add_data_func ("/compile/audit/attention", ATTENTION, test_audit);
  g_test_add_data_func (
      "/compile/audit/matmul", "A : [i=4096, k=4096]\nB : [k, j=4096]\nC[i,j] = A[i,k] B[k,j]\n", test_audit);
  status = g_test_run ();
  g_free (chosen);
  return status;
}
