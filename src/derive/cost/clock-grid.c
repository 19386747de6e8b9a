/* SPDX-License-Identifier: MIT */
#include "derive/cost/chosen.h"
#include "derive/cost/clock-grid.h"
#include "derive/program/guard.h"
#include "derive/program/sweep.h"
#include "diagram/analysis/sizes.h"

static guint64
parts_of (const HeddleCost *cost, const gint64 *tiles, guint i)
{
  return (guint64) (cost->n[i] / tiles[i] + (cost->n[i] % tiles[i] != 0));
}

/* Returns whether blocks get longer along group @i: such groups are the slowest axes of the grid, so that the
 * longest blocks start first. */
static gboolean
lengthens (const HeddleCost *cost, guint i)
{
  for (guint k = 0; cost->guard != NULL && k < cost->n_guarded; k++)
    if (cost->guarded_groups[k] == (int) i)
      return heddle_guard_lengthens (cost->guard, cost->guarded_axes[k]);
  return FALSE;
}

static void
add_axis (HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles, guint i,
    guint axes[HEDDLE_MAX_GROUPS])
{
  guint64 parts = parts_of (cost, tiles, i);
  gboolean more = kernel->n_axes < HEDDLE_CLOCK_AXES && (parts > 1 || kernel->n_axes == 0);

  if (more)
    kernel->grid[kernel->n_axes++] = parts;
  else
    kernel->grid[kernel->n_axes - 1] *= parts;
  axes[i] = parts > 1 ? kernel->n_axes - 1 : HEDDLE_CLOCK_AXES;
}

/* Returns whether blocks that differ along group @i take different tiles in a transfer. */
static gboolean
depends (const HeddleTerms *terms, guint i)
{
  return (terms->groups >> i & 1) == 0;
}

/* Returns the bytes that are read for each part of group @i of buffers that do not depend on group @j; 0 if
 * there are none. */
static double
read_along (const HeddleCost *cost, const gint64 *tiles, gint64 chunk, guint i, guint j)
{
  double bytes = 0.;

  for (guint k = 0; k < cost->transfers->len; k++)
    {
      const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, k);

      if (!terms->saved && depends (terms, i) && !depends (terms, j))
        bytes += heddle_clock_bytes_once (cost, terms, tiles, chunk) / (double) parts_of (cost, tiles, i);
    }
  return bytes;
}

/* The groups of which blocks take some tiles of one for each tile of the other, as codegen/cuda/grid.c emits
 * them. */
typedef struct
{
  int side, along; /* -1: none */
  guint64 count;
} Sweep;

static Sweep
find_sweep (const HeddleCost *cost, const gint64 *tiles, gint64 chunk)
{
  int plain[2] = { -1, -1 }, longer = -1;
  guint n = 0, n_longer = 0;
  double bytes;

  for (guint i = cost->n_groups; i-- > 0;)
    if (parts_of (cost, tiles, i) > 1)
      {
        if (lengthens (cost, i))
          longer = (int) i, n_longer++;
        else if (n < 2)
          plain[n++] = (int) i;
      }
  if (n > 0 && n_longer == 1)
    {
      bytes = read_along (cost, tiles, chunk, (guint) plain[0], (guint) longer);
      if (bytes > 0.)
        return (Sweep){ plain[0], longer, (guint64) MAX (1., HEDDLE_SWEEP_BYTES / bytes) };
    }
  else if (n == 2 && n_longer == 0 && read_along (cost, tiles, chunk, (guint) plain[0], (guint) plain[1]) > 0.
           && read_along (cost, tiles, chunk, (guint) plain[1], (guint) plain[0]) > 0.)
    return (Sweep){ plain[1], plain[0], HEDDLE_SWEEP_TILES };
  return (Sweep){ -1, -1, 0 };
}

void
heddle_clock_set_grid (HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles, gint64 chunk,
    gboolean sweeps, guint axes[HEDDLE_MAX_GROUPS])
{
  const Sweep sweep = sweeps ? find_sweep (cost, tiles, chunk) : (Sweep){ -1, -1, 0 };

  kernel->n_axes = 0;
  if (sweep.along >= 0)
    {
      add_axis (kernel, cost, tiles, (guint) sweep.along, axes);
      add_axis (kernel, cost, tiles, (guint) sweep.side, axes);
      kernel->group_axis = 1;
      kernel->group = sweep.count;
    }
  for (guint slow = 0; slow < 2; slow++)
    for (guint i = cost->n_groups; i-- > 0;)
      if (lengthens (cost, i) == (slow != 0) && (int) i != sweep.along && (int) i != sweep.side)
        add_axis (kernel, cost, tiles, i, axes);
  if (kernel->n_axes == 0)
    kernel->grid[kernel->n_axes++] = 1;
}

