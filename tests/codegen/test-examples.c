/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/memory-cache.h"
#include "codegen/emit/emit.h"
#include "codegen/module/launches.h"
#include "codegen/module/module.h"
#include "codegen/verify/apart.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/run.h"
#include "codegen/verify/sizes.h"
#include "codegen/verify/verify.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "example.h"

/* Every example becomes kernels with their launcher: those of one GPU, where it is for several. What is printed alike is looked at once. The K-th of
 * N parts of them, K/N: after --check each kernel is interpreted, at two ragged sizes; after --compile it is compiled for all architectures; after
 * --verify it is interpreted at sizes of all kinds, from three seeds. Between them may stand --from FOLDER: the examples are those of that folder,
 * and their kernels spill nothing. */

typedef struct
{
  const char *const *gpus;
  void (*look) (const HeddlePlan *plan); /* NULL: it is printed, that is all */
} Work;

static const char *const two[] = { "a100", "h100", NULL };
static const char *const five[] = { "a100", "l40s", "h100", "b200", "rtx-5090", NULL };

static const Work *work;
static gboolean spills_nothing; /* whether a kernel that spills anything is a fault */
static const char *left_out; /* what was asked for and cannot be done without CUDA, or NULL */
static GHashTable *done; /* texts that were compiled, or interpreted */

static guint
count (const char *text, const char *word)
{
  guint n = 0;

  for (const char *p = strstr (text, word); p != NULL; p = strstr (p + 1, word))
    n++;
  return n;
}

/* What merges the parts of a split axis is of no family by choice. */
static gboolean
merges (const HeddlePlan *plan, const HeddleKernelText *text)
{
  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    if (((HeddleKernel *) g_ptr_array_index (plan->derivation->kernels, i))->program == text->program)
      return FALSE;
  return TRUE;
}

static guint
count_different (GPtrArray *texts)
{
  guint n = 0;

  for (guint i = 0; i < texts->len; i++)
    n += ((const HeddleKernelText *) g_ptr_array_index (texts, i))->duplicate_of == NULL;
  return n;
}

/* All kernels are in the file, its launcher starts each, and what is not on the tensor core says why. */
static void
assert_module (const HeddlePlan *plan)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *header = NULL;
  g_autofree char *module
      = heddle_codegen_module (plan->whole, plan->texts, plan->sizes, plan->dtype, NULL, &header, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count (module, "__global__"), ==, count_different (plan->texts));
  g_assert_cmpuint (count (module, "<<<"), ==, plan->texts->len);
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);
      g_autofree char *name = g_strconcat (text->entry, " (", NULL);

      g_assert_true (text->duplicate_of != NULL || count (module, name) > 0);
      g_assert_true (
          text->family != HEDDLE_FAMILY_GENERAL || text->family_reason != NULL || merges (plan, text));
    }
  g_assert_nonnull (strstr (header, "cudaStream_t"));
}

/* The head of a file of PTX, which ptxas reads as ASCII alone. */
static char *
ptx_head (const HeddlePlan *plan)
{
  char *head = heddle_codegen_launches (plan->whole, plan->texts, plan->sizes, plan->dtype);

  g_assert_true (g_str_is_ascii (head));
  g_assert_cmpuint (count (head, "// To start it: "), ==, plan->texts->len);
  return head;
}

/* Whether it is the first of its kind. */
static gboolean
is_new (const HeddleKernelText *text)
{
  return text->duplicate_of == NULL
         && g_hash_table_add (done, heddle_memory_cache_key ("", text->arch, text->device));
}

static gboolean
has_new (const GPtrArray *texts)
{
  gboolean new = FALSE;

  for (guint i = 0; i < texts->len; i++)
    new |= is_new (g_ptr_array_index (texts, i));
  return new;
}

/* What a loop loads of and stores to local memory. More are registers that were not counted: of main loops a kernel with 192 sums and two tiles of rows has
 * the most, three loads and two stores in a step of 384 products; of all, one that goes through what rows choose. Numbers of one toolkit. */
