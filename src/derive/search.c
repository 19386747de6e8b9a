/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/kernel.h"
#include "derive/legality.h"

/* The best labels of one region: which axis streams, which are grouped, and their tiles.
 *
 * Grouping an axis whole costs nothing, so every axis that may be grouped is, and a tile of the whole axis stands for none. H depends on
 * a tile only through the number of groups ceil (n / g), so the tiles worth trying are the O (sqrt n) least ones of each number. H falls
 * and M rises with each tile: the last axis is solved by bisection, and a branch whose least memory does not fit, or whose H cannot
 * become less, is cut. The result is the exact optimum over whole numbers. For predicted time the tiles are powers of two and the search
 * goes through all of them. */

/* Beyond this many sums of products for a structure the search stops and says that it is not exact: about a second. */
#define MAX_WORK 300000000
#define CHECK_EVERY 1024
/* Chunks on a GPU: a fragment of the tensor cores is 16 wide, and beyond 128 nothing is gained. */
#define LEAST_CHUNK 16
#define MOST_CHUNK 128

/* One grouped axis and the tiles to try, least first. */
typedef struct
{
  const char *axis;
  GArray *sizes; /* of gint64 */
  gboolean given; /* by a label */
  gboolean free; /* H does not depend on it */
} Choice;

typedef struct
{
  gboolean found;
  gboolean fits;
  double time;
  gint64 transfers, groups;
  gint64 memory; /* where nothing fits: the least */
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
} Score;

typedef struct
{
  const HeddleDeriveContext *context;
  const HeddleRegionTerm *region;
  GHashTable *divisors;
  HeddleCost *cost;
  GArray *choices; /* of Choice */
  guint n_bound; /* choices before this one that H depends on */
  GArray *chunks; /* of gint64 */
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  Score best;
  gboolean by_time, cancelled;
  guint64 looks, most_looks; /* at the cost of the structure at hand */
  HeddleSearchReport *report;
} Search;

static void
choice_clear (Choice *choice)
{
  g_array_unref (choice->sizes);
}

static Choice *
get_choice (const Search *self, guint i)
{
  return &g_array_index (self->choices, Choice, i);
}

static gint64
get_size (const GArray *sizes, guint i)
{
  return g_array_index (sizes, gint64, i);
}

/* --- the tiles to try ------------------------------------------------------------------------------ */

static gint64
get_divisor (const Search *self, const char *axis)
{
  const gint64 *divisor = g_hash_table_lookup (self->divisors, axis);

  return divisor != NULL ? *divisor : 1;
}

static gint64
round_up (gint64 size, gint64 divisor)
{
  gint64 times = size / divisor + (size % divisor != 0);

  return heddle_saturating_multiply (times, divisor);
}

static void
append_size (GArray *sizes, gint64 size)
{
  if (sizes->len == 0 || get_size (sizes, sizes->len - 1) < size)
    g_array_append_val (sizes, size);
}

/* The least tile of each number of groups, from the least up. */
static GArray *
sizes_of_classes (gint64 n, gint64 divisor)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 size = 1; size <= n;)
    {
      gint64 groups = n / size + (n % size != 0);
      gint64 next = groups > 1 ? (n + groups - 2) / (groups - 1) : n + 1;

      append_size (sizes, round_up (n / groups + (n % groups != 0), divisor));
      size = MAX (next, size + 1);
    }
  return sizes;
}

/* Powers of two (times the divisor) from @least to @most, and the whole axis where that is less. */
static GArray *
sizes_of_powers (gint64 n, gint64 divisor, gint64 least, gint64 most)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 size = round_up (MIN (least, n), divisor);

  for (; size < n && size <= most; size = heddle_saturating_multiply (size, 2))
    append_size (sizes, size);
  if (n <= most || sizes->len == 0)
    append_size (sizes, round_up (MIN (n, MAX (most, size)), divisor));
  return sizes;
}

static GArray *
one_size (gint64 size)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_array_append_val (sizes, size);
  return sizes;
}

/* --- scoring ------------------------------------------------------------------------------------------ */

