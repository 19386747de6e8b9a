/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include "codegen/compile/compile.h"
#include "codegen/emit/duplicates.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/traffic.h"
#include "codegen/ptx/instructions/tensor-map.h"
#include "codegen/verify/launch.h"
#include "codegen/verify/ptx.h"
#include "codegen/verify/sample.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

/* The ways to run a kernel: warps as they come or in a drawn order, asynchronous copies made as late as
 * possible, at once, or at drawn moments. The second is left out if nothing is copied so. */
static const struct
{
  guint64 seed; /* added to the run's own; 0: no order is drawn */
  HeddlePtxCompletion completion;
} orders[] = {
  { 0, HEDDLE_PTX_LATE },
  { 4, HEDDLE_PTX_EARLY },
  { 1, HEDDLE_PTX_DRAWN },
  { 2, HEDDLE_PTX_DRAWN },
  { 3, HEDDLE_PTX_DRAWN },
};
/* The number of instructions of threads, in one order, beyond which only some orders are run, or some
 * blocks. */
#define MANY_INSTRUCTIONS 30000000
#define MOST_INSTRUCTIONS 60000000

/* The launches of an interpreted kernel. */
typedef struct
{
  HeddleVerifyLaunch launch;
  HeddlePtxModule *module;
  const GArray *only; /* of guint: the blocks that run; NULL: all */
} Interpretation;

static guint64
allocate_array (gpointer board, const char *name, gsize bytes, GError **error)
{
  return heddle_ptx_memory_allocate (board, name, bytes, error);
}

static gboolean
write_array (gpointer board, guint64 address, gconstpointer data, gsize bytes, GError **error)
{
  return heddle_ptx_memory_write (board, address, data, bytes, error);
}

static gboolean
read_array (gpointer board, guint64 address, gpointer data, gsize bytes, GError **error)
{
  return heddle_ptx_memory_read (board, address, data, bytes, error);
}

static gboolean
make_map (gpointer board, const HeddlePtxTensorMap *map, guint8 *bytes, GError **error)
{
  return heddle_ptx_tensor_map_encode (map, bytes, error);
}

static const HeddleVerifyMemory simulated = { allocate_array, write_array, read_array, make_map };

static gboolean
launch (Interpretation *self, guint order, gboolean first, HeddlePtxStats *stats, GError **error)
{
  HeddleVerifyLaunch *launch = &self->launch;
  HeddlePtxLaunch config = { .grid = { heddle_kernel_text_blocks (launch->text, launch->sizes), 1, 1 },
    .block = { launch->text->threads, 1, 1 },
    .only = self->only != NULL ? (const guint *) self->only->data : NULL,
    .n_only = self->only != NULL ? self->only->len : 0,
    .dynamic_shared_bytes = launch->text->shared_bytes,
    .seed = orders[order].seed == 0 ? 0 : launch->run->seed + orders[order].seed,
    .completion = orders[order].completion,
    .max_instructions = G_GUINT64_CONSTANT (40000000000),
    .check_races = TRUE };
  guint n_values = launch->text->parameters->len, n = n_values + launch->text->maps->len;
  g_autofree HeddlePtxArgument *arguments = g_new0 (HeddlePtxArgument, n);
  g_autofree guint64 *values = g_new0 (guint64, n);
  HeddlePtxMemory *memory = heddle_ptx_memory_new ();
  gboolean good;

  launch->board = memory;
  launch->values = values;
  launch->maps = heddle_kernel_maps_new (launch->text, 1);
  for (guint i = 0; i < n; i++)
    arguments[i] = i < n_values
                       ? (HeddlePtxArgument){ &values[i], sizeof values[i] }
                       : (HeddlePtxArgument){ launch->maps + (i - n_values) * HEDDLE_PTX_TENSOR_MAP_BYTES,
                           HEDDLE_PTX_TENSOR_MAP_BYTES };
  good = heddle_verify_place_arguments (launch, error)
         && heddle_ptx_launch (self->module, heddle_kernel_text_entry (launch->text), memory, &config,
             arguments, n, launch->run->cancellable, stats, error)
         && heddle_verify_take_outputs (launch, first, error);
  heddle_ptx_memory_free (memory);
  g_clear_pointer (&launch->maps, g_aligned_free);
  return good;
}

/* Returns whether the error is something that the interpreter found the kernel to do wrong, as opposed to
 * what it cannot do itself. */
static gboolean
is_fault (const GError *error)
{
  static const HeddlePtxError faults[] = { HEDDLE_PTX_ERROR_ACCESS, HEDDLE_PTX_ERROR_UNDEFINED,
    HEDDLE_PTX_ERROR_DEADLOCK, HEDDLE_PTX_ERROR_RACE, HEDDLE_PTX_ERROR_TRAP };

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    if (g_error_matches (error, HEDDLE_PTX_ERROR, faults[i]))
      return TRUE;
  return FALSE;
}