#define MOST_SPILLS_IN_MAIN_LOOP 5
#define MOST_SPILLS_IN_LOOPS 12
#define TOOLKIT "13.0"

static void
audit (const HeddleKernelText *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation = heddle_compile (text, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (compilation->cubin), >, 0);
  g_assert_true (g_str_is_ascii (compilation->ptx));
  g_assert_true (compilation->audited);
  if (compilation->spill_bytes == 0)
    return;
  g_test_message ("%s for %s, %s: %d registers, %d bytes spilled, %u times in the main loop, %u in all",
      text->name, text->arch, heddle_family_to_string (text->family), compilation->registers,
      (int) compilation->spill_bytes, compilation->audit.loop_spills, compilation->audit.spills_in_loops);
  if (spills_nothing)
    g_test_fail_printf ("%s for %s spills %d bytes", text->name, text->arch, (int) compilation->spill_bytes);
  if (strstr (compilation->compiler, TOOLKIT) != NULL
      && (compilation->audit.loop_spills > MOST_SPILLS_IN_MAIN_LOOP
          || compilation->audit.spills_in_loops > MOST_SPILLS_IN_LOOPS))
    g_test_fail_printf ("%s for %s spills %u times in its main loop, %u in all", text->name, text->arch,
        compilation->audit.loop_spills, compilation->audit.spills_in_loops);
}

/* A file of PTX with the head of all kernels and the code of the first, as an assembler reads it. */
static void
assemble (const HeddlePlan *plan)
{
  const HeddleKernelText *text = g_ptr_array_index (plan->texts, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation = heddle_compile (text, NULL, &error);
  g_autofree char *nvcc = heddle_nvcc_find (), *folder = nvcc != NULL ? g_path_get_dirname (nvcc) : NULL;
  g_autofree char *head = ptx_head (plan), *ptx = NULL, *directory = NULL, *file = NULL, *option = NULL,
                  *assembler = NULL, *output = NULL;

  g_assert_no_error (error);
  if (nvcc == NULL)
    return;
  directory = case_directory ();
  file = g_build_filename (directory, "kernel.ptx", NULL);
  ptx = g_strconcat (head, compilation->ptx, NULL);
  g_file_set_contents (file, ptx, -1, &error);
  g_assert_no_error (error);
  assembler = g_build_filename (folder, "ptxas", NULL);
  option = g_strconcat ("-arch=", text->arch, NULL);
  output = case_run ((const char *const[]){ assembler, option, "-o", "/dev/null", file, NULL });
  g_assert_cmpstr (output, ==, "");
  case_remove (directory);
}

static void
compile (const HeddlePlan *plan)
{
  assemble (plan);
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (is_new (text))
        audit (text);
    }
}

/* --- each kernel on its own, on random values --- */

/* Of threads, in one run: of a kernel that takes more some blocks are run. */
#define MOST_INSTRUCTIONS 6000000

/* NULL: it is right. */
static char *
find_fault (const HeddlePlanPart *part, const HeddleSizes *sizes, guint64 seed, guint orders)
{
  const HeddlePlan *plan = &part->plan;
  HeddleVerifyRun run = { .diagram = plan->diagram,
    .sizes = sizes,
    .texts = plan->texts,
    .dtype = plan->dtype,
    .seed = seed,
    .maker = part->maker,
    .orders = orders,
    .most_instructions = MOST_INSTRUCTIONS };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) results = heddle_verify_run (&run, plan->derivation, HEDDLE_VERIFY_CPU, &error);
  const HeddleVerification *result = results != NULL ? g_ptr_array_index (results, 0) : NULL;
  g_autofree char *at = NULL;

  if (result != NULL && result->passed)
    return NULL;
  at = case_describe_sizes (plan->diagram, sizes);
  return g_strdup_printf (
      "at %s, seed %" G_GUINT64_FORMAT ": %s", at, seed, result != NULL ? result->detail : error->message);
}

/* Whole parts and a ragged one, warps in order and copies as late as may be; then rows that are aligned, where they can be, or shorter than any part, in
 * a drawn order. */
