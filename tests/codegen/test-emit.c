/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/module/launches.h"
#include "codegen/module/module.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/sizes.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"

#define ATTENTION_LABELS "y:group@smem=128 x:stream@smem=64"

static const CaseOptions attention = {
  .text = "Q : f16[y=4096, k=128]\nK : f16[x=4096, k]\nV : f16[x, k]\n" ATTENTION_EQUATIONS,
  .fuse = "all",
  .labels = ATTENTION_LABELS,
  .name = "attention",
};

static const CaseOptions apart = {
  .text = "Q : f16[y=4096, k=128]\nK : f16[x=4096, k]\nV : f16[x, k]\n" ATTENTION_EQUATIONS,
  .fuse = "none",
  .name = "apart",
};

static const CaseOptions self_attention = {
  .text = "X : f16[y=1000, m=64]\nS[y,x=1000] = X[y,m] X[x,m]\nP[y,x] = softmax[x](S[y,x] * m^-0.5)\n"
          "O[y,m] = P[y,x] X[x,m]\n",
  .fuse = "all",
  .labels = "y:group@smem=64 x:stream@smem=32",
  .name = "double",
};

static const CaseOptions many = {
  .text = "A : bf16[h=3, i=330, j=29]\nB : f64[j]\nn : i32[i]\nmask : bool[i,j]\n"
          "C[h,i,j] = where(mask[i,j] and index(i) > n[i], gelu(A[h,i,j]) + B[j]^2, mod(A[h,i,j], 0.75))\n"
          "D[h,i] = logsumexp[j](C[h,i,j])\n"
          "E[o=330,j] = max(A[0,o - 1,j], A[0,o + 1,j])\n",
  .name = "many",
};

/* --- the text --- */

static char *
read_golden (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "codegen", "golden", name, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  parts = g_strsplit (text, "@VERSION@", -1);
  return g_strjoinv (HEDDLE_VERSION, parts);
}

/* The first line that differs says more than two whole files. */
static void
assert_same_text (const char *text, const char *golden)
{
  g_auto (GStrv) a = g_strsplit (text, "\n", -1), b = g_strsplit (golden, "\n", -1);

  for (guint i = 0; a[i] != NULL && b[i] != NULL; i++)
    g_assert_cmpstr (a[i], ==, b[i]);
  g_assert_cmpuint (g_strv_length (a), ==, g_strv_length (b));
}

static void
test_golden (gconstpointer data)
{
  const CaseOptions *options = data;
  g_auto (Case) self = { 0 };
  g_autofree char *file = g_strconcat (options->name, ".cu", NULL);
  g_autofree char *module = NULL, *golden = NULL;

  case_init (&self, options);
  module = case_module (&self, NULL, NULL);
  golden = read_golden (file);
  assert_same_text (module, golden);
}

/* Inputs in another order, as another drawing would have them: axes appear in another order too. */
static void
test_order (void)
{
  CaseOptions options = attention;
  g_auto (Case) one = { 0 }, other = { 0 };

  case_init (&one, &options);
  options.text = "V : f16[x=4096, k=128]\nK : f16[x, k]\nQ : f16[y=4096, k]\n" ATTENTION_EQUATIONS;
  case_init (&other, &options);
  assert_same_text (case_kernel (&one, 0)->kernel, case_kernel (&other, 0)->kernel);
  g_assert_cmpstr (case_kernel (&one, 0)->comment, ==, case_kernel (&other, 0)->comment);
}

static void
rename_id (GString *ncd, const char *from, const char *to)
{
  g_assert_cmpuint (g_string_replace (ncd, from, to, 0), >, 0);
}