static int
compare_tiles (const Search *self, const Score *a, const Score *b)
{
  for (guint i = 0; i < self->choices->len; i++)
    if (a->tiles[i] != b->tiles[i])
      return a->tiles[i] < b->tiles[i] ? -1 : 1;
  if (a->chunk == b->chunk)
    return 0;
  return (a->chunk < b->chunk) != self->by_time ? -1 : 1;
}

#define COMPARE(a, b)                                                                                        \
  if ((a) != (b))                                                                                            \
  return (a) < (b)

/* Fewer groups, then the smaller tile, then by the outputs' axes: the ties of io-model.md section 3. On a GPU the larger chunk: its loop
 * has fewer barriers. */
static gboolean
is_better (const Search *self, const Score *a, const Score *b)
{
  if (!b->found)
    return TRUE;
  COMPARE (b->fits, a->fits);
  if (!a->fits)
    COMPARE (a->memory, b->memory);
  if (self->by_time)
    COMPARE (a->time, b->time);
  COMPARE (a->transfers, b->transfers);
  COMPARE (a->groups, b->groups);
  return compare_tiles (self, a, b) < 0;
}

/* A structure must be better than one tried before it, not only as good. */
static gboolean
is_gain (const Search *self, const Score *a, const Score *b)
{
  if (!b->found || a->fits != b->fits)
    return !b->found || a->fits;
  if (!a->fits)
    return a->memory < b->memory;
  return self->by_time ? a->time < b->time : a->transfers < b->transfers;
}

static gboolean
fits (const Search *self)
{
  return heddle_kernel_fits (self->context, self->cost, self->tiles, self->chunk);
}

static void
consider (Search *self)
{
  Score score = { TRUE, fits (self) };

  self->report->candidates++;
  score.transfers = heddle_cost_transfers (self->cost, self->tiles, self->chunk, FALSE);
  score.groups = heddle_cost_groups (self->cost, self->tiles);
  score.memory = score.fits ? 0 : heddle_cost_memory (self->cost, self->tiles, self->chunk, FALSE);
  score.time
      = self->by_time ? heddle_time_new (self->context, self->cost, self->tiles, self->chunk).expected_s : 0.;
  score.chunk = self->chunk;
  memcpy (score.tiles, self->tiles, sizeof score.tiles);
  if (is_better (self, &score, &self->best))
    self->best = score;
}

/* About how many products one look at the cost takes. */
static guint64
work_of_look (const Search *self)
{
  guint64 work = self->cost->transfers->len + self->cost->works->len + self->cost->shared->len;

  for (guint i = 0; i < self->cost->moments->len; i++)
    work += ((HeddleMoment *) g_ptr_array_index (self->cost->moments, i))->terms->len;
  return work;
}

/* FALSE: enough. */
static gboolean
go_on (Search *self)
{
  if (++self->looks % CHECK_EVERY == 0 && g_cancellable_is_cancelled (self->context->cancellable))
    self->cancelled = TRUE;
  if (self->looks >= self->most_looks)
    self->report->exact = FALSE;
  return !self->cancelled && self->looks < self->most_looks;
}

/* --- by transfers: exact ---------------------------------------------------------------------------------- */

static void
set_least (Search *self, guint from)
{
  for (guint i = from; i < self->choices->len; i++)
    self->tiles[i] = get_size (get_choice (self, i)->sizes, 0);
}

/* The H that the choices from @from on could come down to. */
static gint64
least_transfers (Search *self, guint from)
{
  gint64 tiles[HEDDLE_MAX_GROUPS];

  memcpy (tiles, self->tiles, sizeof tiles);
  for (guint i = from; i < self->choices->len; i++)
    {
      const GArray *sizes = get_choice (self, i)->sizes;

      tiles[i] = get_size (sizes, sizes->len - 1);
    }
  return heddle_cost_transfers (self->cost, tiles, self->chunk, FALSE);
}

/* The largest tile of choice @i that fits; the least where none does. */
static void
solve_by_bisection (Search *self, guint i)
{
  const GArray *sizes = get_choice (self, i)->sizes;
  guint low = 0, high = sizes->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      self->tiles[i] = get_size (sizes, middle);
      if (fits (self))
        low = middle;
      else
        high = middle;
    }
  self->tiles[i] = get_size (sizes, low);
}

