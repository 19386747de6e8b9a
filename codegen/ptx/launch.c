/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/instructions/bulk.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/instructions/mbarrier.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/program.h"
#include "codegen/ptx/races.h"
#include "codegen/ptx/random.h"
#include "codegen/ptx/instructions/registers.h"
#include "codegen/ptx/instructions/store.h"
#include "codegen/ptx/warp.h"
#include "codegen/ptx/instructions/wgmma.h"

#define DEFAULT_BOUND G_GUINT64_CONSTANT (4000000000)

/* The number of instructions of a warp between two checks of the cancellable, and the greatest between two
 * random switches. */
#define SLICE 65536
#define SHORT_SLICE 96

/* The alignment of the shared memory of each block of a cluster, so that patterns of swizzles begin with
 * it. */
#define SHARED_ALIGNMENT 1024

/* Returns the place of a thread that does not come, for the message about a deadlock: of the same block,
 * unless all of the cluster are wanted. */
static char *
describe_absent (PtxRun *run, const PtxBlock *block, guint id)
{
  for (guint w = 0; w < run->n_warps; w++)
    {
      const PtxWarp *warp = &run->warps[w];
      for (guint l = 0; l < PTX_LANES && warp->place * PTX_LANES + l < run->n_threads; l++)
        {
          if (warp->block != block && id != PTX_CLUSTER_BARRIER)
            break;
          g_autofree char *thread = ptx_thread_name (run, warp, l);
          if ((warp->live >> l & 1) == 0)
            return g_strdup_printf (_ ("%s has ended at PTX line %u"), thread, warp->exit_line[l]);
          if ((warp->waiting >> l & 1) != 0 && warp->barrier[l] == id)
            continue;
          const PtxInstruction *in
              = &g_array_index (warp->lane_frame[l]->function->code, PtxInstruction, warp->lane_pc[l]);
          g_autofree char *text = ptx_module_text (run->module, in);
          return g_strdup_printf (_ ("%s waits at PTX line %u (%s)"), thread, in->line, text);
        }
    }
  return g_strdup (_ ("the barrier expects more threads than there are"));
}

static gboolean
fail_polling (PtxWarp *warp, guint lane)
{
  const PtxInstruction *in
      = &g_array_index (warp->lane_frame[lane]->function->code, PtxInstruction, warp->lane_pc[lane]);
  g_autofree char *text = ptx_mbarrier_describe (warp->run, warp->polled[lane]);
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_DEADLOCK, _ ("a deadlock: %s"), text);
  return FALSE;
}

/* Fails with a deadlock: no warp can go on, but some threads live. The message names one that waits, and one
 * that it waits for. */
static gboolean
fail_deadlock (PtxRun *run)
{
  for (guint w = 0; w < run->n_warps; w++)
    {
      PtxWarp *warp = &run->warps[w];
      guint32 waiting = warp->live & (warp->waiting | warp->blocked | warp->polling);
      if (waiting == 0)
        continue;
      guint l = (guint) __builtin_ctz (waiting);
      gboolean at_barrier = (warp->waiting >> l & 1) != 0;
      if ((warp->polling >> l & 1) != 0)
        return fail_polling (warp, l);
      g_autofree char *absent = describe_absent (run, warp->block, at_barrier ? warp->barrier[l] : G_MAXUINT);
      const PtxInstruction *in
          = &g_array_index (warp->lane_frame[l]->function->code, PtxInstruction, warp->lane_pc[l]);
      ptx_fail (warp, in, l, HEDDLE_PTX_ERROR_DEADLOCK,
          at_barrier ? _ ("a deadlock: it waits for all, but %s") : _ ("a deadlock among lanes: %s"), absent);
      return FALSE;
    }
  g_assert_not_reached ();
}

/* Returns the warp to run next, in order or at random; NULL if none can go on. */
static PtxWarp *
choose_warp (PtxRun *run)
{
  guint first = run->config->seed != 0 ? (guint) (ptx_random (run) % run->n_warps) : 0;
  for (guint i = 0; i < run->n_warps; i++)
    {
      PtxWarp *warp = &run->warps[(first + i) % run->n_warps];
      if (ptx_warp_runnable (warp))
        return warp;
    }
  return NULL;
}

