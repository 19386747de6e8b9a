/* SPDX-License-Identifier: MIT */
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/kernel.h"
#include "derive/kernel/search-cache-key.h"
#include "derive/kernel/search-cache.h"
#include "derive/region/region.h"
#include "derive/region/view.h"
#include "derive/suggest/fusion.h"
#include "derive/suggest/order-ideals.h"
#include "derive/cost/cost.h"
#include "derive/cost/time.h"
#include "derive/kernel/opaque.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <math.h>
#include <string.h>

/* The work for one kernel in this search, less than when it is the only one asked for. */
#define MAX_WORK 400000
/* The number of kernels priced beyond which the search stops and says that it is not exact. */
#define MAX_PRICED 2000
/* The same of all windows together: so many take seconds. What is left is cut into kernels of one operation. */
#define MAX_PRICED_IN_ALL 40000
/* The number of parts of a function that take as long to price as everything else. */
#define LONG_FUNCTION 64
/* The cost of a kernel that does not fit: worse than any that does. */
#define MISFIT 1e30

static guint64
get_set (const HeddleFusionSearch *self, guint i)
{
  return g_array_index (self->order_ideals->ideals, guint64, i);
}

static GArray *
operations_of (const HeddleFusionSearch *self, guint64 set)
{
  GArray *operations = heddle_ids_new ();

  for (; set != 0; set &= set - 1)
    {
      guint i = self->order_ideals->first + (guint) __builtin_ctzll (set);

      heddle_ids_append (
          operations, ((HeddleOperation *) g_ptr_array_index (self->context.diagram->operations, i))->id);
    }
  return operations;
}

/* --- the cost of one kernel ---------------------------------------------------------------- */

/* Returns whether costs are seconds; else they are what is transferred, in bytes, or in elements on the
 * abstract machine. */
static gboolean
fusion_is_by_time (const HeddleFusionSearch *self)
{
  return !self->context.abstract && self->options.objective == HEDDLE_OBJECTIVE_TIME;
}

static double
cost_of (const HeddleFusionSearch *self, const HeddleKernel *kernel)
{
  const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);
  double cost = fusion_is_by_time (self)
                    ? kernel->expected_s
                    : (double) (self->context.abstract ? level->transfer_elements : level->transfer_bytes);

  return kernel->fits ? cost : MISFIT + cost;
}

static double
price_operations (HeddleFusionSearch *self, const GArray *operations)
{
  HeddleKernel *kernel = heddle_kernel_new (&self->context, NULL, operations, &self->totals, NULL);
  double cost = INFINITY;

  if (kernel != NULL && kernel->program != NULL)
    cost = cost_of (self, kernel);
  if (kernel != NULL)
    heddle_kernel_unref (kernel);
  return cost;
}

/* Returns the cost of one kernel of the operations in @set; INFINITY if they cannot be one kernel. */
static double
price (HeddleFusionSearch *self, guint64 set)
{
  g_autoptr (GArray) operations = operations_of (self, set);
  g_autoptr (HeddleRegionTerm) term = heddle_region_term_new_storing (
      self->context.diagram, operations, self->context.sizes, FALSE, NULL, self->context.memo, NULL);
  g_autoptr (GBytes) key
      = term != NULL ? heddle_search_cache_key (&self->context, term, NULL, NULL, FALSE) : NULL;
  double cost;

  if (term == NULL)
    return INFINITY;
  if (key != NULL && heddle_search_cache_lookup_cost (self->context.search_cache, key, &cost))
    return cost;
  cost = price_operations (self, operations);
  if (key != NULL)
    heddle_search_cache_store_cost (self->context.search_cache, key, cost);
  return cost;
}

static double
get_price (HeddleFusionSearch *self, guint64 set)
{
  const double *known = g_hash_table_lookup (self->prices, &set);
  double cost;

  if (set == self->forbidden)
    return INFINITY;
  if (known != NULL)
    return *known;
  if ((g_hash_table_size (self->prices) >= MAX_PRICED
          || self->priced + g_hash_table_size (self->prices) >= self->most_priced)
      && __builtin_popcountll (set) > 1)
    {
      self->cut_short = TRUE;
      return INFINITY;
    }
  cost = heddle_order_ideals_is_connected (self->order_ideals, set) ? price (self, set) : INFINITY;
  g_hash_table_insert (self->prices, g_memdup2 (&set, sizeof set), g_memdup2 (&cost, sizeof cost));
  return cost;
}

static double fusion_least_of (HeddleFusionSearch *self, guint64 set);

