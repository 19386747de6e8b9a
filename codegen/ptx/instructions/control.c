/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "codegen/ptx/instructions/cluster.h"
#include "codegen/ptx/frame.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/warp.h"

/* Branches, calls and ends. A handler that moves lanes writes where they are and returns PTX_JUMPED. */

static PtxStatus
branch (PtxWarp *warp, const PtxInstruction *in)
{
  warp->next = in->target;
  if (warp->mask == warp->group)
    return PTX_BRANCHED;
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  ptx_warp_move (warp, warp->mask, in->target);
  return PTX_JUMPED;
}

static PtxStatus
branch_indexed (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 0);
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  PTX_FOR_LANES (warp, l)
  {
    if (a[l] >= in->n_targets)
      return ptx_fail (
          warp, in, l, HEDDLE_PTX_ERROR_TRAP, _ ("a branch past the end of its list of targets"));
    warp->lane_pc[l] = in->targets[a[l]];
  }
  return PTX_JUMPED;
}

/* Returns the function whose address a lane holds; NULL with the error set if it is none. */
static const PtxFunction *
function_at (PtxWarp *warp, const PtxInstruction *in, guint lane, guint64 address)
{
  const GPtrArray *functions = warp->run->module->functions;
  guint64 index = address - PTX_WINDOW_CODE;
  const PtxFunction *function = index < functions->len ? g_ptr_array_index (functions, index) : NULL;
  if (function != NULL && function->defined && !function->entry)
    return function;
  ptx_fail (
      warp, in, lane, HEDDLE_PTX_ERROR_ACCESS, _ ("a call of 0x%" PRIx64 ", which is no function"), address);
  return NULL;
}

/* Leaves in warp->mask the lanes that call what the first of them calls; the others come again. */
static const PtxFunction *
callee_of (PtxWarp *warp, const PtxInstruction *in)
{
  if (in->call->function != NULL)
    return in->call->function;
  const guint64 *address = ptx_values (warp, in->call->slot);
  guint first = (guint) __builtin_ctz (warp->mask);
  guint32 same = 0;
  PTX_FOR_LANES (warp, l)
  same |= (guint32) (address[l] == address[first]) << l;
  ptx_warp_move (warp, warp->mask & ~same, warp->pc);
  warp->mask = same;
  return function_at (warp, in, first, address[first]);
}

/* Copies pieces of the parameter space of one activation to that of another. */
static gboolean
copy_parameters (
    guint32 mask, const PtxFrame *from, const GArray *sources, PtxFrame *to, const GArray *targets)
{
  if (sources->len != targets->len)
    return FALSE;
  for (guint i = 0; i < sources->len; i++)
    {
      const PtxParameter *source = &g_array_index (sources, PtxParameter, i);
      const PtxParameter *target = &g_array_index (targets, PtxParameter, i);
      if (source->size != target->size)
        return FALSE;
      for (guint l = 0; l < PTX_LANES; l++)
        if ((mask >> l & 1) != 0)
          memcpy (to->parameters + l * to->function->call_bytes + target->offset,
              from->parameters + l * from->function->call_bytes + source->offset, source->size);
    }
  return TRUE;
}

static PtxStatus
fail_call (PtxWarp *warp, const PtxInstruction *in, GError *error)
{
  g_autofree char *message = error != NULL ? g_strdup (error->message) : NULL;
  g_clear_error (&error);
  return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_LIMIT, "%s",
      message != NULL ? message : _ ("the arguments do not fit the function"));
}

static PtxStatus
call (PtxWarp *warp, const PtxInstruction *in)
{
  GError *error = NULL;
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  const PtxFunction *function = callee_of (warp, in);
  if (function == NULL)
    return PTX_FAILED;
  if (!function->defined)
    return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_TRAP,
        _ ("an assertion of the kernel failed"));
  PtxFrame *frame = ptx_frame_new (warp, function, warp->frame, &error);
  if (frame == NULL)
    return fail_call (warp, in, error);
  frame->call = in->call;
  frame->mask = warp->mask;
  frame->return_pc = warp->pc + 1;
  PTX_FOR_LANES (warp, l)
  {
    warp->lane_frame[l] = frame;
    warp->lane_pc[l] = 0;
  }
  if (!copy_parameters (warp->mask, warp->frame, in->call->arguments, frame, function->parameters))
    return fail_call (warp, in, NULL);
  return PTX_JUMPED;
}

/* Lets the lanes leave the block. Lanes that wait for others of the warp look again for whom they wait. */
static PtxStatus
leave (PtxWarp *warp, const PtxInstruction *in)
{
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  warp->live &= ~warp->mask;
  warp->blocked = 0;
  PTX_FOR_LANES (warp, l)
  {
    warp->exit_line[l] = in->line;
    for (PtxFrame *frame = warp->lane_frame[l], *parent; frame->parent != NULL; frame = parent)
      {
        parent = frame->parent;
        frame->mask &= ~(1u << l);
        if (frame->mask == 0)
          ptx_frame_free (warp, frame);
      }
  }
  ptx_cluster_settle (warp->run);
  return PTX_JUMPED;
}

static PtxStatus
return_from (PtxWarp *warp, const PtxInstruction *in)
{
  PtxFrame *frame = warp->frame;
  if (frame->parent == NULL)
    return leave (warp, in);
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  if (!copy_parameters (warp->mask, frame, frame->function->results, frame->parent, frame->call->results))
    return fail_call (warp, in, NULL);
  PTX_FOR_LANES (warp, l)
  {
    warp->lane_frame[l] = frame->parent;
    warp->lane_pc[l] = frame->return_pc;
  }
  frame->mask &= ~warp->mask;
  if (frame->mask == 0)
    ptx_frame_free (warp, frame);
  return PTX_JUMPED;
}

static PtxStatus
trap (PtxWarp *warp, const PtxInstruction *in)
{
  return ptx_fail (
      warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_TRAP, _ ("the kernel stopped itself"));
}

static PtxStatus
pause_briefly (PtxWarp *warp, const PtxInstruction *in)
{
  return PTX_NEXT;
}

const PtxRow ptx_rows_control[] = {
  { "bra", PTX_M (UNIFORM), 0, 0, 0, "t", branch },
  { "brx.idx", PTX_M (UNIFORM), 0, 0, 0, "uT", branch_indexed, PTX_UNDEFINED_FAILS },
  { "call", PTX_M (UNIFORM), 0, 0, 0, "", call, PTX_UNDEFINED_FAILS },
  { "ret", PTX_M (UNIFORM), 0, 0, 0, "", return_from },
  { "exit", 0, 0, 0, 0, "", leave },
  { "trap", 0, 0, 0, 0, "", trap },
  { "brkpt", 0, 0, 0, 0, "", trap },
  /* Grids run one after another. */
  { "griddepcontrol.wait", 0, 0, 0, 0, "", pause_briefly },
  { "griddepcontrol.launch_dependents", 0, 0, 0, 0, "", pause_briefly },
  { "nanosleep", 0, 0, PTX_T (U32), 0, "a", pause_briefly },
  { NULL },
};
