/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/compiler.h"
#include "derive/shard.h"

/* Every example becomes kernels with their launcher. With --compile, all of them for all architectures; what is printed alike is compiled
 * once. */

static const char *const emitted[] = { "a100", "h100" };
static const char *const compiled[] = { "a100", "l40s", "h100", "b200", "rtx-5090" };

static GHashTable *done; /* texts that were compiled */

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

static HeddlePlan *
plan_for (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *gpu)
{
  g_autoptr (GError) error = NULL;
  const HeddleSchedule *own = heddle_snapshot_find_schedule (snapshot, diagram);
  /* the file's own machine has the links that it names, and others may have none */
  g_autoptr (HeddleMachine) machine
      = heddle_machine_find (own != NULL && own->gpu != NULL ? own->gpu : gpu, 0, NULL);
  HeddleSchedule *schedule = own != NULL ? heddle_schedule_unsharded (own, machine) : NULL;
  HeddlePlan *plan
      = heddle_plan_new (diagram, schedule, gpu, HEDDLE_DTYPE_UNSET, HEDDLE_FAMILY_AUTO, NULL, NULL, &error);

  g_clear_pointer (&schedule, heddle_schedule_free);
  g_assert_no_error (error);
  return plan;
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

static void
compile (const HeddlePlan *plan)
{
  for (guint i = 0; i < plan->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (HeddleCompilation) compilation = NULL;
      g_autofree char *key = g_strconcat (text->arch, "\n", text->device, NULL);

      if (!g_hash_table_add (done, g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1)))
        continue;
      compilation = heddle_compile (text, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_bytes_get_size (compilation->cubin), >, 0);
    }
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
  const char *const *gpus = done != NULL ? compiled : emitted;

  g_assert_no_error (error);
  diagram = heddle_snapshot_get_diagram_by_id (snapshot, first->id);
  for (guint i = 0; i < (done != NULL ? G_N_ELEMENTS (compiled) : G_N_ELEMENTS (emitted)); i++)
    {
      g_autoptr (HeddlePlan) plan = plan_for (snapshot, diagram, gpus[i]);

      assert_module (plan);
      if (done != NULL)
        compile (plan);
    }
}

static void
add_examples (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ncd"))
      {
        g_autofree char *path = g_strdup_printf ("/examples/%s", name);

        g_test_add_data_func_full (path, g_build_filename (folder, name, NULL), test_export, g_free);
      }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  if (argc > 1 && g_str_equal (argv[1], "--compile") && heddle_compile_is_available (NULL))
    done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  add_examples ();
  status = g_test_run ();
  g_clear_pointer (&done, g_hash_table_unref);
  return status;
}
