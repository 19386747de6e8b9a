/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/graph-order.h"
#include "figure/layout/graph-search.h"
#include "figure/layout/layout.h"

#include <string.h>

/* An order in which fewer wires cross, beginning with the one as written and changing it where that helps: operands of an operation for
 * which their order says nothing, outputs, and which of several uses of a value is the straight one, where what makes the value stands
 * beside the others of that reader. Wires are counted, not drawn: a copy crosses what lies between it and where it is copied. Ties stay
 * as they are, so that a small edit changes little. */

#define MOST_USES 30000 /* in a larger diagram the order stays as written */
#define MOST_SWEEPS 8
#define INPUT_ORDER 1 /* crossings that two inputs in another order than written must save */
#define OUTPUT_ORDER 3 /* crossings that two outputs in another order than declared must save */
#define MOST_CROSSED 3 /* crossings of a copy that is still drawn as wires … */
#define MOST_CROSSED_INPUT 2 /* … and of one of an input, whose name stands there already */

/* A place is a bundle at a data column, in the order from the top. */
typedef struct
{
  guint key;
  guint above; /* wires that go straight through here and are above it */
  guint wires; /* 0: it does not go through */
} Passing;

/* A bundle that comes to a data column from elsewhere. */
typedef struct
{
  guint from, to; /* keys */
  guint wires;
  guint use; /* its number */
} Jump;

typedef struct
{
  HeddleGraphBuilder *graph;
  guint n_columns;
  guint *costs; /* crossings before each data column */
  guint *old_costs;
  GArray **passing; /* of Passing, per column */
  GArray **jumps; /* of Jump, per column */
  gsize work, most_work; /* wires looked at */
  guint *by_key; /* numbers of uses, from the top */
} Search;

/* --- what crosses where --------------------------------------------------------------------------------- */

/* The key of what @use goes on from, or of the wires it is copied from. */
static guint
origin (const Search *self, const HeddleUse *use)
{
  const int producer = use->flow->producer;
  const guint parent = producer >= 0 ? self->graph->parents[producer] : use->flow->primary;

  return heddle_graph_use (self->graph, parent)->key;
}

static void
add_passing (Search *self, const HeddleUse *use, gboolean jumps, int from, int first, int last)
{
  const gboolean begins = use->flow->producer < 0 && !jumps; /* beside the column: nothing passes there */

  for (int t = MAX (from, first); t <= MIN (use->to, last); t++)
    {
      const GArray *before = self->passing[t];
      const Passing *above
          = before->len > 0 ? &g_array_index (before, Passing, before->len - 1) : &(Passing){ 0, 0, 0 };
      const Passing passing = { use->key, above->above + above->wires,
        t == from && (jumps || begins) ? 0 : use->flow->n_wires };
      g_array_append_val (self->passing[t], passing);
      self->work++;
    }
}

static void
collect (Search *self, int first, int last)
{
  HeddleGraphBuilder *graph = self->graph;

  for (guint i = 0; i < graph->uses->len; i++)
    if (heddle_graph_use (graph, i)->key > 0)
      self->by_key[heddle_graph_use (graph, i)->key - 1] = i;
  for (int t = first; t <= last; t++)
    {
      g_array_set_size (self->passing[t], 0);
      g_array_set_size (self->jumps[t], 0);
    }
  for (guint i = 0; i < graph->key; i++)
    {
      const HeddleUse *use = heddle_graph_use (graph, self->by_key[i]);
      const gboolean primary = use->flow->primary == self->by_key[i];
      const int from = primary ? use->flow->from : use->flow->copies_from;
      const Jump jump = { origin (self, use), use->key, use->flow->n_wires, self->by_key[i] };
      if (use->cut)
        continue;
      add_passing (self, use, jump.from != jump.to, from, first, last);
      if (jump.from != jump.to && from >= first && from <= last)
        g_array_append_val (self->jumps[from], jump);
    }
  self->work += 2 * graph->key;
}

