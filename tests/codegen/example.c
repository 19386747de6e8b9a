/* SPDX-License-Identifier: MIT */
#include "example.h"

#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/shard/layout.h"
#include "derive/shard/shard.h"
#include "derive/shard/small.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/diagram.h"
#include "files/exchange/load.h"

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static char *own_folder; /* NULL: data/examples */

void
example_set_folder (const char *folder)
{
  g_free (own_folder);
  own_folder = g_strdup (folder);
}

static char *
dup_folder (void)
{
  return own_folder != NULL ? g_strdup (own_folder)
                            : g_build_filename (g_getenv ("HEDDLE_DATADIR"), "examples", NULL);
}

GPtrArray *
example_names (const char *part)
{
  g_autofree char *folder = dup_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  char *slash;
  guint k = (guint) g_ascii_strtoull (part, &slash, 10), n;
  const char *name;

  g_assert_nonnull (dir);
  g_assert_true (*slash == '/');
  n = (guint) g_ascii_strtoull (slash + 1, NULL, 10);
  g_assert_true (k >= 1 && k <= n);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ncd") || g_str_has_suffix (name, ".eq"))
      g_ptr_array_add (all, g_strdup (name));
  g_ptr_array_sort (all, compare_names);
  for (guint i = k - 1; i < all->len; i += n)
    g_ptr_array_add (names, g_strdup (g_ptr_array_index (all, i)));
  return names;
}

HeddleSnapshot *
example_read (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *folder = dup_folder (), *path = g_build_filename (folder, name, NULL);
  g_autoptr (HeddleSnapshot) whole = heddle_file_load (path, problems, &error);
  HeddleSnapshot *flat;

  g_assert_no_error (error);
  flat = heddle_snapshot_flatten (whole, heddle_snapshot_get_diagram (whole, NULL), NULL, NULL, &error);
  g_assert_no_error (error);
  return flat;
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

GPtrArray *
example_plans (const HeddleSnapshot *snapshot, const char *gpu)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *plans = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_plan_free);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
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