static void
search_exactly (Search *self, guint i)
{
  const GArray *sizes;

  if (i + 1 >= self->n_bound)
    {
      if (i < self->n_bound)
        solve_by_bisection (self, i);
      consider (self);
      return;
    }
  sizes = get_choice (self, i)->sizes;
  for (guint k = 0; k < sizes->len && go_on (self); k++)
    {
      self->tiles[i] = get_size (sizes, k);
      set_least (self, i + 1);
      if (k > 0 && !fits (self))
        break;
      if (!self->best.found || !self->best.fits || least_transfers (self, i + 1) <= self->best.transfers)
        search_exactly (self, i + 1);
    }
}

/* Axes that every operand has: their tiles only make fewer groups. */
static void
enlarge_free (Search *self)
{
  if (!self->best.found || !self->best.fits)
    return;
  memcpy (self->tiles, self->best.tiles, sizeof self->tiles);
  self->chunk = self->best.chunk;
  for (guint i = self->n_bound; i < self->choices->len; i++)
    solve_by_bisection (self, i);
  consider (self);
}

/* --- by time: through all of a coarse grid -------------------------------------------------------------------- */

static void
search_grid (Search *self, guint i)
{
  const GArray *sizes;

  if (i == self->choices->len)
    {
      consider (self);
      return;
    }
  sizes = get_choice (self, i)->sizes;
  for (guint k = 0; k < sizes->len && go_on (self); k++)
    {
      self->tiles[i] = get_size (sizes, k);
      set_least (self, i + 1);
      if (self->best.found && !fits (self))
        break;
      search_grid (self, i + 1);
    }
}

/* --- one structure: a stream axis, or none -------------------------------------------------------------------- */

static gboolean
is_given (const HeddleTiling *tiling, const char *axis, gint64 *size)
{
  for (guint i = 0; i < tiling->groups->len; i++)
    {
      const HeddleTile *tile = &g_array_index (tiling->groups, HeddleTile, i);

      if (tile->axis != axis)
        continue;
      *size = tile->size;
      return TRUE;
    }
  return FALSE;
}

/* Every axis that may be grouped, in the order of the region's axes, tile 1 for now. */
static GArray *
groups_to_try (const Search *self, const HeddleTiling *given, const char *stream)
{
  GArray *groups = g_array_new (FALSE, FALSE, sizeof (HeddleTile));

  for (guint i = 0; i < self->region->axes->len && groups->len < HEDDLE_MAX_GROUPS; i++)
    {
      HeddleTile tile = { heddle_ids_index (self->region->axes, i), 1 };

      if (tile.axis == stream)
        continue;
      if (is_given (given, tile.axis, &tile.size) || heddle_legality_can_group (self->region, tile.axis))
        g_array_append_val (groups, tile);
    }
  return groups;
}

static gboolean
is_free (const Search *self, guint group)
{
  for (guint i = 0; i < self->cost->transfers->len; i++)
    if ((g_array_index (self->cost->transfers, HeddleTerms, i).groups >> group & 1) != 0)
      return FALSE;
  return TRUE;
}

static Choice
choice_new (const Search *self, const HeddleTiling *given, const HeddleTile *tile, guint group)
{
  gint64 n = heddle_sizes_get (self->context->sizes, tile->axis), size = 1;
  gint64 divisor = get_divisor (self, tile->axis);
  Choice choice = { tile->axis };

  choice.given = is_given (given, tile->axis, &size);
  choice.free = is_free (self, group);
  if (choice.given)
    choice.sizes = one_size (size);
  else if (self->by_time)
    choice.sizes = sizes_of_powers (n, divisor, choice.free ? 1 : LEAST_CHUNK, G_MAXINT64);
  else
    choice.sizes = sizes_of_classes (n, divisor);
  return choice;
}

/* The choices in the order of the program's bands; those that H depends on first in the search, see reorder(). */
static void
make_choices (Search *self, const HeddleTiling *given, const GArray *groups)
{
  g_array_set_size (self->choices, 0);
  for (guint i = 0; i < groups->len; i++)
    {
      Choice choice = choice_new (self, given, &g_array_index (groups, HeddleTile, i), i);

      g_array_append_val (self->choices, choice);
    }
}