/* --- the best cut --------------------------------------------------------------------------- */

/* Returns whether a kernel of @set that is not priced yet cannot be better than what is known. */
static gboolean
is_hopeless (HeddleFusionSearch *self, guint from, guint to, guint64 set)
{
  return self->best[to] < INFINITY && !g_hash_table_contains (self->prices, &set)
         && self->best[from] + (1. - 1e-9) * fusion_least_of (self, set) >= self->best[to];
}

static void
try_kernel (HeddleFusionSearch *self, guint from, guint to)
{
  guint64 small = get_set (self, from), large = get_set (self, to);
  double cost;

  /* No kernel costs less than nothing: most need not be looked up. */
  if (self->best[from] >= self->best[to] || (small & ~large) != 0
      || __builtin_popcountll (large & ~small) > HEDDLE_MAX_FUSED)
    return;
  if (is_hopeless (self, from, to, large & ~small))
    return;
  cost = self->best[from] + get_price (self, large & ~small);
  if (cost >= self->best[to])
    return;
  self->best[to] = cost;
  self->from[to] = from;
}

/* Finds the best cut, small kernels first. Returns FALSE if it was cancelled. */
static gboolean
find_best (HeddleFusionSearch *self)
{
  guint n = self->order_ideals->ideals->len;

  self->best[0] = 0.;
  for (guint to = 1; to < n; to++)
    {
      if (g_cancellable_is_cancelled (self->context.cancellable))
        return FALSE;
      self->best[to] = INFINITY;
      self->from[to] = 0;
      for (guint from = to; from-- > 0;)
        try_kernel (self, from, to);
    }
  return TRUE;
}

/* Returns the kernels of the best cut, in the order they run. */
static GArray *
read_cut (const HeddleFusionSearch *self)
{
  GArray *sets = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = self->order_ideals->ideals->len - 1; i > 0; i = self->from[i])
    {
      guint64 set = get_set (self, i) & ~get_set (self, self->from[i]);

      g_array_prepend_val (sets, set);
    }
  return sets;
}

static double
whole_cost (const HeddleFusionSearch *self)
{
  return self->best[self->order_ideals->ideals->len - 1];
}

/* --- what else there was ----------------------------------------------------------------------- */

void
heddle_fusion_describe_kernel (GString *text, const HeddleDiagram *diagram, const GArray *operations)
{
  g_autofree char *values = heddle_kernel_values (diagram, operations, " ");

  g_string_append_printf (text, "%s%s", text->len > 0 ? " | " : "", values);
}

static char *
describe (const HeddleFusionSearch *self, const GArray *sets)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sets->len; i++)
    {
      g_autoptr (GArray) operations = operations_of (self, g_array_index (sets, guint64, i));

      heddle_fusion_describe_kernel (text, self->context.diagram, operations);
    }
  return g_string_free (text, FALSE);
}

/* Finds the second-best cut. Any other cut lacks some kernel of the best one; this is the best of those. */
static void
find_second (HeddleFusionSearch *self, const GArray *sets, HeddleFusion *report)
{
  report->second_cost = INFINITY;
  for (guint i = 0; i < sets->len; i++)
    {
      g_autoptr (GArray) other = NULL;

      self->forbidden = g_array_index (sets, guint64, i);
      if (__builtin_popcountll (self->forbidden) == 1 && sets->len == 1)
        continue;
      if (!find_best (self) || whole_cost (self) >= report->second_cost)
        continue;
      other = read_cut (self);
      report->second_cost = whole_cost (self);
      g_free (report->second);
      report->second = describe (self, other);
    }
  self->forbidden = 0;
}

/* --- the door ----------------------------------------------------------------------------------- */

static void
add_regions (const HeddleFusionSearch *self, const GArray *sets, HeddleSchedule *schedule)
{
  for (guint i = 0; i < sets->len; i++)
    {
      HeddleRegion *region = heddle_schedule_add_region (schedule);

      g_array_unref (region->operations);
      region->operations = operations_of (self, g_array_index (sets, guint64, i));
    }
}

/* Returns the cost as it is reported. MISFIT ranks cuts but is no cost. */
static double
told_cost (double cost)
{
  return cost >= MISFIT ? INFINITY : cost;
}