static char *
find_fault_of (const HeddlePlanPart *part)
{
  g_autoptr (HeddleSizes) ragged = heddle_plan_small_sizes (&part->plan);
  g_autoptr (HeddleSizes) other = heddle_plan_aligned_sizes (&part->plan, ragged);
  char *fault = find_fault (part, ragged, 1, HEDDLE_VERIFY_LATE);

  if (fault != NULL)
    return fault;
  if (other == NULL || heddle_plan_is_large (&part->plan, other))
    {
      g_clear_pointer (&other, heddle_sizes_unref);
      other = case_sizes_at (&part->plan, ragged, 7, 0);
    }
  return find_fault (part, other, 1, HEDDLE_VERIFY_DRAWN);
}

/* A kernel that was not looked at before; %NULL: there was no fault. */
typedef char *(*FindFault) (const HeddlePlanPart *part);

/* Whether the plan starts another kernel in the place of that of the part: it differs in names alone. */
static gboolean
is_duplicate (const HeddlePlan *plan, const HeddlePlanPart *part)
{
  const HeddleKernelText *own = g_ptr_array_index (part->plan.texts, 0);

  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);

      if (g_str_equal (text->name, own->name))
        return text->duplicate_of != NULL;
    }
  return FALSE;
}

static void
look_at_each (const HeddlePlan *plan, FindFault find, void (*then) (const HeddleKernelText *text))
{
  const GPtrArray *kernels = plan->derivation->kernels;

  for (guint i = 0; i < kernels->len; i++)
    {
      HeddleKernel *kernel = g_ptr_array_index (kernels, i);
      g_auto (HeddlePlanPart) part = { 0 };
      g_autofree char *fault = NULL;

      heddle_plan_part_init (&part, plan, kernel);
      if (is_duplicate (plan, &part) || !has_new (part.plan.texts))
        continue;
      fault = find (&part);
      if (fault != NULL)
        g_test_fail_printf ("%s for %s %s", kernel->program->name, plan->machine->name, fault);
      for (guint k = 0; then != NULL && k < part.plan.texts->len; k++)
        then (g_ptr_array_index (part.plan.texts, k));
    }
}

static void
check (const HeddlePlan *plan)
{
  look_at_each (plan, find_fault_of, audit);
}

/* At sizes of all kinds, of the axes that may have them, on values of three seeds, copies made as late as may be and at once; in a drawn order, too. */
static char *
find_fault_throughout (const HeddlePlanPart *part)
{
  static const gint64 lengths[] = { 1, 7, 63, 64, 65, 129 };
  g_autoptr (HeddleSizes) base = heddle_plan_small_sizes (&part->plan);
  char *fault = NULL;

  for (guint s = 0; s < G_N_ELEMENTS (lengths) && fault == NULL; s++)
    for (guint64 seed = 1; seed <= 3 && fault == NULL; seed++)
      {
        g_autoptr (HeddleSizes) sizes = case_sizes_at (&part->plan, base, lengths[s], (guint) seed - 1);

        fault = find_fault (part, sizes, seed,
            HEDDLE_VERIFY_LATE | HEDDLE_VERIFY_EARLY | (seed == 3 ? HEDDLE_VERIFY_DRAWN : 0));
      }
  return fault;
}

/* What a person who verifies sees, then each kernel alone. */
static void
verify (const HeddlePlan *plan)
{
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) results = heddle_plan_verify_small (plan, HEDDLE_VERIFY_CPU, 1, &sizes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (results->len, ==, plan->derivation->kernels->len);
  for (guint i = 0; i < results->len; i++)
    {
      const HeddleVerification *result = g_ptr_array_index (results, i);

      if (!result->passed)
        g_test_fail_printf ("%s for %s: %s", result->kernel, plan->machine->name, result->detail);
    }
  look_at_each (plan, find_fault_throughout, NULL);
}

/* A first kernel that no other test interprets, damaged in one place, that the first such text is taken out of. */
typedef struct
{
  const char *name, *gpu, *from, *to;
} Mutation;