/* Returns how many wires that go through a column are above @key. */
static guint
wires_above (const GArray *passing, guint key)
{
  guint low = 0, high = passing->len;

  while (low < high)
    {
      const guint middle = (low + high) / 2;
      if (g_array_index (passing, Passing, middle).key < key)
        low = middle + 1;
      else
        high = middle;
    }
  if (low < passing->len)
    return g_array_index (passing, Passing, low).above;
  const Passing *last
      = passing->len > 0 ? &g_array_index (passing, Passing, passing->len - 1) : &(Passing){ 0, 0, 0 };
  return last->above + last->wires;
}

/* Crossings of a bundle that comes to column @t with those that pass there, and of two that come to one. */
static guint
count_passed (const Search *self, int t, const Jump *jump)
{
  const guint top = MIN (jump->from, jump->to), bottom = MAX (jump->from, jump->to);

  return jump->wires * (wires_above (self->passing[t], bottom) - wires_above (self->passing[t], top + 1));
}

static guint
count_pair (const Jump *jump, const Jump *other)
{
  const gboolean cross = (jump->from < other->from && jump->to > other->to)
                         || (jump->from > other->from && jump->to < other->to);

  return cross ? jump->wires * other->wires : 0;
}

static guint
count_at (Search *self, int t)
{
  const GArray *jumps = self->jumps[t];
  guint n = 0;

  for (guint i = 0; i < jumps->len; i++)
    {
      const Jump *jump = &g_array_index (jumps, Jump, i);
      n += count_passed (self, t, jump);
      for (guint j = 0; j < i; j++)
        n += count_pair (jump, &g_array_index (jumps, Jump, j));
      self->work += i;
    }
  return n;
}

/* --- what crosses within an operation -------------------------------------------------------------------- */

/* Returns whether the expression is its arguments with nothing but @kind between them. */
static gboolean
joins_arguments (const HeddleExpr *expr, HeddleExprKind kind)
{
  if (heddle_expr_get_kind (expr) != kind)
    return heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT;
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    if (!joins_arguments (heddle_expr_get_child (expr, i), kind))
      return FALSE;
  return TRUE;
}

/* Returns whether its operands may stand in any order. Of a rotary embedding the wire of the pairs tells
 * which is which. */
static gboolean
is_commutative (const HeddleFigureNode *node)
{
  const HeddleExpr *body = node->operation->body;

  if (node->shape == HEDDLE_SHAPE_CUP || node->turns != NULL)
    return TRUE;
  return node->shape == HEDDLE_SHAPE_JOIN
         && (joins_arguments (body, HEDDLE_EXPR_ADD) || joins_arguments (body, HEDDLE_EXPR_MUL));
}

static const GArray *
axes_at (const Search *self, guint place)
{
  const HeddleUse *use = heddle_graph_use (self->graph, self->graph->places[place]);

  return heddle_diagram_get_value (self->graph->layout->diagram, use->flow->value)->axes;
}

/* Where an axis of the array at @place comes to lie as it enters: a contracted one on top if an array above has it too, in the reverse of
 * the order there, so that cups lie in one another; at the bottom if one below has. */
static int
entering_rank (const Search *self, guint node, guint place, const char *axis)
{
  const HeddleFigureNode *at = heddle_layout_node (self->graph->layout, node);
  int rank = -G_MAXINT / 2; /* and what lies between it and the one above */

  if (!heddle_ids_contain (at->operation->axes, axis))
    return 0;
  for (guint i = place; i-- > self->graph->begin[node];)
    {
      const GArray *above = axes_at (self, i);
      const int found = heddle_ids_find (above, axis);
      rank += found >= 0 ? (int) above->len - found : (int) above->len;
      if (found >= 0)
        return rank;
    }
  return place + 1 < self->graph->begin[node + 1] ? 1 : 0;
}

