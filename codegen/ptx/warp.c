/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "codegen/ptx/ptx.h"
#include "codegen/ptx/warp.h"

/* This file chooses which lanes of a warp go next. Lanes that stand apart meet again because those go first
 * that are deepest in calls and, among them, earliest in the code. */

char *
ptx_thread_name (const PtxRun *run, const PtxWarp *warp, guint lane)
{
  guint thread = warp->place * PTX_LANES + lane;
  const guint *n = run->config->block, *block = warp->block->id;
  return g_strdup_printf (_ ("thread (%u, %u, %u) of block (%u, %u, %u)"), thread % n[0],
      thread / n[0] % n[1], thread / n[0] / n[1], block[0], block[1], block[2]);
}

/* Sets the error of the run, with the kernel, the place and the thread; returns PTX_FAILED. */
PtxStatus
ptx_fail (PtxWarp *warp, const PtxInstruction *in, guint lane, int code, const char *format, ...)
{
  PtxRun *run = warp->run;
  va_list arguments;
  if (run->error != NULL)
    return PTX_FAILED;
  va_start (arguments, format);
  g_autofree char *problem = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *thread = ptx_thread_name (run, warp, lane);
  g_autofree char *text = ptx_module_text (run->module, in);
  g_set_error (&run->error, HEDDLE_PTX_ERROR, code, _ ("kernel “%s”, PTX line %u (%s), %s: %s"),
      run->kernel->name, in->line, text, thread, problem);
  return PTX_FAILED;
}

/* Returns the lanes for which a slot has ever been written. */
guint32
ptx_defined (const PtxWarp *warp, guint32 slot)
{
  if (PTX_SLOT_BASE (slot) != PTX_BASE_REGISTER)
    return G_MAXUINT32;
  return warp->frame->defined[PTX_SLOT_INDEX (slot)];
}

/* Returns for the current lanes whether the register is defined. */
void
ptx_set_defined (PtxWarp *warp, guint32 slot, guint32 defined)
{
  guint32 *known = &warp->frame->defined[PTX_SLOT_INDEX (slot)];
  *known = (*known & ~warp->mask) | (defined & warp->mask);
}

/* Notes that @lanes stand at @pc. */
void
ptx_warp_move (PtxWarp *warp, guint32 lanes, guint32 pc)
{
  for (; lanes != 0; lanes &= lanes - 1)
    warp->lane_pc[__builtin_ctz (lanes)] = pc;
}

/* Returns the lanes that wait neither at a barrier nor for a phase of one. */
static guint32
standing (const PtxWarp *warp)
{
  return warp->live & ~warp->waiting & ~warp->polling;
}

/* Returns whether any lane can go on. */
gboolean
ptx_warp_runnable (const PtxWarp *warp)
{
  return (standing (warp) & ~warp->blocked) != 0;
}

gboolean
ptx_warp_gather (PtxWarp *warp, guint32 wanted)
{
  if ((wanted & warp->live & ~warp->mask) == 0)
    {
      warp->blocked &= ~warp->mask;
      return TRUE;
    }
  ptx_warp_move (warp, warp->group & ~warp->mask, warp->pc + 1);
  ptx_warp_move (warp, warp->mask, warp->pc);
  warp->blocked |= warp->mask;
  return FALSE;
}

/* Returns the lane that goes first: lanes deeper in calls come before others, then the earlier
 * instruction. */
static guint
first_lane (const PtxWarp *warp, guint32 lanes)
{
  guint best = (guint) __builtin_ctz (lanes);
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
    {
      guint l = (guint) __builtin_ctz (lanes);
      guint depth = warp->lane_frame[l]->depth, best_depth = warp->lane_frame[best]->depth;
      if (depth > best_depth || (depth == best_depth && warp->lane_pc[l] < warp->lane_pc[best]))
        best = l;
    }
  return best;
}

/* Chooses the lanes that go next: all that stand with the first one. Where another lane of the same activation is
 * further on, the group stops there so that they can go on together. */
