/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/rows.h"
#include "codegen/cuda/sums.h"
#include "codegen/plan/contractions.h"
#include "codegen/plan/given.h"
#include "codegen/plan/rows.h"
#include "codegen/plan/sums.h"
#include "codegen/plan/thread-work.h"
#include "codegen/plan/tiles.h"
#include "codegen/plan/widen.h"
#include "codegen/tensor/bulk.h"
#include "codegen/tile/program.h"
#include "codegen/tile/rank.h"
#include "derive/derivation/schedule-text.h"
#include "diagram/analysis/sizes.h"

/* This file chooses tiles for the tensor core: those that labels do not give are tried and ranked by the
 * model. */

/* The number of bands beyond which they are left as the derivation suggests them. */
#define MOST_BANDS 4

/* The sizes of groups. 1 is for axes that are in all arrays of a product, heads of attention or batches, of
 * which a block has one. */
static const gint64 group_sizes[] = { 1, 16, 32, 64, 128, 256 };
/* The sizes of chunks. 1 is for a sum over two axes, heads and their components: a step takes one of the
 * first and all of the second. */
static const gint64 chunk_sizes[] = { 1, 32, 64, 128 };

typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  const HeddleKernel *kernel;
  const HeddleRegion *region; /* as the person has it, or NULL */
  HeddleNode *bands[MOST_BANDS]; /* whose sizes are tried out */
  gint64 best[MOST_BANDS];
  guint n;
  double cycles; /* the least */
} Choice;

/* Returns the kernel's tile program. If there is none for the tensor core, sets @why. */
static HeddleTileProgram *
find_tiles (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel, char **why)
{
  const HeddleTileWish wish = heddle_family_wish (plan->family);

  if (kernel->program == NULL || plan->family == HEDDLE_FAMILY_GENERAL)
    return NULL;
  return heddle_tile_program_best (
      diagram, kernel->program, plan->sizes, plan->dtype, plan->machine, &wish, why);
}

HeddleTileProgram *
heddle_plan_make_tiles (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autofree char *why = NULL;

  return find_tiles (plan, diagram, kernel, &why);
}

char *
heddle_plan_find_fault (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autofree char *why = NULL;
  g_autoptr (HeddleTileProgram) tiles = find_tiles (plan, diagram, kernel, &why);

  return tiles == NULL ? g_steal_pointer (&why) : NULL;
}

gboolean
heddle_plan_has_tiles (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (HeddleTileProgram) tiles = heddle_plan_make_tiles (plan, diagram, kernel);

  return tiles != NULL;
}

gboolean
heddle_plan_changes_factors (
    const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleDerivation *derivation)
{
  gboolean changes = FALSE;

  for (guint i = 0; i < derivation->kernels->len && !changes; i++)
    {
      g_autoptr (HeddleTileProgram) tiles
          = heddle_plan_make_tiles (plan, diagram, g_ptr_array_index (derivation->kernels, i));

      changes = tiles != NULL && heddle_tile_program_changes_factor (tiles);
    }
  return changes;
}

/* The share that kernels by rows, or of sums, reach: each term is read, converted and added, by three
 * instructions. */
#define ROW_SHARE 0.3
/* The share that they reach around an element, where indices are computed for each term, and whether it is
 * inside: by fifteen instructions, as the depthwise convolution of data/measured takes. */
#define REACH_SHARE 0.06

/* Returns the shares that a kernel reaches which is not for the tensor cores. */
static HeddleProductShares
plain_shares (const HeddleLoopProgram *program, const HeddleSizes *sizes, HeddleDtype dtype,
    const HeddleMachine *machine)
{
  g_autoptr (HeddleSizes) own = heddle_loop_program_own_sizes (program, sizes);
  g_auto (HeddleRows) rows = { 0 };
  g_auto (HeddleSums) sums = { 0 };

  if (heddle_rows_find (&rows, program, own, dtype))
    return (HeddleProductShares){ .plain = rows.reaches ? REACH_SHARE : ROW_SHARE,
      .threads_s = heddle_plan_row_seconds (program, &rows, own, machine) };
  if (heddle_sums_find (&sums, program, own, dtype))
    return (HeddleProductShares){ .plain = ROW_SHARE };
  return heddle_plan_contraction_shares (program, own, machine);
}