static gboolean
cluster_is_done (const PtxRun *run)
{
  for (guint w = 0; w < run->n_warps; w++)
    if (run->warps[w].live != 0)
      return FALSE;
  return TRUE;
}

static gboolean
run_warps (PtxRun *run)
{
  while (TRUE)
    {
      PtxWarp *warp = choose_warp (run);
      if (warp == NULL && run->bulks->len > 0 && !cluster_is_done (run))
        {
          if (!ptx_bulk_complete_one (run))
            return FALSE;
          continue;
        }
      if (warp == NULL)
        return cluster_is_done (run) || fail_deadlock (run);
      guint budget = run->config->seed != 0 ? 1 + (guint) (ptx_random (run) % SHORT_SLICE) : SLICE;
      if (!ptx_warp_run (warp, budget) || !ptx_bulk_draw (run) || !ptx_stores_draw (run)
          || g_cancellable_set_error_if_cancelled (run->cancellable, &run->error))
        return FALSE;
    }
}

/* Places the blocks of the cluster whose first block is (@x, @y, @z). */
static void
place_blocks (PtxRun *run, guint x, guint y, guint z)
{
  const guint *n = run->cluster;

  for (guint i = 0; i < run->n_blocks; i++)
    {
      PtxBlock *block = &run->blocks[i];

      block->id[0] = x + i % n[0];
      block->id[1] = y + i / n[0] % n[1];
      block->id[2] = z + i / n[0] / n[1];
      memset (block->barriers, 0, sizeof block->barriers);
    }
}

static gboolean
start_cluster (PtxRun *run, guint x, guint y, guint z)
{
  place_blocks (run, x, y, z);
  memset (run->shared, 0xff, run->shared_stride * run->n_blocks);
  memset (&run->cluster_known, 0, sizeof run->cluster_known);
  ptx_bulk_reset (run);
  if (run->races != NULL)
    ptx_races_reset (run->races);
  for (guint w = 0; w < run->n_warps; w++)
    if (!ptx_warp_start (&run->warps[w]))
      return FALSE;
  return TRUE;
}

static void
count_warps (PtxRun *run)
{
  const guint32 works = 1u << HEDDLE_PTX_MEMORY | 1u << HEDDLE_PTX_PRODUCT;

  run->stats.warps += run->n_warps;
  for (guint w = 0; w < run->n_warps; w++)
    run->stats.warps_working += (run->warps[w].classes & works) != 0;
}

static gboolean
run_cluster (PtxRun *run, guint x, guint y, guint z)
{
  if (!start_cluster (run, x, y, z) || !run_warps (run))
    return FALSE;
  count_warps (run);
  return ptx_bulk_check_end (run) && ptx_stores_check (run) && ptx_products_check (run)
         && ptx_registers_check (run);
}

/* Runs only some blocks, each with its cluster. */
static gboolean
run_some_blocks (PtxRun *run)
{
  const HeddlePtxLaunch *config = run->config;
  const guint n = run->cluster[0];

  for (guint i = 0; i < config->n_only; i++)
    if ((i == 0 || config->only[i] / n != config->only[i - 1] / n)
        && !run_cluster (run, config->only[i] / n * n, 0, 0))
      return FALSE;
  return TRUE;
}

/* Runs all clusters, one after another. */
static gboolean
run_clusters (PtxRun *run)
{
  const guint *grid = run->config->grid, *n = run->cluster;

  if (run->config->only != NULL)
    return run_some_blocks (run);
  for (guint z = 0; z < grid[2]; z += n[2])
    for (guint y = 0; y < grid[1]; y += n[1])
      for (guint x = 0; x < grid[0]; x += n[0])
        if (!run_cluster (run, x, y, z))
          return FALSE;
  return TRUE;
}

static gboolean fail (GError **error, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (GError **error, int code, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, HEDDLE_PTX_ERROR, code, message);
  return FALSE;
}