/* The same diagram with other ids. */
static void
test_ids (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *written = NULL;
  g_autoptr (GString) ncd = NULL;
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autoptr (HeddlePlan) plan = NULL;
  HeddleSchedule *schedule;
  const HeddleDiagram *diagram;

  case_init (&self, &attention);
  written = heddle_ncd_write (self.snapshot, NULL, &error);
  g_assert_no_error (error);
  ncd = g_string_new (written);
  rename_id (ncd, "a.y", "a.zzz");
  rename_id (ncd, "o.S", "o.quite-other");
  rename_id (ncd, "a.x", "a.0");
  snapshot = heddle_ncd_read (ncd->str, ncd->len, "attention.ncd", problems);
  if (problems->len > 0)
    g_test_message ("%s", ((HeddleProblem *) g_ptr_array_index (problems, 0))->message);
  g_assert_nonnull (snapshot);
  diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_assert_nonnull (heddle_diagram_get_axis (diagram, g_intern_string ("a.zzz")));
  schedule = heddle_schedule_fuse (diagram, NULL, "all", &error);
  g_assert_true (
      heddle_schedule_add_label_text (schedule, diagram, self.plan->machine, "y:group@smem=128", &error));
  g_assert_true (
      heddle_schedule_add_label_text (schedule, diagram, self.plan->machine, "x:stream@smem=64", &error));
  plan = heddle_plan_new (
      diagram, schedule, NULL, HEDDLE_DTYPE_UNSET, HEDDLE_FAMILY_GENERAL, NULL, NULL, &error);
  g_assert_no_error (error);
  heddle_schedule_free (schedule);
  assert_same_text (
      ((HeddleKernelText *) g_ptr_array_index (plan->texts, 0))->cuda, case_kernel (&self, 0)->cuda);
}

/* Every line of a kernel knows the operation it comes from. */
static void
test_lines (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  case_init (&self, &attention);
  text = case_kernel (&self, 0);
  lines = g_strsplit (text->cuda, "\n", -1);
  g_assert_cmpuint (text->line_operations->len, ==, g_strv_length (lines) - 1);
  for (guint i = 0; i < text->line_operations->len; i++)
    {
      const char *operation = g_ptr_array_index (text->line_operations, i);

      if (strstr (lines[i], "sum over k of Q*K") == NULL)
        continue;
      n++;
      g_assert_cmpstr (operation, ==,
          heddle_diagram_get_producer (self.diagram, heddle_diagram_find_value (self.diagram, "S")->id)->id);
    }
  g_assert_cmpuint (n, ==, 1);
}

/* What is quoted in comments never runs on into the code: neither line ends nor backslashes at the end of a line. */
static void
test_comments (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *module = NULL;

  case_init (&self, &(CaseOptions){ .text = "A : [i=9]\nB[i] = A[i] + 1\n", .name = "x" });
  g_free (self.diagram->name);
  self.diagram->name = g_strdup ("x\n#error in the code\\");
  module = heddle_codegen_module (
      self.diagram, self.plan->texts, self.plan->sizes, self.plan->dtype, "A : [i=9] # \\\r\n", NULL, &error);
  g_assert_nonnull (strstr (module, "// x #error in the code\\.: made by"));
  g_assert_nonnull (strstr (module, "//   A : [i=9] # \\.\n"));
  g_assert_null (strstr (module, "\\\n"));
  g_assert_null (strstr (module, "\n#error"));
}

/* Every line is a comment of one line. */
static void
assert_all_comments (const char *text, const char *mark)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_assert_true (*lines[i] == '\0' || g_str_has_prefix (lines[i], mark));
      g_assert_false (g_str_has_suffix (lines[i], "\\") || g_str_has_suffix (lines[i], "\?\?/"));
    }
}

/* What a machine, its axes and what was verified are called stays in the comment: in CUDA, in PTX and in Python. */
static void
test_titles (void)
{
  static const char title[]
      = "H100\n#ifndef GUARD\r__attribute__ ((constructor)) static void run (void) { system "
        "(\"true\"); }\n#endif\n//\\";
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) texts = NULL;
  g_autofree char *module = NULL, *header = NULL, *launches = NULL;

  case_init (&self, &(CaseOptions){ .text = "A : [i=9]\nB[i] = A[i] + 1\n", .name = "x" });
  g_free (self.plan->machine->title);
  self.plan->machine->title = g_strdup (title);
  g_free (
      heddle_diagram_edit_axis (self.plan->diagram, heddle_diagram_find_axis (self.plan->diagram, "i")->id)
          ->name);
  heddle_diagram_edit_axis (self.plan->diagram, g_intern_string ("a.i"))->name
      = g_strdup ("i\nint system;\?\?/");
  texts = heddle_codegen_emit_all (self.plan->diagram, self.plan->derivation, self.plan->sizes,
      self.plan->machine, self.plan->dtype, HEDDLE_FAMILY_GENERAL, "verified\\\r#error", &error);
  g_assert_no_error (error);
  assert_all_comments (((const HeddleKernelText *) g_ptr_array_index (texts, 0))->comment, "//");
  launches = heddle_codegen_launches (self.diagram, texts, self.plan->sizes, self.plan->dtype);
  assert_all_comments (launches, "//");
  module = heddle_codegen_module (
      self.diagram, texts, self.plan->sizes, self.plan->dtype, NULL, &header, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (module, ", for H100 #ifndef GUARD "));
  g_assert_null (strstr (module, "\n#ifndef GUARD"));
  g_assert_null (strstr (module, "\nint system"));
  g_assert_null (strstr (header, "GUARD "));
}