static void
make_chunks (Search *self, const HeddleTiling *given, const char *stream)
{
  g_clear_pointer (&self->chunks, g_array_unref);
  if (stream == NULL)
    self->chunks = one_size (1);
  else if (given->stream == stream)
    self->chunks = one_size (given->chunk);
  else if (self->by_time)
    self->chunks = sizes_of_powers (
        heddle_sizes_get (self->context->sizes, stream), get_divisor (self, stream), LEAST_CHUNK, MOST_CHUNK);
  else
    self->chunks = one_size (get_divisor (self, stream));
}

/* Bound axes before free ones: the search goes through the first and enlarges the others afterwards. */
static gint
compare_groups (gconstpointer a, gconstpointer b, gpointer data)
{
  const Search *self = data;
  const HeddleTile *x = a, *y = b;

  return heddle_ids_find (self->region->axes, x->axis) - heddle_ids_find (self->region->axes, y->axis);
}

static void
order_groups (Search *self, GArray *groups)
{
  g_autoptr (GArray) bound = g_array_new (FALSE, FALSE, sizeof (HeddleTile));
  g_autoptr (GArray) unbound = g_array_new (FALSE, FALSE, sizeof (HeddleTile));

  g_array_sort_with_data (groups, compare_groups, self);
  for (guint i = 0; i < groups->len; i++)
    g_array_append_val (is_free (self, i) ? unbound : bound, g_array_index (groups, HeddleTile, i));
  self->n_bound = bound->len;
  g_array_set_size (groups, 0);
  g_array_append_vals (groups, bound->data, bound->len);
  g_array_append_vals (groups, unbound->data, unbound->len);
}

static HeddleCost *
new_cost (const Search *self, const HeddleStreamPlan *plan, const HeddleTiling *tiling)
{
  HeddleLoopProgram *program = heddle_loop_program_new (self->region, plan, tiling, "");
  HeddleCost *cost = heddle_cost_new (program, self->context->sizes, self->context->options->columns);

  return cost;
}

static void
drop_cost (Search *self)
{
  if (self->cost == NULL)
    return;
  heddle_loop_program_unref ((HeddleLoopProgram *) self->cost->program);
  g_clear_pointer (&self->cost, heddle_cost_free);
}

static void
search_structure (Search *self, const HeddleStreamPlan *plan, const HeddleTiling *given, GArray *groups)
{
  HeddleTiling tiling = *given;

  tiling.groups = groups;
  tiling.stream = plan->axis;
  self->cost = new_cost (self, plan, &tiling);
  order_groups (self, groups);
  drop_cost (self);
  self->cost = new_cost (self, plan, &tiling);
  make_choices (self, given, groups);
  make_chunks (self, given, plan->axis);
  self->best = (Score){ 0 };
  self->looks = 0;
  self->most_looks = MAX_WORK / work_of_look (self);
  for (guint i = 0; i < self->chunks->len && go_on (self); i++)
    {
      self->chunk = get_size (self->chunks, i);
      set_least (self, 0);
      if (self->by_time)
        search_grid (self, 0);
      else
        search_exactly (self, 0);
    }
  if (!self->by_time)
    enlarge_free (self);
}

/* --- all structures ---------------------------------------------------------------------------------------------- */

/* A tile of a whole axis is no label, unless one was given. Where leaving them away would not fit (the `operands` convention leaves
 * states out whose axes are all grouped) they stay. */
static void
write_tiling (
    const Search *self, const Score *best, const GArray *groups, HeddleTiling *tiling, gboolean whole)
{
  g_array_set_size (tiling->groups, 0);
  for (guint i = 0; i < groups->len; i++)
    {
      HeddleTile tile = { g_array_index (groups, HeddleTile, i).axis, best->tiles[i] };

      if (whole || get_choice (self, i)->given
          || tile.size < heddle_sizes_get (self->context->sizes, tile.axis))
        g_array_append_val (tiling->groups, tile);
    }
}