static const Mutation mutations[] = {
  { "residual-tower.ncd", "a100", "__syncthreads ();", "" },
  { "residual-tower.ncd", "a100", "wait_for_copies<0> ();", "wait_for_copies<1> ();" },
  { "residual-tower.ncd", "a100", "if (row + 8 * half < n_n)", "if (row + 8 * half <= n_n)" },
  { "visual-attention.ncd", "h100", "__syncthreads ();", "" },
};

static void
mutate (HeddleKernelText *text, const Mutation *mutation)
{
  char *found = strstr (strstr (text->device, "__global__"), mutation->from), *before = text->device;

  g_assert_nonnull (found);
  *found = '\0';
  text->device = g_strconcat (before, mutation->to, found + strlen (mutation->from), NULL);
  g_free (before);
}

static void
test_caught (gconstpointer data)
{
  const Mutation *mutation = data;
  g_autoptr (HeddleSnapshot) snapshot = NULL;
  g_autoptr (GPtrArray) plans = NULL;
  const HeddlePlan *plan;
  g_auto (HeddlePlanPart) part = { 0 };
  g_autofree char *sound = NULL, *fault = NULL;

  if (!case_has_cuda ())
    return;
  snapshot = example_read (mutation->name);
  plans = example_plans (snapshot, mutation->gpu);
  plan = g_ptr_array_index (plans, 0);
  heddle_plan_part_init (&part, plan, g_ptr_array_index (plan->derivation->kernels, 0));
  sound = find_fault_of (&part);
  g_assert_cmpstr (sound, ==, NULL);
  mutate (g_ptr_array_index (part.plan.texts, 0), mutation);
  fault = find_fault_of (&part);
  g_assert_nonnull (fault);
  g_test_message ("%s", fault);
}

static void
test_export (gconstpointer name)
{
  g_autoptr (HeddleSnapshot) snapshot = example_read (name);

  for (const char *const *gpu = work->gpus; *gpu != NULL; gpu++)
    {
      g_autoptr (GPtrArray) plans = example_plans (snapshot, *gpu);

      for (guint k = 0; k < plans->len; k++)
        {
          const HeddlePlan *plan = g_ptr_array_index (plans, k);

          g_autofree char *head = NULL;

          assert_module (plan);
          head = ptx_head (plan);
          if (work->look != NULL)
            work->look (plan);
        }
    }
  if (left_out != NULL)
    g_test_skip (left_out);
}

static void
add_examples (const char *part)
{
  g_autoptr (GPtrArray) names = example_names (part);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_strdup_printf ("/examples/%s", name);

      g_test_add_data_func_full (path, g_strdup (name), test_export, g_free);
    }
}

int
main (int argc, char **argv)
{
  static const Work prints = { two, NULL }, checks = { two, check }, compiles = { five, compile },
                    verifies = { two, verify };
  const char *part, *what;
  int status;

  g_test_init (&argc, &argv, NULL);
  what = argc > 2 ? argv[1] : "";
  if (*what != '\0' && !heddle_compile_is_available (NULL))
    {
      left_out = "printed only: there is no CUDA compiler to go on with";
      what = "";
    }
  part = argc > 1 ? argv[argc - 1] : "1/1";
  if (argc > 4 && g_str_equal (argv[2], "--from"))
    {
      example_set_folder (argv[3]);
      spills_nothing = TRUE;
    }
  work = g_str_equal (what, "--check")     ? &checks
         : g_str_equal (what, "--compile") ? &compiles
         : g_str_equal (what, "--verify")  ? &verifies
                                           : &prints;
  done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  add_examples (part);
  for (guint i = 0; argc == 3 && g_str_equal (what, "--check") && g_str_has_prefix (part, "1/")
                    && i < G_N_ELEMENTS (mutations);
       i++)
    {
      g_autofree char *path = g_strdup_printf ("/caught/%s/%u", mutations[i].name, i);

      g_test_add_data_func (path, &mutations[i], test_caught);
    }
  status = g_test_run ();
  g_hash_table_unref (done);
  return status;
}