/* Returns the shares of the kernel that does the work, without the one that merges its parts. */
static HeddleProductShares
first_shares (const HeddleDiagram *diagram, const HeddleLoopProgram *program, const HeddleSizes *sizes,
    HeddleDtype dtype, const HeddleDeriveOptions *options)
{
  const HeddleTileWish wish = heddle_family_wish (HEDDLE_FAMILY_AUTO);
  g_autofree char *why = NULL;
  g_autoptr (HeddleTileProgram) tiles = NULL;

  tiles = heddle_tile_program_best (diagram, program, sizes, dtype, options->machine, &wish, &why);
  if (tiles != NULL)
    return (HeddleProductShares){ .tensor = heddle_tile_program_tensor_share (tiles, options->machine),
      .copies_s = heddle_tile_program_copy_seconds (tiles, options->machine),
      .matrices = tiles->pass != NULL ? heddle_sizes_get (sizes, tiles->matrices) : 0,
      .dealt = tiles->dealt != NULL,
      .dealing_s = heddle_tile_program_dealing_seconds (tiles, options->machine) };
  return plain_shares (program, sizes, dtype, options->machine);
}

HeddleProductShares
heddle_plan_product_shares (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options)
{
  HeddleDtype dtype = options->dtype != HEDDLE_DTYPE_UNSET ? options->dtype : HEDDLE_DTYPE_F16;
  HeddleProductShares shares = { 0 };

  if (options->machine->arch == NULL || !g_str_has_prefix (options->machine->arch, "sm_"))
    return shares;
  shares = first_shares (diagram, program, sizes, dtype, options);
  shares.merging_s = heddle_plan_merging_seconds (program, sizes, options->machine);
  return shares;
}

HeddleProductShares
heddle_plan_unit_shares (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options)
{
  HeddleProductShares shares = heddle_plan_product_shares (diagram, program, sizes, options);

  shares.threads_s = shares.merging_s = 0;
  return shares;
}

HeddleProductSharesFunc
heddle_plan_shares_of (const HeddlePlan *plan)
{
  return plan->by_units ? heddle_plan_unit_shares : heddle_plan_product_shares;
}

double
heddle_plan_tile_seconds (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (HeddleTileProgram) tiles = heddle_plan_make_tiles (plan, diagram, kernel);

  return tiles != NULL ? heddle_tile_program_cycles (tiles, plan->machine) / plan->machine->clock : 0;
}

/* --- what is tried out --- */

static void
collect (Choice *self, const HeddleNode *node)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      HeddleNode *child = g_ptr_array_index (node->children, i);

      if (child->kind != HEDDLE_NODE_BAND)
        continue;
      if (self->n < MOST_BANDS && !heddle_plan_is_part (self->kernel->program, child)
          && !heddle_plan_is_given (self->region, child)
          && (child->band == HEDDLE_BAND_STREAM || child->size > 1))
        self->bands[self->n++] = child;
      collect (self, child);
    }
}

static void
rank (Choice *self)
{
  g_autoptr (HeddleTileProgram) tiles = heddle_plan_make_tiles (self->plan, self->diagram, self->kernel);
  double cycles = tiles != NULL ? heddle_tile_program_cycles (tiles, self->plan->machine) : 0;

  /* of two alike the one of larger tiles, which moves less */
  if (tiles == NULL || (self->cycles > 0 && cycles > self->cycles))
    return;
  self->cycles = cycles;
  for (guint i = 0; i < self->n; i++)
    self->best[i] = self->bands[i]->size;
}

/* Returns whether a chunk divides the group that a label gives the same axis. */
static gboolean
suits_group (const Choice *self, const HeddleNode *band, gint64 size)
{
  const HeddleNode *group = band->band == HEDDLE_BAND_STREAM ? heddle_loop_program_get_band (
                                self->kernel->program, band->axis, HEDDLE_BAND_GROUP)
                                                             : NULL;

  return group == NULL || !heddle_plan_is_given (self->region, group) || group->size % size == 0;
}

/* Tries every size of band @i and those after it; sizes beyond the first that holds the whole axis are all
 * the same. */
static void
try_sizes (Choice *self, guint i)
{
  gboolean stream, tried = FALSE;
  const gint64 *sizes;
  gint64 own, n;

  if (i == self->n)
    {
      rank (self);
      return;
    }
  stream = self->bands[i]->band == HEDDLE_BAND_STREAM;
  sizes = stream ? chunk_sizes : group_sizes;
  own = self->bands[i]->size;
  n = heddle_sizes_get (self->plan->sizes, self->bands[i]->axis);
  for (guint k = 0; k < (stream ? G_N_ELEMENTS (chunk_sizes) : G_N_ELEMENTS (group_sizes)); k++)
    {
      if (!suits_group (self, self->bands[i], sizes[k]))
        continue;
      tried = TRUE;
      self->bands[i]->size = sizes[k];
      try_sizes (self, i + 1);
      if (sizes[k] >= n)
        break;
    }
  self->bands[i]->size = own;
  if (!tried)
    try_sizes (self, i + 1);
}

/* --- what was chosen, as labels --- */

