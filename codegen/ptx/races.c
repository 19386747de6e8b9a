/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/races.h"
#include "codegen/ptx/warp.h"

/* This file finds races on shared memory with vector clocks (Flanagan and Freund, FastTrack, 2009) per piece
 * and warp: each warp has a clock, which its arrivals at barriers advance, and knows of every other warp the
 * clock up to which a barrier lies between them. An access that came later than that is not ordered before
 * what the warp does now.
 *
 * A piece is what the module's smallest access touches: accesses are aligned to their sizes, so that every
 * one touches whole pieces, and bytes of one piece are never distinguished. */

/* The bytes of the shortest copy of cp.async. */
#define LEAST_COPY 4

/* The last write of a piece: its warp, the clock of that warp, where it is in the code. One by an
 * asynchronous copy is under way until the warp has waited for it. */
typedef struct
{
  guint32 clock;
  guint32 line;
  guint16 warp;
  guint8 atomic;
  guint8 under_way;
} Write;

/* The accesses of all pieces. @shift: a piece has 2^@shift bytes. @reads: for each piece and each warp, twice
 * the clock of the warp's last read, 0 for none; one more where a load is among its reads that no proxy fence
 * of its own lies behind: before the asynchronous proxy writes there, one has to. */
struct _PtxRaces
{
  gsize pieces;
  guint shift;
  guint n_warps;
  Write *writes;
  guint32 *reads;
};

/* Returns how many bytes a copy of a thread writes, if the text says so; else the fewest that it may. */
static guint
bytes_of_copy (const HeddlePtxModule *module, const PtxInstruction *in)
{
  const guint32 slot = in->operands[2].slot;

  if (PTX_SLOT_BASE (slot) != PTX_BASE_CONSTANT)
    return LEAST_COPY;
  return (guint) MAX (
      g_array_index (module->constants, PtxConstant, PTX_SLOT_INDEX (slot)).value, LEAST_COPY);
}

/* Returns the bytes of an access to shared memory, or a divisor of them; 0 if it makes none. */
static guint
bytes_of (const HeddlePtxModule *module, const PtxInstruction *in)
{
  const gboolean loads = g_str_equal (in->row->name, "ld");
  const gboolean stores = g_str_equal (in->row->name, "st") || g_str_equal (in->row->name, "st.async");
  const PtxSpace space = in->modifier[PTX_SPACE];

  if (g_str_has_prefix (in->row->name, "cp.async.c") && in->n_operands >= 3)
    return bytes_of_copy (module, in);
  if (((in->row->modifiers | in->row->needs) & PTX_M (SPACE)) == 0
      || (space != PTX_GENERIC && space != PTX_SHARED))
    return 0;
  return ptx_type_bits (in->type) / 8 * (loads || stores ? in->operands[stores ? 1 : 0].count : 1);
}

/* Returns the size, as a shift, of the pieces that every access of the module touches whole. */
static guint
shift_of (const HeddlePtxModule *module)
{
  guint shift = 3; /* an mbarrier */

  for (guint f = 0; f < module->functions->len; f++)
    {
      const PtxFunction *function = g_ptr_array_index (module->functions, f);

      for (guint i = 0; function->code != NULL && i < function->code->len; i++)
        {
          const guint bytes = bytes_of (module, &g_array_index (function->code, PtxInstruction, i));

          if (bytes > 0)
            shift = MIN (shift, (guint) __builtin_ctz (bytes));
        }
    }
  return shift;
}

PtxRaces *
ptx_races_new (const HeddlePtxModule *module, gsize bytes, guint n_warps)
{
  PtxRaces *self = g_new0 (PtxRaces, 1);
  self->shift = shift_of (module);
  self->pieces = (bytes >> self->shift) + 1;
  self->n_warps = n_warps;
  self->writes = g_new0 (Write, self->pieces);
  self->reads = g_new0 (guint32, self->pieces * n_warps);
  return self;
}

