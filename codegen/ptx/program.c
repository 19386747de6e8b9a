/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/ptx/instructions/async.h"
#include "codegen/ptx/frame.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/program.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/instructions/store.h"
#include "codegen/ptx/instructions/wgmma.h"

/* This file loads a module for a launch: variables get their places and values, constants their addresses. It
 * also begins a block for a warp. */

/* Puts the initial value, and behind it zeros, into a variable. */
static void
fill_variable (PtxRun *run, const PtxVariable *variable, const guint64 *addresses)
{
  g_autofree char *problem = NULL;
  guint8 *bytes = ptx_memory_find (run->memory, addresses[variable->index], variable->size, FALSE, &problem);
  if (bytes == NULL)
    return;
  memset (bytes, 0, variable->size);
  memcpy (bytes, variable->initial->data, variable->initial->len);
  for (guint i = 0; i < variable->relocations->len; i++)
    {
      const PtxRelocation *relocation = &g_array_index (variable->relocations, PtxRelocation, i);
      guint64 base = relocation->function != NULL ? PTX_WINDOW_CODE + relocation->function->index
                                                  : addresses[relocation->variable->index];
      guint64 value = ptx_load_bytes (bytes + relocation->offset, sizeof value) + base;
      ptx_store_bytes (bytes + relocation->offset, sizeof value, value);
    }
}

static gboolean
is_global (const PtxVariable *variable)
{
  return (variable->space == PTX_GLOBAL || variable->space == PTX_CONST) && variable->size > 0;
}

/* Places the variables of the module among the buffers. @addresses has one place per variable. */
static gboolean
place_variables (PtxRun *run, guint64 *addresses, GArray *placed, GError **error)
{
  const GPtrArray *variables = run->module->variables;
  for (guint i = 0; i < variables->len; i++)
    {
      const PtxVariable *variable = g_ptr_array_index (variables, i);
      if (!is_global (variable))
        continue;
      addresses[i] = ptx_memory_place (
          run->memory, variable->name, variable->size, variable->space == PTX_CONST, error);
      if (addresses[i] == 0)
        return FALSE;
      g_array_append_val (placed, addresses[i]);
    }
  for (guint i = 0; i < variables->len; i++)
    if (is_global (g_ptr_array_index (variables, i)))
      fill_variable (run, g_ptr_array_index (variables, i), addresses);
  return TRUE;
}

/* Fills in every constant, once per lane. */
static void
fill_constants (PtxRun *run, const guint64 *addresses, const gsize *shared_offsets)
{
  const GArray *constants = run->module->constants;
  run->constants = g_new (guint64, (gsize) MAX (constants->len, 1) * PTX_LANES);
  for (guint i = 0; i < constants->len; i++)
    {
      const PtxConstant *constant = &g_array_index (constants, PtxConstant, i);
      guint64 value = constant->value;
      if (constant->variable != NULL && constant->variable->space == PTX_SHARED)
        value += shared_offsets[constant->variable->index];
      else if (constant->variable != NULL)
        value += addresses[constant->variable->index];
      for (guint l = 0; l < PTX_LANES; l++)
        run->constants[(gsize) i * PTX_LANES + l] = value;
    }
}

/* Loads the module for a launch. @placed gets the addresses of the buffers that ptx_program_unload() drops. */
gboolean
ptx_program_load (PtxRun *run, const gsize *shared_offsets, GArray *placed, GError **error)
{
  g_autofree guint64 *addresses = g_new0 (guint64, run->module->variables->len + 1);
  if (!place_variables (run, addresses, placed, error))
    return FALSE;
  fill_constants (run, addresses, shared_offsets);
  return TRUE;
}

void
ptx_program_unload (PtxRun *run, const GArray *placed)
{
  for (guint i = placed->len; i > 0; i--)
    ptx_memory_drop (run->memory, g_array_index (placed, guint64, i - 1));
}