/* Puts a fault of the kernel into @result; other errors are passed on. */
static gboolean
take_fault (HeddleVerification *result, GError *fault, GError **error)
{
  if (!is_fault (fault))
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  result->detail = g_strdup (fault->message);
  g_error_free (fault);
  return TRUE;
}

/* Chooses the blocks to run: the first block tells how long all would take, and so whether all of them are
 * run. */
static gboolean
choose_blocks (Interpretation *self, GArray **sample, GError **error)
{
  g_autoptr (GArray) first = g_array_new (FALSE, TRUE, sizeof (guint));
  guint blocks = heddle_kernel_text_blocks (self->launch.text, self->launch.sizes);
  guint64 most_instructions = self->launch.run->most_instructions;
  HeddlePtxStats stats = { 0 };

  g_array_set_size (first, 1);
  if (blocks <= 1)
    return TRUE;
  self->only = first;
  if (!launch (self, 0, TRUE, &stats, error))
    return FALSE;
  self->only = *sample = heddle_verify_sample (
      &self->launch, stats.instructions, most_instructions > 0 ? most_instructions : MOST_INSTRUCTIONS);
  return TRUE;
}

static char *
summary_of (const Interpretation *self, const HeddlePtxStats *stats, guint orders_run)
{
  double conflicts = (double) stats->bank_conflicts / MAX (1, stats->shared_accesses);

  if (self->only != NULL)
    return g_strdup_printf (
        _ ("%u of %u blocks, %u orders of warps, %.3g instructions, %.2g more cycles than "
           "needed per access of shared memory"),
        self->only->len, heddle_kernel_text_blocks (self->launch.text, self->launch.sizes), orders_run,
        (double) stats->instructions, conflicts);
  return g_strdup_printf (
      _ ("%u orders of warps, %.3g instructions, %.2g more cycles than needed per access of shared memory"),
      orders_run, (double) stats->instructions, conflicts);
}

static gboolean
is_wanted (const HeddleVerifyRun *run, guint order)
{
  return run->orders == 0 || (order < 3 && (run->orders >> order & 1) != 0);
}

/* Adds the counts of the first order, of a kernel and of the one that merges its parts together. */
static void
add_counts (HeddleVerification *result, const HeddlePtxStats *stats)
{
  if (result->counts == NULL)
    result->counts = g_new0 (HeddlePtxStats, 1);
  heddle_ptx_stats_add (result->counts, stats);
}

/* Launches a kernel in several orders: a small run goes through every order, one that took long through
 * two. */
static gboolean
launch_orders (Interpretation *self, HeddleVerification *result, char **summary, GError **error)
{
  g_autoptr (GArray) sample = NULL;
  HeddlePtxStats stats = { 0 };
  guint n = 0, most = G_N_ELEMENTS (orders);
  GError *first_fault = NULL;

  if (!choose_blocks (self, &sample, &first_fault))
    return take_fault (result, first_fault, error);

  for (guint order = 0; order < G_N_ELEMENTS (orders) && n < most; order++)
    {
      GError *fault = NULL;

      if (!is_wanted (self->launch.run, order))
        continue;
      if (orders[order].completion == HEDDLE_PTX_EARLY
          && stats.asynchronous_copies + stats.asynchronous_products == 0)
        continue;
      n++;
      if (!launch (self, order, n == 1, &stats, &fault))
        return take_fault (result, fault, error);
      if (n == 1)
        add_counts (result, &stats);
      if (stats.instructions > MANY_INSTRUCTIONS)
        most = 2;
    }
  if (sample != NULL)
    heddle_verify_complete (&self->launch, sample, result);
  *summary = summary_of (self, &stats, n);
  return TRUE;
}

gboolean
heddle_verify_interpret (HeddleVerifyRun *run, const HeddleKernelText *text, HeddleVerification *result,
    char **summary, GError **error)
{
  g_autoptr (HeddleCompilation) compilation = heddle_compile (text, run->cancellable, error);
  g_autoptr (HeddlePtxModule) module
      = compilation ? heddle_ptx_module_new (compilation->ptx, -1, error) : NULL;
  g_autoptr (HeddleSizes) sizes = heddle_loop_program_own_sizes (text->program, run->sizes);
  Interpretation self
      = { .launch = { .run = run, .sizes = sizes, .text = text, .memory = &simulated }, .module = module };

  gboolean good = module != NULL && launch_orders (&self, result, summary, error);

  g_clear_pointer (&self.launch.encoded, g_hash_table_unref);
  return good;
}