void
ptx_races_free (PtxRaces *self)
{
  g_free (self->writes);
  g_free (self->reads);
  g_free (self);
}

/* Forgets every access: a new block begins. */
void
ptx_races_reset (PtxRaces *self)
{
  memset (self->writes, 0, self->pieces * sizeof (Write));
  memset (self->reads, 0, self->pieces * self->n_warps * sizeof (guint32));
}

static gboolean
fail (PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte, const char *what, guint other,
    guint line)
{
  g_autofree char *where = line != 0 ? g_strdup_printf (_ (" at PTX line %u"), line) : g_strdup ("");
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_RACE,
      _ ("a race on byte %zu of shared memory: warp %u %s it%s, and no barrier or wait lies between"), byte,
      other, what, where);
  return FALSE;
}

static gboolean
fail_bulk (PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte, guint line)
{
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_RACE,
      _ ("a race on byte %zu of shared memory: a bulk copy into it was begun at PTX line %u, and no wait for "
         "its "
         "mbarrier lies between"),
      byte, line);
  return FALSE;
}

static gboolean
fail_proxy (PtxWarp *warp, const PtxInstruction *in, guint lane, const Write *write, gsize byte)
{
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_RACE,
      _ ("byte %zu of shared memory was written by warp %u at PTX line %u, and no fence.proxy.async lies "
         "between"),
      byte, (guint) write->warp, write->line);
  return FALSE;
}

/* Returns whether a write of a thread comes before what the asynchronous proxy does now: a proxy fence of any
 * thread must lie between. */
static inline gboolean
check_proxy (const Write *write, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte)
{
  return write->warp >= warp->run->n_warps || write->clock <= warp->known.proxied[write->warp]
         || fail_proxy (warp, in, lane, write, byte);
}

/* Reports why the write before @warp's access is not ordered before it; returns TRUE if it is. */
static gboolean
judge_write (
    const Write *write, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte, PtxAccess access)
{
  gboolean ordered = write->clock <= warp->known.clocks[write->warp] || write->warp == warp->index;
  gboolean bulk = write->warp >= warp->run->n_warps;
  if (write->under_way)
    return fail (warp, in, lane, byte, _ ("began an asynchronous copy into"), write->warp, write->line);
  if (bulk && !ordered)
    return fail_bulk (warp, in, lane, byte, write->line);
  if (!ordered && !(access == PTX_ATOMIC_ACCESS && write->atomic))
    return fail (warp, in, lane, byte, _ ("wrote"), write->warp, write->line);
  return access != PTX_PROXY_READ || check_proxy (write, warp, in, lane, byte);
}

/* Returns whether the write before @warp's access is ordered before it. Nearly every one is, and that shows
 * at once. */
static inline gboolean
check_write (
    const Write *write, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte, PtxAccess access)
{
  const gboolean ordered = write->clock <= warp->known.clocks[write->warp] && !write->under_way;
  const gboolean fenced = access != PTX_PROXY_READ || write->warp >= warp->run->n_warps
                          || write->clock <= warp->known.proxied[write->warp];

  return (ordered && fenced) || judge_write (write, warp, in, lane, byte, access);
}

/* Returns whether all reads of a piece are ordered before @warp's write. */
static gboolean
check_reads (const guint32 *reads, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte)
{
  for (guint w = 0; w < warp->run->n_warps; w++)
    if (w != warp->index && reads[w] >> 1 > warp->known.clocks[w])
      return fail (warp, in, lane, byte, _ ("read"), w, 0);
  return TRUE;
}

static gboolean
fail_proxy_read (PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte, guint reader)
{
  ptx_fail (warp, in, lane, HEDDLE_PTX_ERROR_RACE,
      _ ("byte %zu of shared memory was read by warp %u, and no fence.proxy.async lies between"), byte,
      reader);
  return FALSE;
}

/* Returns whether all reads of a piece come before a write of the asynchronous proxy: loads need a proxy
 * fence as well, and a thread does not know of fences whose reads it does not know. */