/* Fills in the special registers of one lane. */
static void
fill_special (PtxWarp *warp, guint lane)
{
  const PtxRun *run = warp->run;
  const HeddlePtxLaunch *config = run->config;
  const PtxBlock *block = warp->block;
  const guint *grid = config->grid, *n = run->cluster;
  guint thread = warp->place * PTX_LANES + lane;
  guint32 below = (1u << lane) - 1;
  const guint64 values[PTX_N_SPECIALS] = {
    [PTX_TID_X] = thread % config->block[0],
    [PTX_TID_Y] = thread / config->block[0] % config->block[1],
    [PTX_TID_Z] = thread / config->block[0] / config->block[1],
    [PTX_CTAID_X] = block->id[0],
    [PTX_CTAID_Y] = block->id[1],
    [PTX_CTAID_Z] = block->id[2],
    [PTX_NTID_X] = config->block[0],
    [PTX_NTID_Y] = config->block[1],
    [PTX_NTID_Z] = config->block[2],
    [PTX_NCTAID_X] = config->grid[0],
    [PTX_NCTAID_Y] = config->grid[1],
    [PTX_NCTAID_Z] = config->grid[2],
    [PTX_LANEID] = lane,
    [PTX_WARPID] = warp->place,
    [PTX_NWARPID] = run->block_warps,
    [PTX_LANEMASK_EQ] = 1u << lane,
    [PTX_LANEMASK_LT] = below,
    [PTX_LANEMASK_LE] = below | 1u << lane,
    [PTX_LANEMASK_GT] = (guint32) ~(below | 1u << lane),
    [PTX_LANEMASK_GE] = (guint32) ~below,
    [PTX_DYNAMIC_SHARED] = config->dynamic_shared_bytes,
    [PTX_TOTAL_SHARED] = run->shared_bytes,
    [PTX_CLUSTERID_X] = block->id[0] / n[0],
    [PTX_CLUSTERID_Y] = block->id[1] / n[1],
    [PTX_CLUSTERID_Z] = block->id[2] / n[2],
    [PTX_NCLUSTERID_X] = grid[0] / n[0],
    [PTX_NCLUSTERID_Y] = grid[1] / n[1],
    [PTX_NCLUSTERID_Z] = grid[2] / n[2],
    [PTX_CLUSTER_CTAID_X] = block->id[0] % n[0],
    [PTX_CLUSTER_CTAID_Y] = block->id[1] % n[1],
    [PTX_CLUSTER_CTAID_Z] = block->id[2] % n[2],
    [PTX_CLUSTER_NCTAID_X] = n[0],
    [PTX_CLUSTER_NCTAID_Y] = n[1],
    [PTX_CLUSTER_NCTAID_Z] = n[2],
    [PTX_CLUSTER_CTARANK] = block->rank,
    [PTX_CLUSTER_NCTARANK] = run->n_blocks,
    [PTX_IS_EXPLICIT_CLUSTER] = config->cluster[0] != 0 || run->kernel->required_cluster[0] != 0,
    [PTX_SPECIAL_ONE] = 1,
  };
  for (guint i = 0; i < PTX_N_SPECIALS; i++)
    warp->special[i * PTX_LANES + lane] = values[i];
}

/* Puts all threads of a warp at the beginning of the kernel. */
gboolean
ptx_warp_start (PtxWarp *warp)
{
  PtxRun *run = warp->run;
  gsize left = run->n_threads - (gsize) warp->place * PTX_LANES;
  ptx_frame_free_all (warp);
  warp->frame = ptx_frame_new (warp, run->kernel, NULL, &run->error);
  if (warp->frame == NULL)
    return FALSE;
  warp->live = left >= PTX_LANES ? G_MAXUINT32 : (1u << left) - 1;
  warp->frame->mask = warp->live;
  warp->waiting = warp->blocked = warp->polling = warp->carry = 0;
  warp->registers = 0;
  warp->gave_up = FALSE;
  warp->arrived = warp->released = warp->classes = 0;
  memset (&warp->known, 0, sizeof warp->known);
  memset (&warp->published, 0, sizeof warp->published);
  ptx_warp_advance (warp);
  ptx_copies_reset (warp);
  ptx_stores_reset (warp);
  ptx_products_reset (warp);
  for (guint l = 0; l < PTX_LANES; l++)
    {
      warp->lane_pc[l] = 0;
      warp->lane_frame[l] = warp->frame;
      fill_special (warp, l);
    }
  return TRUE;
}
