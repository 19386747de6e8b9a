/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/base/save.h"
#include "files/ncd/read.h"
#include "files/ncd/write.h"
#include "files/optimise/result-cache.h"

/* This file caches what was found of a piece, by its content: there is a file for each under the user's
 * cache. One that cannot be read, or is of another version, counts as absent. */

#define GROUP "piece"

static char *
path_of (const HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options)
{
  g_autoptr (GString) all = g_string_new (HEDDLE_VERSION);
  g_autofree char *name = NULL;
  gsize length;
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  g_autofree char *own = NULL;

  heddle_snapshot_add_diagram (snapshot, heddle_diagram_copy (self->before));
  own = heddle_ncd_write (snapshot, &length, NULL);
  g_string_append_printf (all, "\n%s\n%d\n%d\n%s\n%s", options->gpu, options->dtype, options->family, text,
      own != NULL ? own : "");
  name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, all->str, (gssize) all->len);
  return g_build_filename (g_get_user_cache_dir (), "heddle", "optimise", name, NULL);
}

/* Returns a hash of what a compiler gets: that is what was verified. */
static char *
hash_of (const HeddlePlan *plan)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < plan->texts->len; i++)
    g_checksum_update (
        sum, (const guchar *) ((const HeddleKernelText *) g_ptr_array_index (plan->texts, i))->device, -1);
  return g_strdup (g_checksum_get_string (sum));
}

/* --- writing ------------------------------------------------------------------------ */

static void
keep_steps (GKeyFile *file, GPtrArray *steps)
{
  for (guint i = 0; i < steps->len; i++)
    {
      const HeddleOptimiseStep *step = g_ptr_array_index (steps, i);
      g_autofree char *group = g_strdup_printf ("step %u", i);

      g_key_file_set_string (file, group, "title", step->title);
      g_key_file_set_integer (file, group, "places", (int) step->places);
      g_key_file_set_double (file, group, "before", step->before_s);
      g_key_file_set_double (file, group, "after", step->after_s);
      g_key_file_set_boolean (file, group, "kept", step->kept);
    }
}

static void
keep_refusals (GKeyFile *file, GPtrArray *refusals)
{
  for (guint i = 0; i < refusals->len; i++)
    {
      const HeddleOptimiseRefusal *refusal = g_ptr_array_index (refusals, i);
      g_autofree char *group = g_strdup_printf ("refusal %u", i);

      g_key_file_set_string (file, group, "first", refusal->first);
      g_key_file_set_string (file, group, "second", refusal->second);
      g_key_file_set_string (file, group, "reason", refusal->reason);
    }
}

static char *
document_of (const HeddlePlan *plan)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  HeddleDiagram *diagram = heddle_snapshot_add_diagram (snapshot, heddle_diagram_copy (plan->whole));
  HeddleSchedule *schedule = heddle_plan_get_schedule (plan);

  schedule->diagram = diagram->id;
  g_ptr_array_add (snapshot->schedules, schedule);
  return heddle_ncd_write (snapshot, NULL, NULL);
}

void
heddle_piece_store (const HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = path_of (self, text, options), *folder = g_path_get_dirname (path),
                  *hash = hash_of (self->plan), *document = document_of (self->plan), *data = NULL;
  gsize length;

  if (document == NULL || g_mkdir_with_parents (folder, 0700) != 0)
    return;
  g_key_file_set_string (file, GROUP, "document", document);
  g_key_file_set_string (file, GROUP, "hash", hash);
  g_key_file_set_string (file, GROUP, "verification", self->verification);
  keep_steps (file, self->steps);
  keep_refusals (file, self->refusals);
  data = g_key_file_to_data (file, &length, NULL);
  heddle_file_save (path, data, length, NULL);
}

/* --- reading ------------------------------------------------------------------------ */

static void
load_steps (HeddleOptimisedPiece *self, GKeyFile *file)
{
  for (guint i = 0;; i++)
    {
      g_autofree char *group = g_strdup_printf ("step %u", i);
      g_autofree char *title = g_key_file_get_string (file, group, "title", NULL);
      HeddleOptimiseStep *step;

      if (title == NULL)
        return;
      step = g_new (HeddleOptimiseStep, 1);
      *step = (HeddleOptimiseStep){ g_intern_string (title),
        (guint) g_key_file_get_integer (file, group, "places", NULL),
        g_key_file_get_double (file, group, "before", NULL),
        g_key_file_get_double (file, group, "after", NULL),
        g_key_file_get_boolean (file, group, "kept", NULL) };
      g_ptr_array_add (self->steps, step);
    }
}

static void
load_refusals (HeddleOptimisedPiece *self, GKeyFile *file)
{
  for (guint i = 0;; i++)
    {
      g_autofree char *group = g_strdup_printf ("refusal %u", i);
      HeddleOptimiseRefusal *refusal;

      if (!g_key_file_has_group (file, group))
        return;
      refusal = g_new (HeddleOptimiseRefusal, 1);
      *refusal = (HeddleOptimiseRefusal){ g_key_file_get_string (file, group, "first", NULL),
        g_key_file_get_string (file, group, "second", NULL),
        g_key_file_get_string (file, group, "reason", NULL) };
      g_ptr_array_add (self->refusals, refusal);
    }
}

static HeddlePlan *
load_plan (GKeyFile *file, const HeddleOptimiseOptions *options)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autofree char *document = g_key_file_get_string (file, GROUP, "document", NULL);
  g_autoptr (HeddleSnapshot) snapshot
      = document != NULL ? heddle_ncd_read (document, strlen (document), "cache", problems) : NULL;
  HeddleDiagram *diagram = snapshot != NULL ? heddle_snapshot_get_diagram (snapshot, NULL) : NULL;
  const HeddleSchedule *schedule = diagram != NULL ? heddle_snapshot_find_schedule (snapshot, diagram) : NULL;

  return schedule != NULL ? heddle_plan_new_given (
             diagram, schedule, options->gpu, schedule->dtype, options->family, NULL, NULL, NULL)
                          : NULL;
}

gboolean
heddle_piece_load (HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = path_of (self, text, options), *hash = NULL, *own = NULL;

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return FALSE;
  self->plan = load_plan (file, options);
  if (self->plan == NULL)
    return FALSE;
  load_steps (self, file);
  load_refusals (self, file);
  hash = g_key_file_get_string (file, GROUP, "hash", NULL);
  own = hash_of (self->plan);
  if (g_strcmp0 (hash, own) == 0)
    self->verification = g_key_file_get_string (file, GROUP, "verification", NULL);
  self->remembered = TRUE;
  return TRUE;
}