static gboolean
fits_tiling (Search *self, const HeddleStreamPlan *plan, const HeddleTiling *tiling)
{
  g_autoptr (HeddleCost) cost = new_cost (self, plan, tiling);
  gint64 tiles[HEDDLE_MAX_GROUPS], chunk;
  gboolean result;

  heddle_cost_own_tiles (cost, tiles, &chunk);
  result = heddle_kernel_fits (self->context, cost, tiles, chunk);
  heddle_loop_program_unref ((HeddleLoopProgram *) cost->program);
  return result;
}

/* The axes that may stream, most natural first: none, those reduced, then those of the outputs from the last on. */
static GArray *
streams_to_try (const HeddleRegionTerm *region, const HeddleTiling *given)
{
  GArray *streams = heddle_ids_new ();

  heddle_ids_append (streams, given->stream);
  if (given->stream != NULL)
    return streams;
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      for (guint k = 0; k < definition->over->len; k++)
        if (!heddle_ids_contain (streams, heddle_ids_index (definition->over, k)))
          heddle_ids_append (streams, heddle_ids_index (definition->over, k));
    }
  for (guint i = region->axes->len; i-- > 0;)
    if (!heddle_ids_contain (streams, heddle_ids_index (region->axes, i)))
      heddle_ids_append (streams, heddle_ids_index (region->axes, i));
  return streams;
}

/* What has been found so far, over all structures. */
typedef struct
{
  Score score;
  HeddleStreamPlan *plan;
  GArray *groups; /* of HeddleTile, sized */
} Best;

static void
try_stream (Search *self, const char *stream, const HeddleTiling *given, Best *best)
{
  HeddleObstacle obstacle;
  gint64 size;
  g_autoptr (HeddleStreamPlan) plan = NULL;
  g_autoptr (GArray) groups = NULL;

  if (stream != NULL && is_given (given, stream, &size))
    return;
  plan = heddle_stream_plan_new (self->region, stream, &obstacle);
  if (plan == NULL)
    return;
  groups = groups_to_try (self, given, stream);
  search_structure (self, plan, given, groups);
  if (self->best.found && is_gain (self, &self->best, &best->score))
    {
      HeddleTiling tiling = *given;

      tiling.groups = g_array_new (FALSE, FALSE, sizeof (HeddleTile));
      tiling.stream = stream;
      tiling.chunk = self->best.chunk;
      write_tiling (self, &self->best, groups, &tiling, FALSE);
      if (self->best.fits && !fits_tiling (self, plan, &tiling))
        write_tiling (self, &self->best, groups, &tiling, TRUE);
      g_clear_pointer (&best->groups, g_array_unref);
      g_clear_pointer (&best->plan, heddle_stream_plan_free);
      *best = (Best){ self->best, g_steal_pointer (&plan), tiling.groups };
    }
  drop_cost (self);
}

HeddleStreamPlan *
heddle_search (const HeddleDeriveContext *context, const HeddleRegionTerm *region, HeddleTiling *tiling,
    GHashTable *divisors, HeddleSearchReport *report, GError **error)
{
  g_autoptr (GArray) streams = streams_to_try (region, tiling);
  g_autoptr (GArray) choices = g_array_new (FALSE, FALSE, sizeof (Choice));
  Search self = { context, region, divisors, .choices = choices, .report = report };
  Best best = { 0 };

  g_array_set_clear_func (choices, (GDestroyNotify) choice_clear);
  self.by_time = !context->abstract && context->options->objective == HEDDLE_OBJECTIVE_TIME;
  report->exact = !self.by_time;
  for (guint i = 0; i < streams->len && !self.cancelled; i++)
    try_stream (&self, heddle_ids_index (streams, i), tiling, &best);
  g_clear_pointer (&self.chunks, g_array_unref);
  drop_cost (&self);
  if (!g_cancellable_set_error_if_cancelled (context->cancellable, error))
    {
      g_array_set_size (tiling->groups, 0);
      g_array_append_vals (tiling->groups, best.groups->data, best.groups->len);
      tiling->stream = best.plan->axis;
      tiling->chunk = best.score.chunk;
    }
  else
    g_clear_pointer (&best.plan, heddle_stream_plan_free);
  g_clear_pointer (&best.groups, g_array_unref);
  return best.plan;
}