/* Cuts what @order_ideals is of; where no cut has a price, every operation is left in no region. */
static gboolean
suggest_window (HeddleFusionSearch *self, HeddleFusion *report, HeddleSchedule *schedule, GError **error)
{
  g_autoptr (GArray) sets = NULL;
  g_autofree char *before = report->chosen, *own = NULL;

  if (!find_best (self))
    {
      report->chosen = g_steal_pointer (&before);
      g_cancellable_set_error_if_cancelled (self->context.cancellable, error);
      return FALSE;
    }
  report->exact = report->exact && self->order_ideals->all && !self->cut_short
                  && self->order_ideals->n == self->context.diagram->operations->len
                  && self->order_ideals->n <= HEDDLE_MAX_FUSED;
  report->cost += whole_cost (self);
  self->priced += g_hash_table_size (self->prices);
  report->priced = self->priced;
  if (isinf (whole_cost (self)))
    {
      report->chosen = g_steal_pointer (&before);
      return TRUE;
    }
  sets = read_cut (self);
  own = describe (self, sets);
  report->chosen = before != NULL ? g_strdup_printf ("%s | %s", before, own) : g_steal_pointer (&own);
  if (self->order_ideals->n == self->context.diagram->operations->len)
    find_second (self, sets, report);
  add_regions (self, sets, schedule);
  return TRUE;
}

/* Finds the best cut of the operations @first to @first + @n. */
static gboolean
cut_window (HeddleFusionSearch *self, guint first, guint n, HeddleFusion *report, HeddleSchedule *schedule,
    GError **error)
{
  g_autoptr (HeddleOrderIdeals) order_ideals = heddle_order_ideals_new (self->context.diagram, first, n);
  g_autoptr (GHashTable) prices
      = g_hash_table_new_full (heddle_order_ideals_hash_set, g_int64_equal, g_free, g_free);
  g_autoptr (GHashTable) leasts
      = g_hash_table_new_full (heddle_order_ideals_hash_set, g_int64_equal, g_free, g_free);
  g_autofree double *best = g_new (double, order_ideals->ideals->len);
  g_autofree guint *from = g_new0 (guint, order_ideals->ideals->len);

  self->order_ideals = order_ideals;
  self->prices = prices;
  self->leasts = leasts;
  self->best = best;
  self->from = from;
  return suggest_window (self, report, schedule, error);
}

static double
bytes_of (const HeddleFusionSearch *self, const char *id)
{
  const HeddleValue *value = heddle_diagram_get_value (self->context.diagram, id);
  double elements = (double) heddle_sizes_elements (self->context.sizes, value);

  return self->context.abstract ? elements
                                : elements
                                      * heddle_dtype_bytes (heddle_diagram_dtype (
                                          self->context.diagram, id, self->context.dtype));
}

/* Returns whether the value may be kept in a cache, even if only in a column: then it need not cross global
 * memory. */
static gboolean
may_be_cached (const HeddleFusionSearch *self, const char *value)
{
  const GPtrArray *places = self->context.schedule->residency;

  for (guint i = 0; fusion_is_by_time (self) && i < places->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (places, i);
      int level = heddle_machine_find_level (self->options.machine, place->level);

      if (place->value == value && level >= 0
          && ((const HeddleLevel *) g_ptr_array_index (self->options.machine->levels, (guint) level))->cache)
        return TRUE;
    }
  return FALSE;
}

static double
compulsory (const HeddleFusionSearch *self)
{
  g_autoptr (GArray) inputs = heddle_diagram_get_inputs (self->context.diagram);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->context.diagram);
  double sum = 0.;

  for (guint i = 0; i < inputs->len; i++)
    if (heddle_diagram_count_readers (self->context.diagram, heddle_ids_index (inputs, i)) > 0
        && !may_be_cached (self, heddle_ids_index (inputs, i)))
      sum += bytes_of (self, heddle_ids_index (inputs, i));
  for (guint i = 0; i < outputs->len; i++)
    if (heddle_diagram_get_producer (self->context.diagram, heddle_ids_index (outputs, i)) != NULL
        && !may_be_cached (self, heddle_ids_index (outputs, i)))
      sum += bytes_of (self, heddle_ids_index (outputs, i));
  return sum;
}

/* Returns whether steps may be left out: behind a condition on indices, not all products are computed. */
static gboolean
has_masks (const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->body != NULL && heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, NULL))
        return TRUE;
    }
  return FALSE;
}

/* Returns a lower bound of the cost of every cut of the diagram: every input and output crosses once, and
 * every contraction is computed. By time it is that of one kernel that keeps the machine busy all the
 * while. */