/* A part of a line that is too long ends in no backslash either. */
static void
test_long_lines (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) texts = NULL;
  GString *title = g_string_new (NULL);

  case_init (&self, &(CaseOptions){ .text = "A : [i=9]\nB[i] = A[i] + 1\n", .name = "x" });
  for (guint i = 0; i < 100; i++)
    g_string_append (title, "a\\ b\?\?/ ");
  g_free (self.plan->machine->title);
  self.plan->machine->title = g_string_free (title, FALSE);
  texts = heddle_codegen_emit_all (self.plan->diagram, self.plan->derivation, self.plan->sizes,
      self.plan->machine, self.plan->dtype, HEDDLE_FAMILY_GENERAL, NULL, &error);
  g_assert_no_error (error);
  assert_all_comments (((const HeddleKernelText *) g_ptr_array_index (texts, 0))->comment, "//");
}

/* There are no kernels of a diagram that computes nothing, and nothing to make of none. */
static void
test_nothing (void)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GError) planned = NULL, printed = NULL, compiled = NULL;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (HeddleDiagram) empty = heddle_diagram_new ("empty");

  g_assert_null (
      heddle_plan_new (empty, NULL, "a100", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_AUTO, NULL, NULL, &planned));
  g_assert_error (planned, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_EMPTY);
  g_assert_nonnull (strstr (planned->message, "nothing to compute"));
  case_init (&self, &(CaseOptions){ .text = "A : [i=9]\nB[i] = A[i] + 1\n", .name = "x" });
  g_assert_null (
      heddle_codegen_module (self.diagram, none, self.plan->sizes, self.plan->dtype, NULL, NULL, &printed));
  g_assert_error (printed, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_EMPTY);
  g_assert_null (heddle_compile_device (none, NULL, &compiled));
  g_assert_error (compiled, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_EMPTY);
}

/* One fused kernel that streams is what is suggested for attention. */
static void
test_suggested (void)
{
  static const char *const gpus[] = { "h100-sxm", "a100", "rtx-4090", "b200" };

  for (guint i = 0; i < G_N_ELEMENTS (gpus); i++)
    {
      CaseOptions options = { .text = attention.text, .gpu = gpus[i] };
      g_auto (Case) self = { 0 };
      const HeddleKernel *kernel;
      int smem;

      case_init (&self, &options);
      g_assert_cmpuint (self.plan->derivation->kernels->len, ==, 1);
      g_assert_cmpuint (self.plan->texts->len, ==, 1);
      kernel = g_ptr_array_index (self.plan->derivation->kernels, 0);
      g_assert_nonnull (heddle_loop_program_get_band (
          kernel->program, heddle_diagram_find_axis (self.diagram, "x")->id, HEDDLE_BAND_STREAM));
      smem = heddle_machine_find_level (self.plan->machine, "smem");
      g_assert_cmpint (case_kernel (&self, 0)->shared_bytes, <=,
          ((HeddleLevel *) g_ptr_array_index (self.plan->machine->levels, smem))->capacity_bytes);
    }
}

