/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/compiler.h"
#include "codegen/verify.h"
#include "derive/shard.h"

/* Every example becomes kernels with their launcher: those of one GPU, where it is for several. With --compile K/N, the K-th of N parts of them for
 * all architectures; what is printed alike is compiled once. With --verify K/N, kernels are interpreted: at sizes of all kinds, from three seeds. */

static const char *const emitted[] = { "a100", "h100" };
static const char *const compiled[] = { "a100", "l40s", "h100", "b200", "rtx-5090" };

static gboolean compiles, verifies;
static GHashTable *done; /* texts that were compiled, or interpreted */

static HeddleSnapshot *
read_example (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *text = NULL;
  gsize length;
  HeddleSnapshot *snapshot;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  snapshot = heddle_ncd_read (text, length, path, problems);
  g_assert_nonnull (snapshot);
  return snapshot;
}

/* Of what each of several GPUs does. */
static void
add_shards (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const HeddleMachine *machine,
    GPtrArray *plans)
{
  g_autoptr (GError) error = NULL;
  HeddleDtype dtype = schedule->dtype != HEDDLE_DTYPE_UNSET ? schedule->dtype : HEDDLE_DTYPE_F16;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  g_autoptr (HeddleSharding) sharding
      = heddle_sharding_new (diagram, schedule, sizes, machine, dtype, &error);

  g_assert_no_error (error);
  g_assert_true (heddle_sharding_check (sharding, &error));
  for (guint i = 0; i < sharding->steps->len; i++)
    {
      const HeddleShardStep *step = g_ptr_array_index (sharding->steps, i);

      if (step->segment == NULL)
        continue;
      g_ptr_array_add (plans, heddle_plan_new_on (step->segment->diagram, step->segment->schedule, machine,
                                  dtype, HEDDLE_FAMILY_AUTO, NULL, NULL, &error));
      g_assert_no_error (error);
    }
}

/* Of HeddlePlan. A machine that has no such links as the file's labels name does it all alone. */
static GPtrArray *
plans_for (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *gpu)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *plans = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_plan_free);
  const HeddleSchedule *own = heddle_snapshot_find_schedule (snapshot, diagram);
  g_autoptr (HeddleMachine) machine = heddle_machine_find (gpu, 0, &error), its = NULL;
  gboolean sharded;

  g_assert_no_error (error);
  its = own != NULL && own->gpu != NULL ? heddle_machine_find (own->gpu, 0, NULL) : NULL;
  sharded = its != NULL && heddle_schedule_is_sharded (own, its);
  if (sharded && machine->links->len > 0)
    add_shards (diagram, own, machine, plans);
  else
    g_ptr_array_add (plans, heddle_plan_new (diagram, sharded ? NULL : own, gpu, HEDDLE_DTYPE_UNSET,
                                HEDDLE_FAMILY_AUTO, NULL, NULL, &error));
  g_assert_no_error (error);
  return plans;
}

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
    n += ((const HeddleKernelText *) g_ptr_array_index (texts, i))->same == NULL;
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

      g_assert_true (text->same != NULL || count (module, name) > 0);
      g_assert_true (
          text->family != HEDDLE_FAMILY_GENERAL || text->family_reason != NULL || merges (plan, text));
    }
  g_assert_nonnull (strstr (header, "cudaStream_t"));
}

/* Whether it is the first of its kind. */
static gboolean
is_new (const HeddleKernelText *text)
{
  g_autofree char *key = g_strconcat (text->arch, "\n", text->device, NULL);

  return g_hash_table_add (done, g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1));
}

static void
compile (const HeddlePlan *plan)
{
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) compilation = NULL;

      if (!is_new (text))
        continue;
      compilation = heddle_compile (text, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_bytes_get_size (compilation->cubin), >, 0);
    }
}

/* What is too large for arrays of all values is interpreted kernel by kernel, each at sizes of its own. */
static void
verify_apart (const HeddlePlan *plan)
{
  for (guint64 seed = 1; seed <= 3; seed++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) results = heddle_plan_verify_apart (plan, seed, NULL, &error);

      g_assert_no_error (error);
      for (guint i = 0; i < results->len; i++)
        {
          const HeddleVerification *result = g_ptr_array_index (results, i);

          if (!result->passed)
            g_error ("%s: %s", result->kernel, result->detail);
        }
      g_assert_cmpuint (results->len, ==, plan->derivation->kernels->len);
    }
}

static void
verify (const HeddlePlan *plan)
{
  g_autoptr (HeddleSizes) small = heddle_plan_small_sizes (plan);
  gboolean new = FALSE;

  for (guint i = 0; i < plan->texts->len; i++)
    new |= is_new (g_ptr_array_index (plan->texts, i));
  if (!new)
    return;
  if (heddle_plan_is_large (plan, small))
    verify_apart (plan);
  else
    case_assert_right_throughout (plan, small);
}

static void
test_export (gconstpointer path)
{
  g_autoptr (HeddleSnapshot) whole = read_example (path);
  g_autoptr (GError) error = NULL;
  const HeddleDiagram *first = heddle_snapshot_get_diagram (whole, NULL);
  g_autoptr (HeddleSnapshot) snapshot = heddle_diagram_has_calls (first)
                                            ? heddle_snapshot_flatten (whole, first, NULL, NULL, &error)
                                            : heddle_snapshot_ref (whole);
  const HeddleDiagram *diagram;

  g_assert_no_error (error);
  diagram = heddle_snapshot_get_diagram_by_id (snapshot, first->id);
  for (guint i = 0; i < (compiles ? G_N_ELEMENTS (compiled) : G_N_ELEMENTS (emitted)); i++)
    {
      g_autoptr (GPtrArray) plans = plans_for (snapshot, diagram, compiles ? compiled[i] : emitted[i]);

      for (guint k = 0; k < plans->len; k++)
        {
          const HeddlePlan *plan = g_ptr_array_index (plans, k);

          assert_module (plan);
          if (compiles)
            compile (plan);
          else if (verifies)
            verify (plan);
        }
    }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

/* @part: "k/n": every n-th example, from the k-th on. */
static void
add_examples (const char *part)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint k = (guint) g_ascii_strtoull (part, NULL, 10), n = (guint) g_ascii_strtoull (part + 2, NULL, 10);
  const char *name;

  g_assert_nonnull (dir);
  g_assert_true (k >= 1 && k <= n);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ncd"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = k - 1; i < names->len; i += n)
    {
      g_autofree char *path = g_strdup_printf ("/examples/%s", (char *) g_ptr_array_index (names, i));

      g_test_add_data_func_full (
          path, g_build_filename (folder, g_ptr_array_index (names, i), NULL), test_export, g_free);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  compiles = argc > 2 && g_str_equal (argv[1], "--compile") && heddle_compile_is_available (NULL);
  verifies = argc > 2 && g_str_equal (argv[1], "--verify") && heddle_compile_is_available (NULL);
  done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  add_examples (argc > 2 ? argv[2] : "1/1");
  status = g_test_run ();
  g_hash_table_unref (done);
  return status;
}
