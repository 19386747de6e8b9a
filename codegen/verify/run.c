/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/base/threads.h"
#include "codegen/emit/emit.h"
#include "codegen/gpu/gpu.h"
#include "codegen/verify/inputs.h"
#include "codegen/verify/run.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/diagram.h"

/* This file verifies the kernels of a derivation, each on what it should be given: the reference of those
 * before it, rounded as it is stored. None waits for another's result, so that those which are interpreted
 * run beside one another. */

typedef struct
{
  HeddleVerifyRun run; /* with arrays and a reference of its own */
  const HeddleKernel *kernel;
  HeddleVerification *result;
  GError *error;
} Job;

typedef struct
{
  GPtrArray *jobs; /* of Job, in the order of the kernels */
  HeddleVerifyOn on;
  int failed; /* atomic: the first that failed; those after it need not be run */
} Work;

static void
job_free (gpointer data)
{
  Job *self = data;

  g_clear_pointer (&self->run.arrays, g_hash_table_unref);
  g_clear_pointer (&self->run.reference, g_hash_table_unref);
  heddle_verification_free (self->result);
  g_clear_error (&self->error);
  g_free (self);
}

static GHashTable *
arrays_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
}

/* --- what there is to do --- */

/* Returns whether everything that is launched for the kernel was launched for one before it, on other
 * arrays. */
static gboolean
is_repeated (const HeddleVerifyRun *run, const HeddleKernel *kernel)
{
  gboolean repeated = FALSE;

  for (guint i = 0; run->texts != NULL && i < run->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (run->texts, i);

      if (!heddle_verify_is_of (text, kernel))
        continue;
      if (text->duplicate_of == NULL)
        return FALSE;
      repeated = TRUE;
    }
  return repeated;
}

/* Keeps what the kernel stores, for those after it. */
static gboolean
keep_outputs (HeddleVerifyRun *run, const HeddleKernel *kernel, GHashTable *reference, GError **error)
{
  for (guint i = 0; i < kernel->program->outputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->outputs, i);
      const HeddleArray *made = g_hash_table_lookup (reference, id);
      HeddleDtype dtype = heddle_diagram_dtype (run->diagram, id, run->dtype);
      HeddleArray *kept = heddle_array_new (dtype, made->n_dims, made->shape, error);

      if (kept == NULL)
        return FALSE;
      memcpy (kept->data, made->data, (gsize) made->n_elements * sizeof *made->data);
      heddle_array_round (kept, dtype);
      g_hash_table_insert (run->arrays, (gpointer) id, kept);
    }
  return TRUE;
}

static gboolean
add_job (GPtrArray *jobs, HeddleVerifyRun *run, const HeddleKernel *kernel, GError **error)
{
  g_autoptr (GHashTable) reference = heddle_verify_reference (run, kernel, HEDDLE_PRECISION_F64, error);
  Job *job;

  if (reference == NULL || !keep_outputs (run, kernel, reference, error))
    return FALSE;
  if ((run->once && is_repeated (run, kernel)) || (run->wants != NULL && !run->wants (run, kernel)))
    return TRUE;
  job = g_new0 (Job, 1);
  job->run = *run;
  job->run.arrays = arrays_new ();
  job->run.reference = g_hash_table_ref (reference);
  job->kernel = kernel;
  for (guint i = 0; i < kernel->program->inputs->len; i++)
    {
      const char *id = heddle_ids_index (kernel->program->inputs, i);

      g_hash_table_insert (
          job->run.arrays, (gpointer) id, heddle_array_ref (g_hash_table_lookup (run->arrays, id)));
    }
  g_ptr_array_add (jobs, job);
  return TRUE;
}

/* --- doing it --- */

static void
note_failure (Work *self, int job)
{
  int failed = g_atomic_int_get (&self->failed);

  while (job < failed && !g_atomic_int_compare_and_exchange (&self->failed, failed, job))
    failed = g_atomic_int_get (&self->failed);
}

static void
do_job (guint i, gpointer data)
{
  Work *self = data;
  Job *job = g_ptr_array_index (self->jobs, i);

  if ((int) i > g_atomic_int_get (&self->failed))
    return;
  job->result = heddle_verify_one (&job->run, job->kernel, self->on, &job->error);
  g_clear_pointer (&job->run.arrays, g_hash_table_unref);
  g_clear_pointer (&job->run.reference, g_hash_table_unref);
  if (job->result == NULL || !job->result->passed)
    note_failure (self, (int) i);
}

/* Takes the results up to the first that failed. */
static GPtrArray *
take_results (const Work *self, GError **error)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_verification_free);

  for (guint i = 0; i < self->jobs->len && (int) i <= self->failed; i++)
    {
      Job *job = g_ptr_array_index (self->jobs, i);

      if (job->result == NULL)
        {
          g_propagate_error (error, g_steal_pointer (&job->error));
          return NULL;
        }
      g_ptr_array_add (results, g_steal_pointer (&job->result));
    }
  return g_steal_pointer (&results);
}

static gboolean
check_programs (const HeddleDerivation *derivation, GError **error)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->program != NULL)
        continue;
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY,
          kernel->opaque_reason != NULL ? kernel->opaque_reason : _ ("a label of a kernel is not legal"));
      return FALSE;
    }
  return TRUE;
}

static GPtrArray *
run_all (HeddleVerifyRun *run, const HeddleDerivation *derivation, HeddleVerifyOn on, GError **error)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (job_free);
  Work self = { .jobs = jobs, .on = on, .failed = G_MAXINT };

  if (on == HEDDLE_VERIFY_GPU && (run->gpu = heddle_gpu_open (error)) == NULL)
    return NULL;
  if (!heddle_verify_make_inputs (run, error))
    return NULL;
  for (guint i = 0; i < derivation->kernels->len; i++)
    if (!add_job (jobs, run, g_ptr_array_index (derivation->kernels, i), error))
      return NULL;
  /* a GPU, and the model with its counts, take one after the other */
  heddle_threads_run (jobs->len, on == HEDDLE_VERIFY_CPU ? 0 : 1, do_job, &self);
  if (self.failed < (int) jobs->len)
    run->failed = ((const Job *) g_ptr_array_index (jobs, self.failed))->kernel;
  return take_results (&self, error);
}

GPtrArray *
heddle_verify_run (
    HeddleVerifyRun *run, const HeddleDerivation *derivation, HeddleVerifyOn on, GError **error)
{
  GPtrArray *results;

  if (!check_programs (derivation, error))
    return NULL;
  run->arrays = arrays_new ();
  run->failed = NULL;
  results = run_all (run, derivation, on, error);
  g_clear_pointer (&run->arrays, g_hash_table_unref);
  g_clear_pointer (&run->gpu, heddle_gpu_close);
  return results;
}

GPtrArray *
heddle_verify (const HeddleDiagram *diagram, const HeddleDerivation *derivation, const HeddleSizes *sizes,
    const HeddleMachine *machine, HeddleDtype dtype, HeddleVerifyOn on, guint64 seed, GError **error)
{
  g_autoptr (GPtrArray) texts = NULL;
  HeddleVerifyRun run = { .diagram = diagram, .sizes = sizes, .dtype = dtype, .seed = seed };

  if (on != HEDDLE_VERIFY_MODEL)
    {
      texts = heddle_codegen_emit_all (
          diagram, derivation, sizes, machine, dtype, HEDDLE_FAMILY_AUTO, NULL, error);
      if (texts == NULL)
        return NULL;
      run.texts = texts;
    }
  return heddle_verify_run (&run, derivation, on, error);
}
