/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/kernels.h"
#include "cli/options.h"
#include "cli/watch.h"
#include "derive/shard/layout.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "files/optimise/findings.h"
#include "files/optimise/optimise.h"
#include "files/optimise/report-json.h"
#include "files/optimise/save.h"
#include "files/optimise/stages.h"

typedef struct
{
  HeddleOptions options;
  char *gpu, *family, *output;
  gboolean no_verify, no_cache;
  gint64 steps;
  HeddleOptimiseOptions how;
} Optimise;

static void
optimise_clear (Optimise *self)
{
  heddle_options_clear (&self->options);
  g_free (self->gpu);
  g_free (self->family);
  g_free (self->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Optimise, optimise_clear)

/* --- telling ------------------------------------------------------------------------ */

static void
print_progress (double fraction, const char *what, gpointer data)
{
  g_printerr ("[%3.0f %%] %s\n", fraction * 100, what);
}

static void
print_cost (const char *title, const HeddleOptimisedCost *cost)
{
  g_print (_ ("%-8s %5u kernels (%u different), %.4g MB moved, %.4g MB of global memory, %.4g µs\n"), title,
      cost->kernels, cost->different, cost->transfer_bytes * 1e-6, cost->dram_bytes * 1e-6,
      cost->expected_s * 1e6);
}

/* Prints what PyTorch would run. */
static void
print_baseline (const char *title, const HeddleOptimisedCost *cost)
{
  if (isfinite (cost->expected_s))
    g_print (_ ("%-8s %5u kernels, %.4g MB of global memory, %.4g µs\n"), title, cost->kernels,
        cost->dram_bytes * 1e-6, cost->expected_s * 1e6);
  else
    g_print (_ ("%-8s %5u kernels, without a price\n"), title, cost->kernels);
}

static void
print_found (const HeddleOptimised *made, const HeddleOptimisedPiece *piece)
{
  g_autoptr (GPtrArray) found = heddle_optimised_find (made, piece);

  for (guint i = 0; i < found->len; i++)
    g_print ("  %s\n", ((const HeddleOptimiseFinding *) found->pdata[i])->sentence);
}

static void
print_table (const HeddleOptimised *made, GPtrArray *written)
{
  g_print (_ ("%s on %s, by the model:\n"), made->original->name, made->machine->title);
  print_baseline (_ ("eager"), &made->eager);
  print_baseline (_ ("Inductor"), &made->inductor);
  print_cost (_ ("before"), &made->before);
  print_cost (_ ("after"), &made->after);
  if (made->compared_at != NULL)
    g_print (_ ("%.3g times as fast; original and result differ by %.2g\n"),
        made->before.expected_s / made->after.expected_s, made->difference);
  else
    g_print (_ ("%.3g times as fast; original and result were not compared: %s\n"),
        made->before.expected_s / made->after.expected_s, made->not_compared);
  for (guint i = 0; i < made->pieces->len; i++)
    {
      const HeddleOptimisedPiece *piece = g_ptr_array_index (made->pieces, i);

      g_print (_ ("part %u, %u times: %s%s\n"), i + 1, piece->times, piece->verification,
          piece->remembered ? _ (" (remembered)") : "");
      if (piece->searched < piece->ways)
        g_print (_ ("  searched %u of %u ways to make its kernels: the steps of the search were used up\n"),
            piece->searched, piece->ways);
      if (piece->fallback != NULL)
        g_print (_ ("  left unfused: %s\n"), piece->fallback);
      for (guint k = 0; k < piece->unfused->len; k++)
        {
          const HeddleOptimiseUnfused *unfused = g_ptr_array_index (piece->unfused, k);

          g_print (_ ("  %s left unfused: %s\n"), unfused->values, unfused->reason);
        }
      print_found (made, piece);
    }
  for (guint i = 0; i < written->len; i++)
    g_print ("%s\n", (const char *) g_ptr_array_index (written, i));
}

static void
print_box (const HeddleOptimiseBox *box)
{
  g_autofree char *reads = g_strjoinv (", ", box->reads), *makes = g_strjoinv (", ", box->makes);

  if (box->stage > 0)
    g_print (_ ("a box, to be run after stage %u: %s makes %s of %s; %s\n"), box->stage, box->name, makes,
        reads, box->reason);
  else
    g_print (_ ("a box, to be run first: %s makes %s of %s; %s\n"), box->name, makes, reads, box->reason);
}

/* Reports that the result does not have what the file groups over GPUs, as nothing else of the file is left
 * out. */
static void
note_links (const HeddleInput *input, const HeddleOptimised *made)
{
  const HeddleSchedule *own = heddle_snapshot_find_schedule (input->snapshot, input->diagram);

  if (own != NULL && heddle_schedule_is_sharded (own, made->machine))
    g_printerr (
        _ ("%s: note: the result is for one GPU: labels above GMEM are left out. “heddle export -o FILE.cu” "
           "writes what each of several GPUs does\n"),
        input->path);
}

/* --- the work ----------------------------------------------------------------------- */

static HeddleExit
failed (const char *path, const GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return heddle_input_failed (path, error);
  g_printerr (_ ("%s: stopped; the parts that were done are kept\n"), path);
  return HEDDLE_EXIT_WRONG;
}

/* Saves a stage, in a folder of its own if there are several. */
static gboolean
save (const Optimise *self, const HeddleOptimiseStage *stage, GPtrArray *written, GCancellable *cancellable,
    GError **error)
{
  g_autofree char *folder = stage->folder != NULL ? g_build_filename (self->output, stage->folder, NULL)
                                                  : g_strdup (self->output);

  return stage->made == NULL || heddle_optimised_save (stage->made, folder, written, cancellable, error);
}

static void
print_stages (const HeddleOptimisedStages *made, GPtrArray *written)
{
  for (guint i = 0; i < made->stages->len; i++)
    {
      const HeddleOptimiseStage *stage = g_ptr_array_index (made->stages, i);

      if (stage->folder != NULL)
        g_print (_ ("stage %u of %u:\n"), i + 1, made->stages->len);
      if (stage->made != NULL)
        print_table (stage->made, g_ptr_array_index (written, i));
      else
        g_print (_ ("it could not be optimised: %s\n"), stage->why);
    }
  for (guint i = 0; i < made->boxes->len; i++)
    print_box (g_ptr_array_index (made->boxes, i));
}

static void
print_result (const Optimise *self, const HeddleOptimisedStages *made, GPtrArray *written)
{
  g_autofree char *json = self->options.json ? heddle_optimised_stages_json (made) : NULL;

  if (json != NULL)
    g_print ("%s\n", json);
  else
    print_stages (made, written);
}

static HeddleExit
work (Optimise *self, HeddleInput *input, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) written = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleOptimisedStages) made = NULL;

  self->how.sizes = input->overrides;
  made = heddle_optimise_stages (input->snapshot, &self->how, print_progress, NULL, cancellable, &error);
  for (guint i = 0; made != NULL && i < made->stages->len; i++)
    {
      const HeddleOptimiseStage *stage = g_ptr_array_index (made->stages, i);

      g_ptr_array_add (written, g_ptr_array_new_with_free_func (g_free));
      if (!save (self, stage, g_ptr_array_index (written, i), cancellable, &error))
        return failed (input->path, error);
      if (stage->made != NULL)
        note_links (input, stage->made);
    }
  if (made == NULL)
    return failed (input->path, error);
  print_progress (1, _ ("Done"), NULL);
  print_result (self, made, written);
  return HEDDLE_EXIT_DONE;
}