static gboolean
choose_group (PtxWarp *warp)
{
  guint32 ready = standing (warp) & ~warp->blocked;
  if (ready == 0)
    return FALSE;
  guint first = first_lane (warp, ready);
  warp->frame = warp->lane_frame[first];
  warp->pc = warp->lane_pc[first];
  warp->stop = G_MAXUINT32;
  warp->group = 0;
  for (guint32 lanes = standing (warp); lanes != 0; lanes &= lanes - 1)
    {
      guint l = (guint) __builtin_ctz (lanes);
      if (warp->lane_frame[l] != warp->frame)
        continue;
      if (warp->lane_pc[l] == warp->pc)
        warp->group |= 1u << l;
      else if (warp->lane_pc[l] > warp->pc)
        warp->stop = MIN (warp->stop, warp->lane_pc[l]);
    }
  warp->bases[PTX_BASE_REGISTER] = warp->frame->registers;
  return TRUE;
}

static guint32
guarded (const PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *predicate = ptx_values (warp, in->guard);
  const guint64 wanted = in->guarded == 1;
  guint32 mask = 0;
  for (guint32 lanes = warp->group; lanes != 0; lanes &= lanes - 1)
    {
      guint l = (guint) __builtin_ctz (lanes);
      mask |= (guint32) (predicate[l] == wanted) << l;
    }
  return mask;
}

/* Returns the current lanes for which a register that the instruction reads was never written. */
static guint32
undefined_lanes (const PtxWarp *warp, const PtxInstruction *in)
{
  const guint32 *defined = warp->frame->defined;
  guint32 known = G_MAXUINT32;
  for (guint i = 0; i < in->n_reads; i++)
    known &= defined[PTX_SLOT_INDEX (in->reads[i])];
  return warp->mask & ~known;
}

/* Tracks undefined values: what was never written makes its results undefined too, and is an error only where
 * it decides something. */
static gboolean
track (PtxWarp *warp, const PtxInstruction *in)
{
  guint32 undefined = undefined_lanes (warp, in);
  if (undefined != 0 && in->row->undefined == PTX_UNDEFINED_FAILS)
    {
      ptx_fail (warp, in, (guint) __builtin_ctz (undefined), HEDDLE_PTX_ERROR_UNDEFINED,
          _ ("it reads a register that was never written"));
      return FALSE;
    }
  for (guint i = 0; i < in->n_writes; i++)
    ptx_set_defined (warp, in->writes[i], ~undefined);
  return TRUE;
}

static PtxStatus
step (PtxWarp *warp, const PtxInstruction *in)
{
  HeddlePtxStats *stats = &warp->run->stats;
  warp->mask = warp->group;
  if (in->guarded != 0)
    {
      guint32 lost = warp->group & ~warp->frame->defined[PTX_SLOT_INDEX (in->guard)];
      if (lost != 0)
        return ptx_fail (warp, in, (guint) __builtin_ctz (lost), HEDDLE_PTX_ERROR_UNDEFINED,
            _ ("its guard was never computed"));
      warp->mask = guarded (warp, in);
      if (warp->mask == 0)
        return PTX_NEXT;
    }
  stats->warp_instructions++;
  stats->of_class[in->class]++;
  warp->classes |= 1u << in->class;
  stats->instructions += (guint) __builtin_popcount (warp->mask);
  if (stats->instructions > warp->run->bound)
    return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_BOUND,
        _ ("the launch went beyond %" PRIu64 " instructions"), warp->run->bound);
  if (in->row->undefined != PTX_UNDEFINED_CUSTOM && !track (warp, in))
    return PTX_FAILED;
  return in->execute (warp, in);
}

/* Executes the group until it must be chosen again, or the budget is used up. */
static PtxStatus
run_group (PtxWarp *warp, guint *budget)
{
  const PtxInstruction *code = &g_array_index (warp->frame->function->code, PtxInstruction, 0);
  while (*budget > 0)
    {
      PtxStatus status = step (warp, &code[warp->pc]);
      (*budget)--;
      if (status >= PTX_JUMPED)
        return status;
      warp->pc = status == PTX_NEXT ? warp->pc + 1 : warp->next;
      gboolean apart = warp->stop != G_MAXUINT32 || warp->group != standing (warp);
      if (warp->pc >= warp->stop || (status == PTX_BRANCHED && apart))
        break;
    }
  ptx_warp_move (warp, warp->group, warp->pc);
  return PTX_JUMPED;
}

gboolean
ptx_warp_run (PtxWarp *warp, guint budget)
{
  while (budget > 0 && choose_group (warp))
    if (run_group (warp, &budget) == PTX_FAILED)
      return FALSE;
  return TRUE;
}
