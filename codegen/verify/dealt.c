/* SPDX-License-Identifier: MIT */
#include "codegen/verify/dealt.h"
#include "derive/cost/chosen.h"
#include "diagram/analysis/sizes.h"

/* This file finds the block that gets a row where rows are dealt out sorted by the matrix that they choose: the
 * kernel's own order, worked out again. */

struct _HeddleVerifyDealt
{
  const HeddleVerifyLaunch *launch;
  const HeddleValue *chooser;
  gint64 *places; /* of each element of the chooser in the order */
  gint64 rows; /* of a block */
};

static const HeddleKernelTile *
find_tile (const HeddleVerifyLaunch *launch, const char *axis)
{
  for (guint i = 0; i < launch->text->tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (launch->text->tiles, i);

      if (tile->axis == axis)
        return tile;
    }
  return NULL;
}

static gint64
size_of (const HeddleVerifyDealt *self, guint k)
{
  return heddle_sizes_get (self->launch->sizes, heddle_ids_index (self->chooser->axes, k));
}

/* Returns the number of tiles along the chooser's axis @k. */
static gint64
tiles_along (const HeddleVerifyDealt *self, guint k)
{
  const HeddleKernelTile *tile = find_tile (self->launch, heddle_ids_index (self->chooser->axes, k));

  return tile != NULL ? (size_of (self, k) + tile->size - 1) / tile->size : 1;
}

/* Returns the matrix that a row chooses; @n for none. */
static gint64
choice_of (const HeddleArray *choices, gint64 row, gint64 n)
{
  double choice = choices->data[row];

  return choice >= 0 && choice < (double) n ? (gint64) choice : n;
}

/* Sorts the rows by what they choose, those of one matrix in their own order; with too many matrices rows keep
 * their places. */
static void
sort_rows (HeddleVerifyDealt *self, const HeddleArray *choices)
{
  gint64 n = heddle_sizes_get (self->launch->sizes, self->launch->text->matrices), place = 0;
  g_autofree gint64 *begins = NULL;

  self->places = g_new (gint64, choices->n_elements);
  if (n > HEDDLE_DEALT_MATRICES)
    {
      for (gint64 i = 0; i < choices->n_elements; i++)
        self->places[i] = i;
      return;
    }
  begins = g_new0 (gint64, n + 1);
  for (gint64 i = 0; i < choices->n_elements; i++)
    begins[choice_of (choices, i, n)]++;
  for (gint64 i = 0; i <= n; i++)
    {
      gint64 count = begins[i];

      begins[i] = place;
      place += count;
    }
  for (gint64 i = 0; i < choices->n_elements; i++)
    self->places[i] = begins[choice_of (choices, i, n)]++;
}

HeddleVerifyDealt *
heddle_verify_dealt_new (const HeddleVerifyLaunch *launch)
{
  const char *by = launch->text->dealt_by;
  const HeddleArray *choices = by != NULL ? g_hash_table_lookup (launch->run->arrays, by) : NULL;
  HeddleVerifyDealt *self;

  if (choices == NULL)
    return NULL;
  self = g_new0 (HeddleVerifyDealt, 1);
  self->launch = launch;
  self->chooser = heddle_diagram_get_value (launch->text->program->diagram, by);
  self->rows = 1;
  for (guint k = 0; k < self->chooser->axes->len; k++)
    {
      const HeddleKernelTile *tile = find_tile (launch, heddle_ids_index (self->chooser->axes, k));

      self->rows *= tile != NULL ? tile->size : 1;
    }
  sort_rows (self, choices);
  return self;
}

void
heddle_verify_dealt_free (HeddleVerifyDealt *self)
{
  if (self != NULL)
    g_free (self->places);
  g_free (self);
}

/* Returns the number of the row, among the elements of the chooser, that an element of an array is of. */
static gint64
row_of (const HeddleVerifyDealt *self, const HeddleValue *value, const HeddleArray *array, gint64 element)
{
  gint64 row = 0;

  for (guint k = 0; k < self->chooser->axes->len; k++)
    {
      int at = heddle_ids_find (value->axes, heddle_ids_index (self->chooser->axes, k));
      gint64 behind = 1;

      for (guint i = (guint) MAX (at, 0) + 1; i < array->n_dims; i++)
        behind *= array->shape[i];
      row = row * size_of (self, k) + (at >= 0 ? element / behind % array->shape[at] : 0);
    }
  return row;
}

gint64
heddle_verify_dealt_tile (const HeddleVerifyDealt *self, const char *axis, const HeddleValue *value,
    const HeddleArray *array, gint64 element)
{
  int at = self != NULL ? heddle_ids_find (self->chooser->axes, axis) : -1;
  gint64 block;

  if (at < 0)
    return -1;
  block = self->places[row_of (self, value, array, element)] / self->rows;
  for (guint k = self->chooser->axes->len; k-- > (guint) at + 1;)
    block /= tiles_along (self, k);
  return at > 0 ? block % tiles_along (self, (guint) at) : block;
}