static gboolean
check_sizes (const PtxFunction *kernel, const HeddlePtxLaunch *config, GError **error)
{
  static const guint most_grid[] = { G_MAXINT32, 65535, 65535 };
  static const guint most_block[] = { 1024, 1024, 64 };
  guint64 threads = 1;
  for (guint i = 0; i < 3; i++)
    {
      const guint wanted = kernel->required_block[i];
      threads *= config->block[i];
      if (config->grid[i] == 0 || config->grid[i] > most_grid[i] || config->block[i] == 0
          || config->block[i] > most_block[i])
        return fail (error, HEDDLE_PTX_ERROR_ARGUMENT,
            _ ("a grid of %u × %u × %u with blocks of %u × %u × %u"), config->grid[0], config->grid[1],
            config->grid[2], config->block[0], config->block[1], config->block[2]);
      if (wanted != 0 && wanted != config->block[i])
        return fail (error, HEDDLE_PTX_ERROR_ARGUMENT, _ ("“%s” requires blocks of %u × %u × %u"),
            kernel->name, kernel->required_block[0], kernel->required_block[1], kernel->required_block[2]);
    }
  if (threads > PTX_MOST_THREADS)
    return fail (error, HEDDLE_PTX_ERROR_ARGUMENT, _ ("%u threads in a block, more than %d"), (guint) threads,
        PTX_MOST_THREADS);
  return TRUE;
}

/* Finds the size of a cluster, as the launch or the kernel itself says. */
static gboolean
find_cluster (PtxRun *run, GError **error)
{
  const guint *of_kernel = run->kernel->required_cluster, *of_launch = run->config->cluster;

  run->n_blocks = 1;
  for (guint i = 0; i < 3; i++)
    {
      run->cluster[i] = MAX (of_launch[i] != 0 ? of_launch[i] : of_kernel[i], 1);
      if (of_launch[i] != 0 && of_kernel[0] != 0 && of_launch[i] != of_kernel[i])
        return fail (error, HEDDLE_PTX_ERROR_ARGUMENT, _ ("“%s” requires clusters of %u × %u × %u blocks"),
            run->kernel->name, of_kernel[0], of_kernel[1], of_kernel[2]);
      if (run->cluster[i] > PTX_MOST_BLOCKS || run->config->grid[i] % run->cluster[i] != 0)
        return fail (error, HEDDLE_PTX_ERROR_ARGUMENT,
            _ ("a grid of %u blocks along an axis, in clusters of %u"), run->config->grid[i],
            run->cluster[i]);
      run->n_blocks *= run->cluster[i];
    }
  run->n_warps = run->block_warps * run->n_blocks;
  if (run->n_blocks > PTX_MOST_BLOCKS || (run->n_blocks > 1 && run->n_warps > PTX_MOST_WARPS))
    return fail (error, HEDDLE_PTX_ERROR_LIMIT, _ ("a cluster of %u blocks with %u warps in all"),
        run->n_blocks, run->n_warps);
  return TRUE;
}

static gboolean
check_arguments (
    const PtxFunction *kernel, const HeddlePtxArgument *arguments, guint n_arguments, GError **error)
{
  if (n_arguments != kernel->parameters->len)
    return fail (error, HEDDLE_PTX_ERROR_ARGUMENT, _ ("“%s” takes %u arguments, not %u"), kernel->name,
        kernel->parameters->len, n_arguments);
  for (guint i = 0; i < n_arguments; i++)
    {
      const PtxParameter *formal = &g_array_index (kernel->parameters, PtxParameter, i);
      if (arguments[i].size != formal->size)
        return fail (error, HEDDLE_PTX_ERROR_ARGUMENT, _ ("argument %u of “%s” has %zu bytes, not %zu"), i,
            kernel->name, formal->size, arguments[i].size);
    }
  return TRUE;
}

static gboolean
check_shared (const PtxRun *run, GError **error)
{
  if (run->shared_bytes > PTX_MOST_SHARED)
    return fail (error, HEDDLE_PTX_ERROR_ARGUMENT, _ ("%zu bytes of shared memory, more than %u"),
        run->shared_bytes, PTX_MOST_SHARED);
  return TRUE;
}

static void
pack_arguments (PtxRun *run, const HeddlePtxArgument *arguments)
{
  run->parameters = g_malloc0 (MAX (run->kernel->parameter_bytes, 1));
  for (guint i = 0; i < run->kernel->parameters->len; i++)
    {
      const PtxParameter *formal = &g_array_index (run->kernel->parameters, PtxParameter, i);
      if (formal->size > 0)
        memcpy (run->parameters + formal->offset, arguments[i].data, formal->size);
    }
}