static void
add_labels (HeddleRegion *region, const Choice *choice, const HeddleNode *node)
{
  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);
      gint64 size = child->kind == HEDDLE_NODE_BAND ? child->size : 0;

      if (size == 0)
        continue;
      for (guint k = 0; k < choice->n; k++)
        if (choice->bands[k] == child)
          size = choice->best[k];
      if (!heddle_plan_is_given (region, child))
        g_ptr_array_add (region->labels,
            heddle_label_new (child->axis, "smem",
                child->band == HEDDLE_BAND_STREAM ? HEDDLE_LABEL_STREAM : HEDDLE_LABEL_GROUP, size));
      add_labels (region, choice, child);
    }
}

/* Returns the region of a kernel in @schedule; makes one for a kernel that is in none, or was taken out of
 * one that fits no memory. */
static HeddleRegion *
region_of (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  HeddleRegion *region
      = kernel->region_id != NULL ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;

  return region != NULL ? region : heddle_schedule_fuse_operations (schedule, diagram, kernel->operations);
}

/* Returns the size of a label as the kernel's program has it now. */
static gint64
size_of (const HeddleKernel *kernel, const HeddleLabel *label)
{
  gboolean groups = label->kind == HEDDLE_LABEL_GROUP, streams = label->kind == HEDDLE_LABEL_STREAM;
  const HeddleNode *band = (groups || streams) && kernel->program != NULL ? heddle_loop_program_get_band (
                               kernel->program, label->axis, groups ? HEDDLE_BAND_GROUP : HEDDLE_BAND_STREAM)
                                                                          : NULL;

  return band != NULL ? band->size : label->size;
}

/* Keeps the labels of a kernel that has no tile program, as they were suggested. */
static void
keep_labels (HeddleRegion *region, const HeddleKernel *kernel)
{
  for (guint i = 0; i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);
      gboolean given = FALSE;

      for (guint k = 0; k < region->labels->len; k++)
        {
          const HeddleLabel *own = g_ptr_array_index (region->labels, k);

          given |= own->axis == label->axis && own->kind == label->kind && own->inactive == NULL;
        }
      if (!given)
        g_ptr_array_add (region->labels,
            heddle_label_new (label->axis, label->level, label->kind, size_of (kernel, label)));
    }
}

static void
choose (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleKernel *kernel, Choice *choice)
{
  *choice = (Choice){ .plan = plan, .diagram = diagram, .kernel = kernel };
  if (kernel->program == NULL)
    return;
  if (kernel->region_id != NULL)
    choice->region = heddle_schedule_get_region (schedule, kernel->region_id);
  collect (choice, kernel->program->root);
  if (choice->n > 0)
    try_sizes (choice, 0);
}

/**
 * heddle_plan_choose_tiles:
 * @schedule: what was derived
 * @derivation: its derivation, with suggested labels
 *
 * Chooses tiles and chunks for the kernels that the tensor core can run, where labels leave the choice.
 *
 * Returns: (transfer full) (nullable): @schedule with all labels, those chosen and those suggested for other kernels; %NULL: there is
 * nothing to choose
 */
HeddleSchedule *
heddle_plan_choose_tiles (const HeddlePlan *plan, const HeddleDiagram *diagram,
    const HeddleSchedule *schedule, const HeddleDerivation *derivation)
{
  HeddleSchedule *chosen = heddle_schedule_copy (schedule);
  gboolean some = FALSE;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      Choice choice;

      choose (plan, diagram, schedule, kernel, &choice);
      some |= choice.cycles > 0;
      if (choice.cycles > 0)
        add_labels (region_of (chosen, diagram, kernel), &choice, kernel->program->root);
      else
        {
          HeddleRegion *region = region_of (chosen, diagram, kernel);
          gboolean sized;

          if (kernel->program != NULL
              && (heddle_plan_label_sums (plan, diagram, chosen, region, kernel)
                  || heddle_plan_label_rows (plan, diagram, chosen, region, kernel)))
            {
              some = TRUE;
              continue;
            }
          sized = kernel->program != NULL && heddle_plan_size_rows (plan, kernel, choice.region);
          if (kernel->program != NULL && !sized
              && heddle_plan_label_across (plan, diagram, chosen, region, kernel))
            {
              some = TRUE;
              continue;
            }
          if (kernel->program != NULL && !sized)
            sized = heddle_plan_size_contractions (plan, kernel, choice.region);
          if (kernel->program != NULL && !sized
              && heddle_plan_label_register_tile (plan, diagram, chosen, region, kernel))
            {
              some = TRUE;
              continue;
            }
          if (kernel->program != NULL)
            some |= sized || heddle_plan_widen (plan, kernel, choice.region);
          keep_labels (region, kernel);
          if (sized)
            heddle_plan_take_fewer_rows (plan, diagram, chosen, region, kernel, heddle_plan_shares_of (plan));
        }
    }
  if (!some)
    g_clear_pointer (&chosen, heddle_schedule_free);
  return chosen;
}
