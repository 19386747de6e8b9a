/* SPDX-License-Identifier: MIT */

/* This file computes blocked products: tiles of rows and columns, whose elements are copied side by side for
 * as many core points as stay in a near cache, and are summed in registers. They are summed in the order of
 * the core points: the sums are the same as those of three loops, to the last bit. */

#include <gio/gio.h>
#include "diagram/evaluate/share.h"
#include "diagram/evaluate/tile.h"
#include "diagram/evaluate/walk.h"
#include "diagram/graph/diagram.h"

#include <string.h>

#define TILE 64 /* rows and columns of a tile */
#define DEPTH 128 /* core points at a time */
#define SIDE 4 /* rows and columns that are summed in registers */
#define PANELS (TILE / SIDE)

/* The axes by whose they are. */
typedef struct
{
  HeddleProduct *product;
  GArray *both, *rows,
      *columns; /* of the result: those that both factors have; the first or none; only the second */
  gint64 n_rows, n_columns, n_core;
  gint64 row_tiles, column_tiles;
} Plan;

typedef struct
{
  const Plan *plan;
  HeddleWalk *both, *rows, *columns, *core; /* cursor 0, 1: the factors; 2: the result */
  gint64 row_offsets[2][TILE], column_offsets[2][TILE]; /* of the factor, of the result */
  gint64 core_offsets[2][DEPTH];
  double packed[2][TILE * DEPTH]; /* panel by panel, point by point, SIDE elements */
  double sums[PANELS][PANELS][SIDE * SIDE];
} Tile;

static HeddleWalk *
walk_all (const HeddleProduct *product, const GArray *axes)
{
  HeddleWalk *walk = heddle_walk_new (product->evaluation->sizes, axes);

  for (guint i = 0; i < 2; i++)
    heddle_walk_add_cursor (walk, product->factors[i].axes);
  heddle_walk_add_cursor (walk, product->axes);
  return walk;
}

/* Writes the offsets of @n points from @first on under the cursors @a and @b. */
static void
note_offsets (HeddleWalk *walk, gint64 first, gint64 n, guint a, guint b, gint64 *of_a, gint64 *of_b)
{
  heddle_walk_seek (walk, first);
  for (gint64 i = 0; i < n; i++, heddle_walk_next (walk))
    {
      of_a[i] = heddle_walk_offset (walk, a);
      of_b[i] = heddle_walk_offset (walk, b);
    }
}

/* Copies rows or columns into panels; what is beyond the last one is 0 and never read. */
static void
pack (const double *from, const gint64 *offsets, gint64 n, const gint64 *core, gint64 depth, double *out)
{
  for (gint64 panel = 0; panel < n; panel += SIDE)
    for (gint64 k = 0; k < depth; k++)
      for (gint64 i = panel; i < panel + SIDE; i++)
        *out++ = i < n ? from[offsets[i] + core[k]] : 0.;
}

typedef double Pair __attribute__ ((vector_size (16)));

static inline Pair
load_pair (const double *from)
{
  Pair pair;

  memcpy (&pair, from, sizeof pair);
  return pair;
}

#define ROWS(of) of (0) of (1) of (2) of (3)
#define LOAD_ROW(i) Pair left##i = load_pair (sums + SIDE * i), right##i = load_pair (sums + SIDE * i + 2);
#define ADD_ROW(i)                                                                                           \
  left##i += a[i] * b_left;                                                                                  \
  right##i += a[i] * b_right;