static gboolean
check_all_reads (const guint32 *reads, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize byte)
{
  const guint32 *clocks = warp->known.clocks, *fenced = warp->known.proxied;
  const guint n = warp->run->n_warps;

  for (guint w = 0; w < n; w++)
    {
      const guint32 read = reads[w];

      if (read >> 1 <= ((read & 1) != 0 ? fenced[w] : clocks[w]))
        continue;
      if (w != warp->index && read >> 1 > clocks[w])
        return fail (warp, in, lane, byte, _ ("read"), w, 0);
      if ((read & 1) != 0)
        return fail_proxy_read (warp, in, lane, byte, w);
    }
  return TRUE;
}

/* Returns the mark of a read at time @now: @last is the former mark, and up to @fenced a proxy fence lies
 * behind it. */
static inline guint32
read_mark (guint32 last, guint32 now, guint32 fenced, gboolean loads)
{
  return 2 * now + (loads || ((last & 1) != 0 && last >> 1 > fenced));
}

/* Returns the piece after the last one that @size bytes from @offset on touch. */
static gsize
end_of (const PtxRaces *self, gsize offset, gsize size)
{
  return ((offset + size - 1) >> self->shift) + 1;
}

/* Notes an access of @size bytes from @offset on; FALSE, with the error of the run set, where it races. */
gboolean
ptx_races_access (PtxRaces *self, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize offset,
    gsize size, PtxAccess access)
{
  const gboolean reads_only = access == PTX_READ || access == PTX_PROXY_READ;
  const guint32 now = warp->known.clocks[warp->index], fenced = warp->known.proxied[warp->index];
  const gsize end = end_of (self, offset, size);
  for (gsize piece = offset >> self->shift; piece < end; piece++)
    {
      Write *write = &self->writes[piece];
      guint32 *reads = &self->reads[piece * self->n_warps];
      const gsize byte = MAX (offset, piece << self->shift);
      if (!check_write (write, warp, in, lane, byte, access)
          || (!reads_only && !check_reads (reads, warp, in, lane, byte)))
        return FALSE;
      if (reads_only)
        reads[warp->index] = read_mark (reads[warp->index], now, fenced, access == PTX_READ);
      else
        *write = (Write){ now, in->line, (guint16) warp->index, access == PTX_ATOMIC_ACCESS,
          access == PTX_ASYNC_ACCESS };
    }
  return TRUE;
}

/* Notes a bulk copy, a write at time @time of clock @clock: it must come after all that was read and written
 * there, and what threads read and wrote needs a proxy fence as well where the asynchronous proxy makes
 * it. */
gboolean
ptx_races_bulk (PtxRaces *self, PtxWarp *warp, const PtxInstruction *in, guint lane, gsize offset, gsize size,
    guint clock, guint32 time, gboolean proxied)
{
  const gsize end = end_of (self, offset, size);
  for (gsize piece = offset >> self->shift; piece < end; piece++)
    {
      Write *write = &self->writes[piece];
      const gsize byte = piece << self->shift;
      if (!check_write (write, warp, in, lane, byte, PTX_ASYNC_ACCESS)
          || !(proxied ? check_all_reads : check_reads) (
              &self->reads[piece * self->n_warps], warp, in, lane, byte)
          || (proxied && !check_proxy (write, warp, in, lane, byte)))
        return FALSE;
      *write = (Write){ time, in->line, (guint16) clock, FALSE, FALSE };
    }
  return TRUE;
}

/* Records that an asynchronous copy of @warp was waited for: it counts as a write made now. */
void
ptx_races_complete (PtxRaces *self, const PtxWarp *warp, const PtxInstruction *in, gsize offset, gsize size)
{
  const gsize end = end_of (self, offset, size);
  for (gsize piece = offset >> self->shift; piece < end; piece++)
    self->writes[piece]
        = (Write){ warp->known.clocks[warp->index], in->line, (guint16) warp->index, FALSE, FALSE };
}