/* The wires of a contraction's operands that change places on their way to the cups, and those of its result until they are as declared. */
static guint
count_in_cup (const Search *self, guint node)
{
  const HeddleFigureNode *at = heddle_layout_node (self->graph->layout, node);
  const HeddleValue *result = heddle_diagram_get_value (self->graph->layout->diagram, at->result);
  g_autoptr (GArray) made = heddle_ids_new ();
  guint n = 0;

  for (guint place = self->graph->begin[node]; place < self->graph->begin[node + 1]; place++)
    {
      const GArray *axes = axes_at (self, place);
      for (guint i = 0; i < axes->len; i++)
        {
          const char *axis = heddle_ids_index (axes, i);
          const int rank = entering_rank (self, node, place, axis);
          for (guint j = 0; j < i; j++)
            n += entering_rank (self, node, place, heddle_ids_index (axes, j)) > rank;
          if (heddle_ids_contain (at->operation->axes, axis) || heddle_ids_contain (made, axis))
            continue;
          for (guint j = 0; j < made->len; j++)
            n += heddle_ids_find (result->axes, heddle_ids_index (made, j))
                 > heddle_ids_find (result->axes, axis);
          heddle_ids_append (made, axis);
        }
    }
  return n;
}

/* A wire that enters an elementwise function, counted from the top, and the one on which it goes on. */
typedef struct
{
  const char *axis;
  guint from, to;
} Entry;

/* Returns the array at whose wires the others join: the one with the most axes, the first of those. */
static guint
widest_place (const Search *self, guint node)
{
  guint widest = self->graph->begin[node];

  for (guint place = widest; place < self->graph->begin[node + 1]; place++)
    if (axes_at (self, place)->len > axes_at (self, widest)->len)
      widest = place;
  return widest;
}

/* Which entry has @axis in the array at @place. */
static guint
entry_of (const Search *self, guint node, guint place, const char *axis)
{
  guint n = heddle_ids_find (axes_at (self, place), axis);

  for (guint before = self->graph->begin[node]; before < place; before++)
    n += axes_at (self, before)->len;
  return n;
}

static guint
first_with (const Search *self, guint node, const char *axis)
{
  const guint widest = widest_place (self, node);
  guint place = self->graph->begin[node];

  if (heddle_ids_contain (axes_at (self, widest), axis))
    return widest;
  while (!heddle_ids_contain (axes_at (self, place), axis))
    place++;
  return place;
}

/* Returns whether two wires, one above the other, go on side by side in another order than that of the
 * result's axes. */
static gboolean
reverses (const HeddleValue *result, const Entry *upper, const Entry *lower)
{
  return upper->from == upper->to && lower->from == lower->to
         && heddle_ids_find (result->axes, upper->axis) > heddle_ids_find (result->axes, lower->axis);
}

/* The wires of an elementwise function's operands that cross on their way to those that go on, and those until they are as declared. */
static guint
count_in_join (const Search *self, guint node)
{
  const HeddleFigureNode *at = heddle_layout_node (self->graph->layout, node);
  const HeddleValue *result = heddle_diagram_get_value (self->graph->layout->diagram, at->result);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint n = 0;

  for (guint place = self->graph->begin[node]; place < self->graph->begin[node + 1]; place++)
    for (guint i = 0; i < axes_at (self, place)->len; i++)
      {
        const char *axis = heddle_ids_index (axes_at (self, place), i);
        const Entry entry
            = { axis, entries->len, entry_of (self, node, first_with (self, node, axis), axis) };
        for (guint j = 0; j < entries->len; j++)
          {
            const Entry *above = &g_array_index (entries, Entry, j);
            n += above->to > entry.to || reverses (result, above, &entry);
          }
        g_array_append_val (entries, entry);
      }
  return n;
}

static guint
count_within (const Search *self, guint node)
{
  switch (heddle_layout_node (self->graph->layout, node)->shape)
    {
    case HEDDLE_SHAPE_CUP:
      return count_in_cup (self, node);
    case HEDDLE_SHAPE_JOIN:
      return count_in_join (self, node);
    default:
      return 0;
    }
}

/* --- changes ------------------------------------------------------------------------------------------------ */

/* Numbers again and tells what crosses before columns @first to @last. */
static guint
count_between (Search *self, int first, int last)
{
  guint n = 0;

  heddle_graph_number (self->graph);
  collect (self, first, last);
  for (int t = first; t <= last; t++)
    n += self->costs[t] = count_at (self, t);
  return n;
}

/* A change of the order has been made that matters at these columns only, and adds @own crossings elsewhere. FALSE: it is no better, and
 * to be unmade. */