#define STORE_ROW(i)                                                                                         \
  memcpy (sums + SIDE * i, &left##i, sizeof left##i);                                                        \
  memcpy (sums + SIDE * i + 2, &right##i, sizeof right##i);

/* Adds SIDE x SIDE sums over @depth core points. */
static void
add_panels (const double *a, const double *b, gint64 depth, double *sums)
{
  ROWS (LOAD_ROW)

  for (gint64 k = 0; k < depth; k++, a += SIDE, b += SIDE)
    {
      Pair b_left = load_pair (b), b_right = load_pair (b + 2);

      ROWS (ADD_ROW)
    }
  ROWS (STORE_ROW)
}

static void
add_depth (Tile *self, gint64 n_rows, gint64 n_columns, gint64 first, gint64 depth)
{
  const HeddleFactor *factors = self->plan->product->factors;

  note_offsets (self->core, first, depth, 0, 1, self->core_offsets[0], self->core_offsets[1]);
  pack (factors[0].data + heddle_walk_offset (self->both, 0), self->row_offsets[0], n_rows,
      self->core_offsets[0], depth, self->packed[0]);
  pack (factors[1].data + heddle_walk_offset (self->both, 1), self->column_offsets[0], n_columns,
      self->core_offsets[1], depth, self->packed[1]);
  for (gint64 i = 0; i * SIDE < n_rows; i++)
    for (gint64 j = 0; j * SIDE < n_columns; j++)
      add_panels (
          self->packed[0] + i * SIDE * depth, self->packed[1] + j * SIDE * depth, depth, self->sums[i][j]);
}

static void
write_sums (Tile *self, gint64 n_rows, gint64 n_columns)
{
  double *out = self->plan->product->out + heddle_walk_offset (self->both, 2);

  for (gint64 i = 0; i < n_rows; i++)
    for (gint64 j = 0; j < n_columns; j++)
      out[self->row_offsets[1][i] + self->column_offsets[1][j]]
          = self->sums[i / SIDE][j / SIDE][i % SIDE * SIDE + j % SIDE];
}

static void
run_tile (Tile *self, gint64 number)
{
  const Plan *plan = self->plan;
  gint64 column = number % plan->column_tiles * TILE;
  gint64 row = number / plan->column_tiles % plan->row_tiles * TILE;
  gint64 n_rows = MIN (plan->n_rows - row, TILE), n_columns = MIN (plan->n_columns - column, TILE);

  heddle_walk_seek (self->both, number / plan->column_tiles / plan->row_tiles);
  note_offsets (self->rows, row, n_rows, 0, 2, self->row_offsets[0], self->row_offsets[1]);
  note_offsets (self->columns, column, n_columns, 1, 2, self->column_offsets[0], self->column_offsets[1]);
  memset (self->sums, 0, sizeof self->sums);
  for (gint64 k = 0; k < plan->n_core; k += DEPTH)
    {
      if (g_cancellable_is_cancelled (plan->product->evaluation->cancellable))
        return;
      add_depth (self, n_rows, n_columns, k, MIN (plan->n_core - k, DEPTH));
    }
  write_sums (self, n_rows, n_columns);
}

static gboolean
run_tiles (gint64 begin, gint64 end, gpointer data, GError **error)
{
  const Plan *plan = data;
  Tile *tile = g_new (Tile, 1);

  tile->plan = plan;
  tile->both = walk_all (plan->product, plan->both);
  tile->rows = walk_all (plan->product, plan->rows);
  tile->columns = walk_all (plan->product, plan->columns);
  tile->core = walk_all (plan->product, plan->product->core);
  for (gint64 i = begin; i < end; i++)
    run_tile (tile, i);
  heddle_walk_free (tile->both);
  heddle_walk_free (tile->rows);
  heddle_walk_free (tile->columns);
  heddle_walk_free (tile->core);
  g_free (tile);
  return !g_cancellable_set_error_if_cancelled (plan->product->evaluation->cancellable, error);
}

static void
sort_axes (Plan *self)
{
  const HeddleProduct *product = self->product;

  for (guint i = 0; i < product->axes->len; i++)
    {
      const char *axis = heddle_ids_index (product->axes, i);
      gboolean second = heddle_ids_contain (product->factors[1].axes, axis);
      gboolean first = heddle_ids_contain (product->factors[0].axes, axis);

      heddle_ids_append (!second ? self->rows : first ? self->both : self->columns, axis);
    }
}

gboolean
heddle_product_run_tiles (HeddleProduct *self, GError **error)
{
  const HeddleSizes *sizes = self->evaluation->sizes;
  g_autoptr (GArray) both = heddle_ids_new ();
  g_autoptr (GArray) rows = heddle_ids_new ();
  g_autoptr (GArray) columns = heddle_ids_new ();
  Plan plan = { self, both, rows, columns, 0, 0, 0, 0, 0 };
  gint64 n, work;

  sort_axes (&plan);
  plan.n_rows = heddle_axes_points (sizes, rows);
  plan.n_columns = heddle_axes_points (sizes, columns);
  plan.n_core = heddle_axes_points (sizes, self->core);
  plan.row_tiles = (plan.n_rows - 1) / TILE + 1;
  plan.column_tiles = (plan.n_columns - 1) / TILE + 1;
  n = heddle_axes_points (sizes, both) * plan.row_tiles * plan.column_tiles;
  work = MIN (plan.n_core, 1 << 30) * MIN (plan.n_rows, TILE) * MIN (plan.n_columns, TILE);
  return heddle_evaluation_share (self->evaluation, n, (1 << 21) / work, run_tiles, &plan, error);
}