guint
heddle_clock_grid_axes (const HeddleCost *cost, const HeddleTerms *terms, const guint axes[HEDDLE_MAX_GROUPS])
{
  const guint32 shared = terms->groups | heddle_cost_choosing_groups (cost, terms);
  guint bits = 0;

  for (guint i = 0; i < cost->n_groups; i++)
    if ((shared >> i & 1) == 0 && axes[i] < HEDDLE_CLOCK_AXES)
      bits |= 1u << axes[i];
  return bits;
}

double
heddle_clock_bytes_once (const HeddleCost *cost, const HeddleTerms *terms, const gint64 *tiles, gint64 chunk)
{
  double once = (double) heddle_cost_transferred_once (cost, terms) * terms->bytes
                * heddle_cost_chosen_share (cost, terms, NULL);
  double all = (double) heddle_cost_transferred (cost, terms, tiles, chunk) * terms->bytes;

  return MIN (once, all);
}

static HeddleClockArray *
array_of (HeddleClockKernel *kernel, guint axes, gboolean stored, double turns)
{
  HeddleClockArray *array = NULL;

  for (guint i = 0; i < kernel->n_arrays; i++)
    if (kernel->arrays[i].axes == axes && kernel->arrays[i].stored == stored
        && kernel->arrays[i].turns == turns)
      return &kernel->arrays[i];
  g_assert (kernel->n_arrays < HEDDLE_CLOCK_ARRAYS);
  array = &kernel->arrays[kernel->n_arrays++];
  *array = (HeddleClockArray){ .axes = axes, .stored = stored, .turns = turns };
  return array;
}

/* Returns whether both are loads of one array by the same blocks, in the same steps: what both read is fetched once,
 * as are the pairs of a rotary embedding, which each thread reads in both orders. */
static gboolean
are_together (
    const HeddleCost *cost, const HeddleTerms *a, const HeddleTerms *b, const guint axes[HEDDLE_MAX_GROUPS])
{
  const HeddleBuffer *one = heddle_loop_program_get_buffer (cost->program, a->buffer),
                     *other = heddle_loop_program_get_buffer (cost->program, b->buffer);

  return !a->saved && !b->saved && one->value == other->value && !one->again && !other->again
         && a->stream == b->stream
         && heddle_clock_grid_axes (cost, a, axes) == heddle_clock_grid_axes (cost, b, axes);
}

double
heddle_clock_bytes_apart (
    const HeddleCost *cost, guint i, const gint64 *tiles, gint64 chunk, const guint axes[HEDDLE_MAX_GROUPS])
{
  const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, i);
  const char *value = heddle_loop_program_get_buffer (cost->program, terms->buffer)->value;
  double own = heddle_clock_bytes_once (cost, terms, tiles, chunk), before = 0., whole;

  for (guint k = 0; k < i; k++)
    {
      const HeddleTerms *other = &g_array_index (cost->transfers, HeddleTerms, k);

      if (are_together (cost, other, terms, axes))
        before += heddle_clock_bytes_once (cost, other, tiles, chunk);
    }
  if (before <= 0. || value == NULL || terms->partial)
    return own;
  whole
      = (double) heddle_sizes_elements (cost->sizes, heddle_diagram_get_value (cost->program->diagram, value))
        * terms->bytes;
  return CLAMP (whole - before, 0., own);
}

void
heddle_clock_set_arrays (HeddleClockKernel *kernel, const HeddleCost *cost, const gint64 *tiles, gint64 chunk,
    const guint axes[HEDDLE_MAX_GROUPS])
{
  kernel->n_arrays = 0;
  for (guint i = 0; i < cost->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, i);
      guint bits = heddle_clock_grid_axes (cost, terms, axes);
      HeddleClockArray *array
          = array_of (kernel, bits, terms->saved, heddle_cost_choosing_turns (cost, terms));
      double bytes = heddle_clock_bytes_apart (cost, i, tiles, chunk, axes);

      for (guint k = 0; k < kernel->n_axes; k++)
        if ((bits & (1u << k)) != 0)
          bytes /= (double) kernel->grid[k];
      array->bytes += bytes;
    }
}
