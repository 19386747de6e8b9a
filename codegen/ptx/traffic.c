/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/module.h"
#include "codegen/ptx/traffic.h"

#define BANK_BYTES 4
#define N_BANKS 32

/* Returns how many different sectors the lanes touch. Neighbours often share one, so the last one is looked
 * at first. */
static guint
count_sectors (const PtxTraffic *traffic)
{
  guint64 found[2 * PTX_LANES];
  guint n = 0;
  for (guint i = 0; i < traffic->n_global; i++)
    for (guint64 sector = traffic->global[i] / PTX_SECTOR;
         sector <= (traffic->global[i] + traffic->size - 1) / PTX_SECTOR; sector++)
      {
        gint k = (gint) n - 1;
        while (k >= 0 && found[k] != sector)
          k--;
        if (k < 0)
          found[n++] = sector;
      }
  return n;
}

/* Returns the fewest sectors that the bytes which the lanes touch fill; bytes that several want count
 * once. */
static guint
least_sectors (const PtxTraffic *traffic)
{
  guint n = 0;

  for (guint i = 0; i < traffic->n_global; i++)
    {
      guint k = i;

      while (k > 0 && traffic->global[k - 1] != traffic->global[i])
        k--;
      n += k == 0;
    }
  return (guint) ((n * traffic->size + PTX_SECTOR - 1) / PTX_SECTOR);
}

/* Returns whether the lanes touch no more than one word of each bank: their words lie close together. */
static gboolean
is_one_row (const PtxTraffic *traffic, guint first, guint count)
{
  guint64 least = G_MAXUINT64, most = 0;
  for (guint i = first; i < first + count; i++)
    {
      least = MIN (least, traffic->shared[i]);
      most = MAX (most, traffic->shared[i]);
    }
  return (most + traffic->size - 1) / BANK_BYTES - least / BANK_BYTES < N_BANKS;
}

/* Counts the cycles for the lanes from @first on: the most different words that one bank must give. Lanes
 * that want the same word share it. */
static guint
count_cycles (const PtxTraffic *traffic, guint first, guint count)
{
  guint64 words[N_BANKS][PTX_LANES];
  guint8 n[N_BANKS] = { 0 };
  guint most = 1;
  if (is_one_row (traffic, first, count))
    return 1;
  for (guint i = first; i < first + count; i++)
    for (guint64 word = traffic->shared[i] / BANK_BYTES;
         word <= (traffic->shared[i] + traffic->size - 1) / BANK_BYTES; word++)
      {
        guint bank = word % N_BANKS, k = 0;
        while (k < n[bank] && words[bank][k] != word)
          k++;
        if (k == n[bank] && k < PTX_LANES)
          words[bank][n[bank]++] = word;
        most = MAX (most, n[bank]);
      }
  return most;
}

/* Counts the bank conflicts. A warp's wide accesses are served in groups of lanes that together want at most
 * 128 bytes. */
static guint
count_conflicts (const PtxTraffic *traffic)
{
  guint group = traffic->size <= BANK_BYTES ? PTX_LANES : MAX (PTX_LANES * BANK_BYTES / traffic->size, 1);
  guint conflicts = 0;
  for (guint i = 0; i < traffic->n_shared; i += group)
    conflicts += count_cycles (traffic, i, MIN (group, traffic->n_shared - i)) - 1;
  return conflicts;
}

/* Adds one warp instruction to the statistics. */
void
ptx_traffic_count (const PtxTraffic *traffic, HeddlePtxStats *stats)
{
  if (traffic->n_global > 0)
    {
      guint sectors = count_sectors (traffic);
      stats->global_sectors_least += least_sectors (traffic);
      if (traffic->write)
        stats->global_sectors_written += sectors;
      else
        stats->global_sectors_read += sectors;
    }
  if (traffic->n_shared > 0)
    {
      stats->shared_accesses++;
      stats->bank_conflicts += count_conflicts (traffic);
    }
}

void
heddle_ptx_stats_add (HeddlePtxStats *self, const HeddlePtxStats *more)
{
  guint64 sums[sizeof *self / sizeof (guint64)], others[sizeof *self / sizeof (guint64)];

  G_STATIC_ASSERT (sizeof sums == sizeof *self);
  memcpy (sums, self, sizeof sums);
  memcpy (others, more, sizeof others);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    sums[i] += others[i];
  memcpy (self, sums, sizeof sums);
}