/* The sizes a plan is checked at suit its kernels: one whole tile and a ragged one, two chunks and a ragged one, and axes that have to agree do. */
static void
test_small_sizes (void)
{
  g_auto (Case) one = { 0 }, two = { 0 }, three = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL, equal = NULL, bounded = NULL;

  case_init (&one, &attention);
  sizes = heddle_plan_small_sizes (one.plan);
  g_assert_cmpint (heddle_sizes_get (sizes, heddle_diagram_find_axis (one.diagram, "y")->id), ==, 128 + 42);
  g_assert_cmpint (heddle_sizes_get (sizes, heddle_diagram_find_axis (one.diagram, "x")->id), ==, 128 + 42);
  g_assert_cmpint (heddle_sizes_get (sizes, heddle_diagram_find_axis (one.diagram, "k")->id), ==, 128);
  case_init (&two, &self_attention);
  equal = heddle_plan_small_sizes (two.plan);
  g_assert_cmpint (heddle_sizes_get (equal, heddle_diagram_find_axis (two.diagram, "y")->id), ==, 64 + 21);
  g_assert_cmpint (heddle_sizes_get (equal, heddle_diagram_find_axis (two.diagram, "x")->id), ==, 64 + 21);
  case_init (&three, &apart); /* whose softmax holds all 4096 of x */
  bounded = heddle_plan_small_sizes (three.plan);
  g_assert_cmpint (heddle_sizes_get (bounded, heddle_diagram_find_axis (three.diagram, "x")->id), ==, 4096);
  g_assert_cmpint (heddle_sizes_get (bounded, heddle_diagram_find_axis (three.diagram, "y")->id), <=, 15);
}

static gint64
size_of (const Case *self, const HeddleSizes *sizes, const char *axis)
{
  return heddle_sizes_get (sizes, heddle_diagram_find_axis (self->diagram, axis)->id);
}

/* A split axis has two parts to merge, however long they are. */
static void
test_small_sizes_split (void)
{
  static const CaseOptions split
      = { .text = "Q : f16[y=4096, k=128]\nK : f16[x=4096, k]\nV : f16[x, k]\n" ATTENTION_EQUATIONS,
          .fuse = "all",
          .labels = "y:group@smem=96 x:group@smem=1408 x:stream@smem=128",
          .name = "split" };
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (&self, &split);
  sizes = heddle_plan_small_sizes (self.plan);
  g_assert_cmpint (size_of (&self, sizes, "x"), >, 1408);
  if (case_has_cuda ())
    case_assert_right (self.plan, sizes, 1);
}

/* Windows have as much of an array below them as they have at the plan's sizes: of nothing but what is outside a largest is minus infinity. */
static void
test_small_sizes_reach (void)
{
  static const CaseOptions pools = {
    .text
    = "A : f16[n=64, h=224]\nparam W : f16[n, m=32]\naxis y = 112\naxis x = 56\naxis p = 3\naxis q = 3\n"
      "P[n,y] = max[p](A[n,2*y+p-1])\nQ[n,x] = max[q](P[n,2*x+q-1])\nO[x,m] = Q[n,x] W[n,m]\n",
    .automatic = TRUE
  };
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (&self, &pools);
  sizes = heddle_plan_small_sizes (self.plan);
  g_assert_cmpint (size_of (&self, sizes, "x"), <, 56);
  g_assert_cmpint (size_of (&self, sizes, "y"), ==, 2 * size_of (&self, sizes, "x"));
  g_assert_cmpint (size_of (&self, sizes, "h"), ==, 2 * size_of (&self, sizes, "y"));
  if (case_has_cuda ())
    case_assert_right (self.plan, sizes, 1);
}

/* A read of one element makes its array longer than the read along a diagonal does, which goes farther then: both stay inside, as in the plan. */
static void
test_small_sizes_reach_again (void)
{
  static const CaseOptions diagonal = {
    .text
    = "A : f16[c=2000, b=1300]\nt[] = A[50,100]\nD[b] = A[b+2,b]\nY[] = argmax[b](t[] + D[b] - b)\n-> Y\n"
  };
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (&self, &diagonal);
  sizes = heddle_plan_small_sizes (self.plan);
  g_assert_cmpint (size_of (&self, sizes, "b"), >, 100);
  g_assert_cmpint (size_of (&self, sizes, "b"), <, 1300);
  g_assert_cmpint (size_of (&self, sizes, "c"), >=, size_of (&self, sizes, "b") + 2);
  g_assert_cmpint (size_of (&self, sizes, "c"), <, 2000);
  if (case_has_cuda ())
    case_assert_right (self.plan, sizes, 1);
}

/* A size that cannot change, here of what two constants are joined to, keeps no other from being small. */
static void
test_small_sizes_apart (void)
{
  static const CaseOptions joined
      = { .text = "A : f32[y=392, x=392, a=64]\nB : f32[y, x, b=64]\nparam W : f32[v=3, w=3, c, f=64]\n"
                  "Z[y,x,c] = concat[c](A[y,x,a], B[y,x,b])\nO[i,j,f] = Z[i+v,j+w,c] W[v,w,c,f]\n",
          .automatic = TRUE };
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (&self, &joined);
  sizes = heddle_plan_small_sizes (self.plan);
  g_assert_cmpint (size_of (&self, sizes, "c"), ==, 128);
  g_assert_cmpint (size_of (&self, sizes, "i"), <, 64);
  g_assert_cmpint (size_of (&self, sizes, "y"), <, 66);
  if (case_has_cuda ())
    case_assert_right (self.plan, sizes, 1);
}