static gboolean
keep (Search *self, int first, int last, int own)
{
  gint64 before = 0;

  first = CLAMP (first, 0, (int) self->n_columns - 1);
  last = CLAMP (last, first, (int) self->n_columns - 1);
  memcpy (self->old_costs, self->costs, self->n_columns * sizeof (guint));
  for (int t = first; t <= last; t++)
    before += self->costs[t];
  if ((gint64) count_between (self, first, last) + own < before)
    return TRUE;
  memcpy (self->costs, self->old_costs, self->n_columns * sizeof (guint));
  return FALSE;
}

static void
swap (guint *a, guint *b)
{
  const guint held = *a;

  *a = *b;
  *b = held;
}

static gboolean
are_inputs (const Search *self, const guint *pair)
{
  return heddle_graph_use (self->graph, pair[0])->flow->producer < 0
         && heddle_graph_use (self->graph, pair[1])->flow->producer < 0;
}

static gboolean
try_operands (Search *self, guint node)
{
  HeddleGraphBuilder *graph = self->graph;
  const HeddleFigureNode *at = heddle_layout_node (graph->layout, node);
  gboolean better = FALSE;

  if (!is_commutative (at))
    return FALSE;
  for (guint place = graph->begin[node]; place + 1 < graph->begin[node + 1]; place++)
    {
      guint *pair = &graph->places[place];
      const int cost = are_inputs (self, pair) ? (pair[0] < pair[1] ? 1 : -1) * INPUT_ORDER : 0;
      const int before = count_within (self, node);
      swap (&pair[0], &pair[1]);
      if (keep (self, graph->lows[node], at->stage, (int) count_within (self, node) - before + cost))
        better = TRUE;
      else
        swap (&pair[0], &pair[1]);
    }
  return better;
}

/* Tries another use of the value as the straight one. What makes it comes to stand there. */
static gboolean
try_primary (Search *self, HeddleFlow *flow)
{
  HeddleGraphBuilder *graph = self->graph;
  int last = 0;
  gboolean better = FALSE;

  for (guint i = 0; i < flow->uses->len; i++)
    last = MAX (last, heddle_graph_use (graph, heddle_guint (flow->uses, i))->to);
  for (guint i = 0; i < flow->uses->len; i++)
    {
      const guint use = heddle_guint (flow->uses, i), before = flow->primary;
      const gboolean hangs = flow->producer >= 0 && graph->parents[flow->producer] == before;
      if (use == before || heddle_graph_use (graph, use)->cut)
        continue;
      flow->primary = use;
      if (hangs)
        graph->parents[flow->producer] = use;
      if (keep (self, flow->producer >= 0 ? graph->lows[flow->producer] : flow->from, last, 0))
        {
          better = TRUE;
          continue;
        }
      flow->primary = before;
      if (hangs)
        graph->parents[flow->producer] = before;
    }
  return better;
}

static gboolean
try_outputs (Search *self)
{
  GArray *outputs = self->graph->outputs;
  gboolean better = FALSE;

  for (guint i = 0; i + 1 < outputs->len; i++)
    {
      guint *pair = &heddle_guint (outputs, i);
      const int own = (pair[0] < pair[1] ? 1 : -1) * OUTPUT_ORDER;
      swap (&pair[0], &pair[1]);
      if (keep (self, 0, self->n_columns - 1, own))
        better = TRUE;
      else
        swap (&pair[0], &pair[1]);
    }
  return better;
}

static gboolean
sweep (Search *self)
{
  const GPtrArray *flows = self->graph->flows;
  gboolean better = FALSE;

  for (guint i = flows->len; i-- > 0 && self->work < self->most_work;)
    if (((HeddleFlow *) flows->pdata[i])->uses->len > 1)
      better |= try_primary (self, flows->pdata[i]);
  for (guint i = self->graph->layout->nodes->len; i-- > 0 && self->work < self->most_work;)
    better |= try_operands (self, i);
  if (self->work < self->most_work)
    better |= try_outputs (self);
  return better;
}

