/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/instructions/registers.h"
#include "codegen/ptx/warp.h"

/* This file lets warps divide the registers of a multiprocessor among themselves (setmaxnreg): no result
 * depends on it, but a block that wants more than there are waits for ever. */

#define LEAST 24
#define MOST 256
#define STEP 8
#define ALL_REGISTERS 65536
#define MOST_AT_FIRST 255

/* Returns the number of registers that each thread of a kernel which has the multiprocessor for itself has at
 * first. */
static guint
at_first (const PtxRun *run)
{
  return MIN (ALL_REGISTERS / run->block_warps / PTX_LANES / STEP * STEP, MOST_AT_FIRST);
}

static guint
registers_of (const PtxWarp *warp)
{
  return warp->registers != 0 ? warp->registers : at_first (warp->run);
}

static PtxStatus
change (PtxWarp *warp, const PtxInstruction *in, gboolean more)
{
  guint64 wanted = ptx_source (warp, in, 0)[__builtin_ctz (warp->mask)];
  guint has = registers_of (warp);

  if (warp->mask != G_MAXUINT32)
    return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_TRAP,
        _ ("not all lanes of the warp execute it"));
  if (wanted < LEAST || wanted > MOST || wanted % STEP != 0)
    return ptx_fail (
        warp, in, 0, HEDDLE_PTX_ERROR_TRAP, _ ("a count that is not a multiple of 8 from 24 to 256"));
  if (more ? wanted < has : wanted > has)
    return ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_TRAP,
        more ? _ ("a warp has %u registers already") : _ ("a warp has %u registers only"), has);
  warp->registers = (guint) wanted;
  return PTX_NEXT;
}

static PtxStatus
increase (PtxWarp *warp, const PtxInstruction *in)
{
  return change (warp, in, TRUE);
}

static PtxStatus
decrease (PtxWarp *warp, const PtxInstruction *in)
{
  return change (warp, in, FALSE);
}

static gboolean
check_block (PtxRun *run, const PtxWarp *warps)
{
  guint sum = 0;

  for (guint w = 0; w < run->block_warps; w++)
    {
      sum += registers_of (&warps[w]) * PTX_LANES;
      if (warps[w].registers == warps[w / 4 * 4].registers)
        continue;
      g_set_error (&run->error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_TRAP,
          _ ("warp %u asked for %u registers, and the first warp of its warpgroup for %u"), w,
          warps[w].registers, warps[w / 4 * 4].registers);
      return FALSE;
    }
  if (sum <= ALL_REGISTERS)
    return TRUE;
  g_set_error (&run->error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_DEADLOCK,
      _ ("the warps of a block ask for %u registers, and there are %d"), sum, ALL_REGISTERS);
  return FALSE;
}

/* Returns whether the warps of each block that has ended had as many registers as they asked for, and those
 * of a warpgroup asked for the same. */
gboolean
ptx_registers_check (PtxRun *run)
{
  for (guint i = 0; i < run->n_blocks; i++)
    if (!check_block (run, run->blocks[i].warps))
      return FALSE;
  return TRUE;
}

const PtxRow ptx_rows_registers[] = {
  { "setmaxnreg.inc.sync.aligned", 0, 0, PTX_T (U32), 0, "u", increase, PTX_UNDEFINED_FAILS },
  { "setmaxnreg.dec.sync.aligned", 0, 0, PTX_T (U32), 0, "u", decrease, PTX_UNDEFINED_FAILS },
  { NULL },
};