/* A mask: the whole block leaves out the steps it empties, and the sizes a plan is checked at have such steps. */
static void
test_masked (void)
{
  static const CaseOptions causal
      = { .text
          = "Q : f16[y=4096, k=64]\nK : f16[x=4096, k]\nV : f16[x, k]\n"
            "P[y,x] = softmax[x](where(x <= y, Q[y,k] K[x,k] * k^-0.5, -inf))\nO[y,k] = P[y,x] V[x,k]\n",
          .fuse = "all",
          .labels = ATTENTION_LABELS };
  g_auto (Case) self = { 0 };
  g_autoptr (HeddleSizes) sizes = NULL;

  case_init (&self, &causal);
  g_assert_nonnull (
      strstr (case_kernel (&self, 0)->kernel, "if (!(x_0 <= (y_0 + n_y - 1)))\n        continue;\n"));
  sizes = heddle_plan_small_sizes (self.plan);
  g_assert_cmpint (heddle_sizes_get (sizes, heddle_diagram_find_axis (self.diagram, "y")->id), ==, 128 + 42);
  g_assert_cmpint (heddle_sizes_get (sizes, heddle_diagram_find_axis (self.diagram, "x")->id), ==, 128 + 42);
}

/* The longest blocks of all heads start first, so that the short ones fill up the end. */
static void
test_longest_first (void)
{
  static const CaseOptions causal
      = { .text = "Q : f16[h=16, y=4096, k=64]\nK : f16[h, x=4096, k]\nV : f16[h, x, k]\n"
                  "P[h,y,x] = softmax[x](where(x <= y, Q[h,y,k] K[h,x,k] * k^-0.5, -inf))\n"
                  "O[h,y,k] = P[h,y,x] V[h,x,k]\n",
          .fuse = "all",
          .labels = "h:group@smem=1 y:group@smem=64 x:stream@smem=64" };
  g_auto (Case) self = { 0 };
  const char *kernel, *heads, *rows;

  case_init (&self, &causal);
  kernel = case_kernel (&self, 0)->kernel;
  heads = strstr (kernel, "const long long h_0 = block % ((h + TILE_h - 1) / TILE_h) * TILE_h;");
  rows = strstr (kernel, "const long long y_0 = ((y + TILE_y - 1) / TILE_y - 1 - block) * TILE_y;");
  g_assert_nonnull (heads);
  g_assert_nonnull (rows);
  g_assert_true (heads < rows);
  if (case_has_cuda ())
    {
      g_autoptr (HeddleSizes) sizes = heddle_plan_small_sizes (self.plan);

      case_assert_right (self.plan, sizes, 1);
    }
}

/* --- what compilers say --- */