static double
fusion_least (const HeddleFusionSearch *self)
{
  const HeddleDiagram *diagram = self->context.diagram;
  double work[HEDDLE_N_WORKS] = { 0. }, contracted[HEDDLE_N_DTYPES] = { 0. };
  gboolean masks;

  if (!fusion_is_by_time (self))
    return compulsory (self);
  masks = has_masks (diagram);
  for (guint i = 0; i < diagram->operations->len && !masks; i++)
    heddle_kernel_add_contraction (
        &self->context, g_ptr_array_index (diagram->operations, i), work, contracted);
  return heddle_time_of_work (&self->context, work, contracted, compulsory (self)).overlapped_s;
}

/* Cuts the diagram as one window, or as several of equal length, and returns the schedule. */
static HeddleSchedule *
suggest (HeddleFusionSearch *self, HeddleFusion *report, GError **error)
{
  guint n = self->context.diagram->operations->len;
  guint windows = (n + HEDDLE_MAX_WINDOW - 1) / HEDDLE_MAX_WINDOW, done = 0;
  HeddleSchedule *schedule = heddle_schedule_new (self->context.diagram->id);

  report->exact = TRUE;
  report->second_cost = INFINITY;
  for (guint i = 0; i < windows; i++)
    {
      guint length = (n - done) / (windows - i);

      if (!cut_window (self, done, length, report, schedule, error))
        {
          heddle_schedule_free (schedule);
          return NULL;
        }
      done += length;
    }
  report->least = fusion_least (self);
  report->cost = told_cost (report->cost);
  report->second_cost = told_cost (report->second_cost);
  report->by_time = fusion_is_by_time (self);
  return schedule;
}

void
heddle_fusion_clear (HeddleFusion *self)
{
  g_clear_pointer (&self->chosen, g_free);
  g_clear_pointer (&self->second, g_free);
}

static void
copy_places (const HeddleSchedule *from, HeddleSchedule *to)
{
  for (guint i = 0; from != NULL && i < from->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (from->residency, i);

      heddle_schedule_set_residency (to, place->value, place->column, place->level);
    }
}

/* Returns the number of kernels to price: fewer than MAX_PRICED_IN_ALL if the functions of operations are
 * long, since pricing visits each part of them. */
static guint
most_priced (const HeddleDiagram *diagram)
{
  const double each = heddle_diagram_count_arithmetic (diagram) / diagram->operations->len;

  return (guint) (MAX_PRICED_IN_ALL / (1. + each / LONG_FUNCTION));
}

/* Cuts @diagram, which has no views, into kernels. */
static HeddleSchedule *
search (const HeddleDiagram *diagram, const HeddleSchedule *given, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable, HeddleFusion *report, GError **error)
{
  HeddleFusionSearch self = { .options = *options, .totals = { .exact = TRUE } };
  g_autoptr (HeddleSearchCache) search_cache = heddle_search_cache_new ();
  g_autoptr (HeddleRegionMemo) memo = heddle_region_memo_new ();
  HeddleSchedule *places = heddle_schedule_new (diagram->id), *schedule = NULL;

  self.options.suggest = TRUE;
  copy_places (given, places);
  if (heddle_derive_context_init (&self.context, diagram, places, sizes, &self.options, cancellable, error))
    {
      self.context.most_work = MAX_WORK;
      self.context.memo = memo;
      self.most_priced = most_priced (diagram);
      if (self.context.search_cache == NULL)
        self.context.search_cache = search_cache;
      schedule = suggest (&self, report, error);
    }
  if (schedule != NULL)
    copy_places (places, schedule);
  heddle_schedule_free (places);
  return schedule;
}

/**
 * heddle_schedule_suggest:
 * @diagram: a diagram
 * @given: (nullable): where values are placed; its regions are not looked at
 * @sizes: the sizes of its axes
 * @options: the machine and what is to be least; labels are chosen for each kernel that is tried
 * @report: (out): what was found; heddle_fusion_clear()
 *
 * Cuts the diagram into kernels at the least cost of all together: every way to cut one of up to %HEDDLE_MAX_FUSED operations is
 * considered; of a larger one, kernels of up to that many, and where its operations stand side by side in too many ways, only runs of them
 * in the diagram's order. One of more than %HEDDLE_MAX_WINDOW operations is cut into as few parts of them as there must be, each for itself.
 * Views of parameters are no kernels and in none. Each kernel is priced with the places of @given; what cannot have them is no kernel.
 *
 * Returns: (transfer full): a schedule with a region for each kernel, without labels, and the places of @given; %NULL with
 *   %G_IO_ERROR_CANCELLED, or an error of heddle_derive()
 */