static HeddleExit
optimise (Optimise *self, const char *path)
{
  g_auto (HeddleInput) input = { NULL };
  HeddleWatch watch;
  HeddleExit status;

  if (!heddle_input_open (&input, &self->options, path, &status))
    return status;
  heddle_watch_begin (&watch);
  status = work (self, &input, watch.cancellable);
  heddle_watch_end (&watch);
  return status;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (Optimise) self = { { NULL }, .steps = HEDDLE_OPTIMISE_STEPS };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output, N_ ("The folder to write into"), N_ ("DIR") },
    { "gpu", 0, 0, G_OPTION_ARG_STRING, &self.gpu,
        N_ ("The machine, as heddle gpus lists them (default: the file's, else h100-sxm)"), N_ ("NAME") },
    HEDDLE_FAMILY_ENTRY (self.family),
    { "no-verify", 0, 0, G_OPTION_ARG_NONE, &self.no_verify,
        N_ ("Write kernels that were not checked, and say so in them"), NULL },
    { "no-cache", 0, 0, G_OPTION_ARG_NONE, &self.no_cache,
        N_ ("Neither use nor keep the results of other runs"), NULL },
    { "steps", 0, 0, G_OPTION_ARG_INT64, &self.steps,
        N_ ("End the search for kernels after so many steps (default: 150000, some minutes)"), N_ ("N") },
    { NULL },
  };
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &self.options, _ ("FILE"), heddle_command_optimise.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&self.options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (self.output == NULL)
    return heddle_options_misused (&self.options, _ ("-o DIR is needed"));
  if (!heddle_kernels_family (&self.options, self.family, &self.how.family))
    return HEDDLE_EXIT_USAGE;
  self.how.diagram = self.options.diagram;
  self.how.gpu = self.gpu;
  self.how.dtype = self.options.dtype;
  self.how.no_verify = self.no_verify;
  self.how.no_cache = self.no_cache;
  self.how.most_steps = (guint64) self.steps;
  return optimise (&self, path);
}

const HeddleCommand heddle_command_optimise = {
  .name = "optimise",
  .summary = N_ ("Make a model faster: kernels for all of it, verified, with a report"),
  .run = run,
};