static void
search_init (Search *self, HeddleGraphBuilder *graph, gsize work)
{
  const guint n = graph->layout->n_stages + 1;

  self->graph = graph;
  self->n_columns = n;
  self->work = 0;
  self->most_work = work;
  self->costs = g_new0 (guint, n);
  self->old_costs = g_new0 (guint, n);
  self->passing = g_new (GArray *, n);
  self->jumps = g_new (GArray *, n);
  self->by_key = g_new (guint, graph->uses->len + 1);
  for (guint t = 0; t < n; t++)
    {
      self->passing[t] = g_array_new (FALSE, FALSE, sizeof (Passing));
      self->jumps[t] = g_array_new (FALSE, FALSE, sizeof (Jump));
    }
  count_between (self, 0, n - 1);
}

static void
search_clear (Search *self)
{
  for (guint t = 0; t < self->n_columns; t++)
    {
      g_array_unref (self->passing[t]);
      g_array_unref (self->jumps[t]);
    }
  g_free (self->costs);
  g_free (self->old_costs);
  g_free (self->passing);
  g_free (self->jumps);
  g_free (self->by_key);
}

void
heddle_graph_search_order (HeddleGraphBuilder *graph, gsize work)
{
  Search self;

  if (graph->uses->len > MOST_USES)
    return;
  search_init (&self, graph, work);
  for (guint i = 0; i < MOST_SWEEPS && sweep (&self); i++)
    ;
  heddle_graph_number (graph);
  search_clear (&self);
}

/* --- copies that cross too much ------------------------------------------------------------------------- */

/* Returns whether the value can be named where it is read, instead. */
static gboolean
is_copy (const Search *self, const Jump *jump)
{
  const HeddleUse *use = heddle_graph_use (self->graph, jump->use);

  return use->reader >= 0 && use->flow->primary != jump->use;
}

/* Crossings among the wires of a copy where they leave those of the value: all that naming an input saves, which needs no wires for it. */
static guint
count_own (const Search *self, const Jump *jump)
{
  const HeddleUse *use = heddle_graph_use (self->graph, jump->use);
  const guint n = jump->wires;

  return use->flow->primary != jump->use && use->flow->named ? n * (n - 1) / 2 : 0;
}

static guint
most_crossed (const Search *self, const Jump *jump)
{
  return heddle_graph_use (self->graph, jump->use)->flow->named ? MOST_CROSSED_INPUT : MOST_CROSSED;
}

static guint
worst_copy (const Search *self, const GArray *jumps, const guint *costs)
{
  guint worst = G_MAXUINT, most = 0;

  for (guint i = 0; i < jumps->len; i++)
    {
      const Jump *jump = &g_array_index (jumps, Jump, i);
      if (costs[i] > MAX (most, most_crossed (self, jump)) && is_copy (self, jump))
        {
          worst = i;
          most = costs[i];
        }
    }
  return worst;
}

/* The worst goes first: what is left crosses less then. */
static gboolean
cut_at (Search *self, int t)
{
  GArray *jumps = self->jumps[t];
  g_autofree guint *costs = g_new0 (guint, jumps->len + 1);
  gboolean cut = FALSE;
  guint worst;

  for (guint i = 0; i < jumps->len; i++)
    {
      const Jump *jump = &g_array_index (jumps, Jump, i);
      costs[i] += count_passed (self, t, jump) + count_own (self, jump);
      for (guint j = 0; j < i; j++)
        {
          const guint n = count_pair (&g_array_index (jumps, Jump, i), &g_array_index (jumps, Jump, j));
          costs[i] += n;
          costs[j] += n;
        }
    }
  while ((worst = worst_copy (self, jumps, costs)) < G_MAXUINT)
    {
      const Jump *jump = &g_array_index (jumps, Jump, worst);
      heddle_graph_use (self->graph, jump->use)->fan = cut = TRUE;
      for (guint i = 0; i < jumps->len; i++)
        costs[i] -= MIN (costs[i], count_pair (&g_array_index (jumps, Jump, i), jump));
      costs[worst] = 0;
    }
  return cut;
}

gboolean
heddle_graph_cut_fans (HeddleGraphBuilder *graph)
{
  gboolean cut = FALSE;
  Search self;

  if (graph->uses->len > MOST_USES)
    return FALSE;
  search_init (&self, graph, 0);
  for (guint t = 0; t < self.n_columns; t++)
    cut |= cut_at (&self, t);
  search_clear (&self);
  return cut;
}