HeddleSchedule *
heddle_schedule_suggest (const HeddleDiagram *diagram, const HeddleSchedule *given, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable, HeddleFusion *report, GError **error)
{
  HeddleDiagram *bare;
  HeddleSchedule *schedule = NULL;

  g_return_val_if_fail (diagram != NULL && sizes != NULL && options != NULL && report != NULL, NULL);

  *report = (HeddleFusion){ .places = given != NULL ? given->residency->len : 0 };
  if (!heddle_derive_check_count (diagram, error))
    return NULL;
  bare = heddle_diagram_copy (diagram);
  g_array_unref (heddle_diagram_hoist_views (bare, sizes, NULL));
  schedule = bare->operations->len > 0 ? search (bare, given, sizes, options, cancellable, report, error)
                                       : heddle_schedule_fuse (diagram, NULL, "none", error);
  heddle_diagram_free (bare);
  return schedule;
}

/* This part computes lower bounds for all cuts and all kernels. */

/* --- of one kernel ------------------------------------------------------------------------- */

static const HeddleOperation *
operation_at (const HeddleFusionSearch *self, guint i)
{
  return g_ptr_array_index (self->context.diagram->operations, self->order_ideals->first + i);
}

static gboolean
has (const HeddleFusionSearch *self, guint64 set, const HeddleOperation *operation)
{
  int i = heddle_diagram_index_of_operation (self->context.diagram, operation->id)
          - (int) self->order_ideals->first;

  return i >= 0 && i < (int) self->order_ideals->n && (set >> i & 1) != 0;
}

/* Returns whether the operation needs everything that it reads, and computes everything, in full. */
static gboolean
takes_all (const HeddleOperation *operation)
{
  return operation->kind->form != HEDDLE_FORM_REINDEX && operation->kind->form != HEDDLE_FORM_SELECT
         && (operation->body == NULL || !heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, NULL));
}

static gboolean
leaves (const HeddleFusionSearch *self, guint64 set, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->context.diagram, value);

  for (guint i = 0; i < readers->len; i++)
    if (!has (self, set, g_ptr_array_index (readers, i)))
      return TRUE;
  return heddle_diagram_is_output (self->context.diagram, value);
}

static double
bytes_read (const HeddleFusionSearch *self, guint64 set, const HeddleOperation *operation, GArray *seen)
{
  double bytes = 0.;

  for (guint k = 0; k < operation->operands->len; k++)
    {
      const char *operand = heddle_ids_index (operation->operands, k);
      const HeddleOperation *producer = heddle_diagram_get_producer (self->context.diagram, operand);

      if ((producer != NULL && has (self, set, producer)) || heddle_ids_contain (seen, operand))
        continue;
      heddle_ids_append (seen, operand);
      bytes += bytes_of (self, operand);
    }
  return bytes;
}

static double
work_out_least (const HeddleFusionSearch *self, guint64 set)
{
  double work[HEDDLE_N_WORKS] = { 0. }, contracted[HEDDLE_N_DTYPES] = { 0. }, read = 0., written = 0.;
  g_autoptr (GArray) seen = heddle_ids_new ();
  gboolean all = TRUE;

  if (self->context.schedule->residency->len > 0)
    return 0.;
  for (guint64 rest = set; rest != 0; rest &= rest - 1)
    {
      const HeddleOperation *operation = operation_at (self, (guint) __builtin_ctzll (rest));

      all = all && takes_all (operation);
      read += bytes_read (self, set, operation, seen);
      written += leaves (self, set, operation->result) ? bytes_of (self, operation->result) : 0.;
      heddle_kernel_add_contraction (&self->context, operation, work, contracted);
    }
  if (!fusion_is_by_time (self))
    return written + (all ? read : 0.);
  if (!all)
    {
      memset (work, 0, sizeof work);
      memset (contracted, 0, sizeof contracted);
    }
  return heddle_time_of_work (&self->context, work, contracted, written + (all ? read : 0.)).overlapped_s;
}

/* Returns a lower bound of the cost of one kernel of @set; 0 if nothing is known. */
static double
fusion_least_of (HeddleFusionSearch *self, guint64 set)
{
  const double *known = g_hash_table_lookup (self->leasts, &set);
  double least;

  if (known != NULL)
    return *known;
  least = work_out_least (self, set);
  g_hash_table_insert (self->leasts, g_memdup2 (&set, sizeof set), g_memdup2 (&least, sizeof least));
  return least;
}