static char *
write_file (const char *directory, const char *name, const char *text)
{
  char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static void
test_all_architectures (gconstpointer data)
{
  const CaseOptions *options = data;
  g_auto (Case) self = { 0 };
  g_autofree char *nvcc = heddle_nvcc_find (), *directory = NULL, *module = NULL, *source = NULL,
                  *library = NULL, *output = NULL, *symbols = NULL;

  if (!case_has_cuda ())
    return;
  directory = case_directory ();
  case_init (&self, options);
  module = case_module (&self, NULL, NULL);
  source = write_file (directory, "kernel.cu", module);
  library = g_build_filename (directory, "kernel.so", NULL);
  output = case_run ((const char *const[]){ nvcc, "-std=c++17", "-Werror", "all-warnings", "-gencode",
      "arch=compute_80,code=sm_80", "-gencode", "arch=compute_89,code=sm_89", "-gencode",
      "arch=compute_90a,code=sm_90a", "-gencode", "arch=compute_100a,code=sm_100a", "-Xcompiler",
      "-fPIC,-Wall,-Wextra", "-shared", "-o", library, source, NULL });
  g_assert_cmpstr (output, ==, "");
  symbols = case_run ((const char *const[]){ "nm", "-D", "--defined-only", library, NULL });
  g_assert_nonnull (strstr (symbols, "_message\n"));
  case_remove (directory);
}

/* What a host program sees, up to where a GPU is needed. */
static const char host[]
    = "#include \"double_.h\"\n#include <stdio.h>\n"
      "int\nmain (void)\n{\n"
      "  char a[512];\n"
      "  char *array = a + 256 - ((size_t) a & 255);\n"
      "  printf (\"%d %d\\n\", double_ (0, array, 85, 85, 0), double_ (array, 0, 85, 85, 0));\n"
      "  printf (\"%d %d\\n\", double_ (array, array, 0, 85, 0), double_ (array, array, 85, 84, 0));\n"
      "  printf (\"%d\\n\", double_ (array + 1, array, 85, 85, 0));\n"
      "  printf (\"%s\\n\", double__message (-6));\n"
      "  return 0;\n}\n";

static void
test_launcher (void)
{
  g_auto (Case) self = { 0 };
  g_autofree char *nvcc = heddle_nvcc_find (), *directory = NULL, *header = NULL, *module = NULL,
                  *source = NULL, *header_path = NULL, *main_path = NULL, *program = NULL, *built = NULL,
                  *output = NULL;

  if (!case_has_cuda ())
    return;
  directory = case_directory ();
  case_init (&self, &self_attention);
  module = case_module (&self, NULL, &header);
  source = write_file (directory, "kernel.cu", module);
  header_path = write_file (directory, "double_.h", header);
  main_path = write_file (directory, "main.c", host);
  program = g_build_filename (directory, "main", NULL);
  built = case_run ((const char *const[]){
      nvcc, "-std=c++17", "-arch=sm_80", "-Werror", "all-warnings", "-o", program, source, main_path, NULL });
  g_assert_cmpstr (built, ==, "");
  output = case_run ((const char *const[]){ program, NULL });
  g_assert_cmpstr (output, ==, "-1 -1\n-2 -6\n-3\ntwo sizes that have to agree differ\n");
  case_remove (directory);
}

/* The whole .cu is for NVRTC too, which has no headers. */
static void
test_nvrtc (gconstpointer data)
{
  g_auto (Case) self = { 0 };
  g_autofree char *module = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation = NULL;

  if (!heddle_nvrtc_is_available ())
    {
      if (case_has_cuda ())
        g_assert_not_reached ();
      return;
    }
  case_init (&self, data);
  module = case_module (&self, NULL, NULL);
  compilation = heddle_nvrtc_compile (module, "sm_90a", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (compilation->ptx, case_kernel (&self, 0)->entry));
}

int
main (int argc, char **argv)
{
  static const CaseOptions *const cases[] = { &attention, &apart, &self_attention, &many };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/emit/golden/attention", &attention, test_golden);
  g_test_add_data_func ("/emit/golden/apart", &apart, test_golden);
  g_test_add_func ("/emit/order", test_order);
  g_test_add_func ("/emit/ids", test_ids);
  g_test_add_func ("/emit/lines", test_lines);
  g_test_add_func ("/emit/comments", test_comments);
  g_test_add_func ("/emit/titles", test_titles);
  g_test_add_func ("/emit/long-lines", test_long_lines);
  g_test_add_func ("/emit/nothing", test_nothing);
  g_test_add_func ("/emit/suggested", test_suggested);
  g_test_add_func ("/emit/small-sizes", test_small_sizes);
  g_test_add_func ("/emit/small-sizes-split", test_small_sizes_split);
  g_test_add_func ("/emit/small-sizes-apart", test_small_sizes_apart);
  g_test_add_func ("/emit/small-sizes-reach", test_small_sizes_reach);
  g_test_add_func ("/emit/small-sizes-reach-again", test_small_sizes_reach_again);
  g_test_add_func ("/emit/masked", test_masked);
  g_test_add_func ("/emit/longest-first", test_longest_first);
  g_test_add_func ("/emit/launcher", test_launcher);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *nvcc = g_strconcat ("/emit/architectures/", cases[i]->name, NULL);
      g_autofree char *nvrtc = g_strconcat ("/emit/nvrtc/", cases[i]->name, NULL);

      g_test_add_data_func (nvcc, cases[i], test_all_architectures);
      g_test_add_data_func (nvrtc, cases[i], test_nvrtc);
    }
  return g_test_run ();
}