static void
make_warps (PtxRun *run)
{
  run->warps = g_new0 (PtxWarp, run->n_warps);
  run->blocks = g_new0 (PtxBlock, run->n_blocks);
  for (guint i = 0; i < run->n_blocks; i++)
    {
      run->blocks[i].rank = i;
      run->blocks[i].base = i * run->shared_stride;
      run->blocks[i].warps = &run->warps[i * run->block_warps];
    }
  for (guint w = 0; w < run->n_warps; w++)
    {
      PtxWarp *warp = &run->warps[w];
      warp->run = run;
      warp->block = &run->blocks[w / run->block_warps];
      warp->index = w;
      warp->place = w % run->block_warps;
      warp->bases[PTX_BASE_CONSTANT] = run->constants;
      warp->bases[PTX_BASE_SPECIAL] = warp->special;
    }
}

static void
run_clear (PtxRun *run)
{
  for (guint w = 0; run->warps != NULL && w < run->n_warps; w++)
    {
      g_clear_pointer (&run->warps[w].frames, g_ptr_array_unref);
      g_clear_pointer (&run->warps[w].copies, g_array_unref);
      ptx_stores_free (&run->warps[w]);
      g_clear_pointer (&run->warps[w].products, g_array_unref);
      g_free (run->warps[w].local);
    }
  g_clear_pointer (&run->mbarriers, g_array_unref);
  g_clear_pointer (&run->bulks, g_array_unref);
  g_clear_pointer (&run->changed_maps, g_hash_table_unref);
  g_free (run->warps);
  g_free (run->blocks);
  g_free (run->shared);
  g_free (run->parameters);
  g_free (run->constants);
  g_clear_pointer (&run->races, ptx_races_free);
}

/* Sets up what the blocks need, and runs them. */
static gboolean
run_kernel (PtxRun *run, const HeddlePtxArgument *arguments, GError **error)
{
  gsize *offsets = g_new0 (gsize, run->module->variables->len + 1);
  gsize start;
  gboolean ok = FALSE;
  ptx_module_layout_shared (run->module, run->kernel, offsets, &start);
  run->shared_bytes = start + run->config->dynamic_shared_bytes;
  run->shared_stride = (run->shared_bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
  g_autoptr (GArray) placed = g_array_new (FALSE, FALSE, sizeof (guint64));
  if (find_cluster (run, error) && check_shared (run, error)
      && ptx_program_load (run, offsets, placed, error))
    {
      run->shared = g_malloc (MAX (run->shared_stride * run->n_blocks, 1));
      pack_arguments (run, arguments);
      if (run->config->check_races)
        run->races = ptx_races_new (run->module, run->shared_stride * run->n_blocks, run->n_warps);
      make_warps (run);
      ok = run_clusters (run);
      if (!ok)
        g_propagate_error (error, g_steal_pointer (&run->error));
    }
  ptx_program_unload (run, placed);
  g_free (offsets);
  return ok;
}

gboolean
heddle_ptx_launch (const HeddlePtxModule *module, const char *kernel, HeddlePtxMemory *memory,
    const HeddlePtxLaunch *config, const HeddlePtxArgument *arguments, guint n_arguments,
    GCancellable *cancellable, HeddlePtxStats *stats, GError **error)
{
  g_return_val_if_fail (module != NULL && kernel != NULL && memory != NULL && config != NULL, FALSE);
  g_return_val_if_fail (arguments != NULL || n_arguments == 0, FALSE);
  const PtxFunction *function = ptx_module_find_kernel (module, kernel);
  if (function == NULL)
    return fail (error, HEDDLE_PTX_ERROR_ARGUMENT, _ ("there is no kernel “%s”"), kernel);
  if (!check_sizes (function, config, error) || !check_arguments (function, arguments, n_arguments, error))
    return FALSE;
  g_autofree PtxRun *run = g_new0 (PtxRun, 1);
  run->module = module;
  run->kernel = function;
  run->memory = memory;
  run->config = config;
  run->cancellable = cancellable;
  run->n_threads = (gsize) config->block[0] * config->block[1] * config->block[2];
  run->block_warps = (guint) ((run->n_threads + PTX_LANES - 1) / PTX_LANES);
  run->random = config->seed;
  run->bound = config->max_instructions != 0 ? config->max_instructions : DEFAULT_BOUND;
  gboolean ok = run_kernel (run, arguments, error);
  if (stats != NULL)
    *stats = run->stats;
  run_clear (run);
  return ok;
}
