/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "derive/execute/shard-execute.h"
#include "derive/shard/layout.h"
#include "derive/shard/places.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* This file runs every GPU's program, one after the other in step, on arrays: the result must be that of the
 * whole diagram. */

/* The arrays that one GPU holds: value id -> GPtrArray of Held, one for each layout in which it has the
 * value. */
typedef struct
{
  HeddleShardLayout layout;
  HeddleArray *array;
} Held;

typedef struct
{
  const HeddleSharding *sharding;
  GPtrArray *devices; /* of GHashTable: value id -> GPtrArray of Held */
  HeddleShardRun run;
  gpointer data;
  GCancellable *cancellable;
} Run;

static void
held_free (gpointer data)
{
  Held *self = data;

  heddle_array_unref (self->array);
  g_free (self);
}

/* Returns the place of a GPU at a link: the groups of the first link are neighbours. */
static guint
place_at (const HeddleSharding *sharding, guint device, guint l)
{
  for (guint k = 0; k < l; k++)
    device /= sharding->ways[k];
  return device % sharding->ways[l];
}

static guint
with_place (const HeddleSharding *sharding, guint device, guint l, guint place)
{
  guint stride = 1;

  for (guint k = 0; k < l; k++)
    stride *= sharding->ways[k];
  return device + (place - place_at (sharding, device, l)) * stride;
}

static void
keep (Run *self, guint device, const char *value, const HeddleShardLayout *layout, HeddleArray *array)
{
  GHashTable *held = g_ptr_array_index (self->devices, device);
  GPtrArray *list = g_hash_table_lookup (held, value);
  Held *one = g_new (Held, 1);

  if (list == NULL)
    {
      list = g_ptr_array_new_with_free_func (held_free);
      g_hash_table_insert (held, (gpointer) value, list);
    }
  *one = (Held){ *layout, array };
  g_ptr_array_add (list, one);
}

static HeddleArray *
find (const Run *self, guint device, const char *value, const HeddleShardLayout *layout)
{
  const GPtrArray *list = g_hash_table_lookup (g_ptr_array_index (self->devices, device), value);

  for (guint i = 0; list != NULL && i < list->len; i++)
    if (heddle_shard_layout_equal (&((Held *) g_ptr_array_index (list, i))->layout, layout))
      return ((Held *) g_ptr_array_index (list, i))->array;
  g_assert_not_reached ();
}

/* --- pieces ---------------------------------------------------------------------------- */

/* Copies piece @part of @ways along dimension @dim between a whole array and its piece. */
static void
copy_piece (HeddleArray *whole, HeddleArray *piece, guint dim, guint ways, guint part, gboolean out)
{
  gint64 outer = 1, inner = 1, run;

  for (guint i = 0; i < whole->n_dims; i++)
    if (i < dim)
      outer *= whole->shape[i];
    else if (i > dim)
      inner *= whole->shape[i];
  run = whole->shape[dim] / ways * inner;
  for (gint64 i = 0; i < outer; i++)
    {
      double *at = whole->data + (i * ways + part) * run;

      if (out)
        memcpy (piece->data + i * run, at, (gsize) run * sizeof *at);
      else
        memcpy (at, piece->data + i * run, (gsize) run * sizeof *at);
    }
}

static guint
dimension_of (const Run *self, const char *value, const char *axis)
{
  return (guint) heddle_ids_find (heddle_diagram_get_value (self->sharding->diagram, value)->axes, axis);
}

static HeddleArray *
like (const HeddleArray *array, guint dim, gint64 size, GError **error)
{
  g_autofree gint64 *shape = g_memdup2 (array->shape, MAX (1, array->n_dims) * sizeof *shape);

  shape[dim] = size;
  return heddle_array_new (array->dtype, array->n_dims, shape, error);
}

static HeddleArray *
slice (const Run *self, const char *value, HeddleArray *whole, const char *axis, guint l, guint device,
    GError **error)
{
  guint dim = dimension_of (self, value, axis), ways = self->sharding->ways[l];
  HeddleArray *piece = like (whole, dim, whole->shape[dim] / ways, error);

  if (piece != NULL)
    copy_piece (whole, piece, dim, ways, place_at (self->sharding, device, l), TRUE);
  return piece;
}

/* --- collectives ----------------------------------------------------------------------- */

static HeddleArray *
gather (const Run *self, const HeddleShardStep *step, guint device, GError **error)
{
  guint dim = dimension_of (self, step->value, step->from.axis[step->link]),
        ways = self->sharding->ways[step->link];
  HeddleArray *own = find (self, device, step->value, &step->from);
  HeddleArray *whole = like (own, dim, own->shape[dim] * ways, error);

  for (guint p = 0; whole != NULL && p < ways; p++)
    copy_piece (whole,
        find (self, with_place (self->sharding, device, step->link, p), step->value, &step->from), dim, ways,
        p, FALSE);
  return whole;
}

static HeddleArray *
combine (const Run *self, const HeddleShardStep *step, guint device, GError **error)
{
  const HeddleArray *own = find (self, device, step->value, &step->from);
  guint ways = self->sharding->ways[step->link];
  HeddleArray *sum = heddle_array_new (own->dtype, own->n_dims, own->shape, error);

  for (gint64 i = 0; sum != NULL && i < sum->n_elements; i++)
    {
      double value = heddle_monoid_unit (step->from.monoid);

      for (guint p = 0; p < ways; p++)
        value = heddle_monoid_combine (step->from.monoid, value,
            find (self, with_place (self->sharding, device, step->link, p), step->value, &step->from)
                ->data[i]);
      sum->data[i] = step->from.mean ? value / ways : value;
    }
  if (sum != NULL)
    heddle_array_round (sum, sum->dtype);
  return sum;
}

static HeddleArray *
pass (const Run *self, const HeddleShardStep *step, guint device, GError **error)
{
  g_autoptr (HeddleArray) whole = NULL;

  switch (step->kind)
    {
    case HEDDLE_COLLECTIVE_ALL_GATHER:
      return gather (self, step, device, error);
    case HEDDLE_COLLECTIVE_ALL_REDUCE:
      return combine (self, step, device, error);
    case HEDDLE_COLLECTIVE_REDUCE_SCATTER:
      whole = combine (self, step, device, error);
      break;
    case HEDDLE_COLLECTIVE_ALL_TO_ALL:
      whole = gather (self, step, device, error);
      break;
    case HEDDLE_COLLECTIVE_SLICE:
      whole = heddle_array_ref (find (self, device, step->value, &step->from));
      break;
    }
  return whole != NULL ? slice (self, step->value, whole, step->axis, step->link, device, error) : NULL;
}

/* Returns the same elements with the axes @to: a segment has no axes that number GPUs, of which each has one
 * place. */
static HeddleArray *
reshape (HeddleArray *array, const GArray *from, const GArray *to, GError **error)
{
  g_autofree gint64 *shape = g_new (gint64, MAX (1, to->len));
  HeddleArray *made;

  if (from->len == to->len)
    return heddle_array_ref (array);
  for (guint i = 0; i < to->len; i++)
    {
      int at = heddle_ids_find (from, heddle_ids_index (to, i));

      shape[i] = at >= 0 ? array->shape[at] : 1;
    }
  made = heddle_array_new (array->dtype, to->len, shape, error);
  if (made != NULL)
    memcpy (made->data, array->data, (gsize) array->n_elements * sizeof *array->data);
  return made;
}

static const GArray *
axes_in (const HeddleDiagram *diagram, const char *value)
{
  return heddle_diagram_get_value (diagram, value)->axes;
}

/* --- steps ----------------------------------------------------------------------------- */

static gboolean
run_segment (Run *self, const HeddleShardSegment *segment, guint device, GError **error)
{
  const HeddleDiagram *whole = self->sharding->diagram;
  g_autoptr (GHashTable) values = NULL, inputs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                            (GDestroyNotify) heddle_array_unref);
  g_autoptr (GArray) read = heddle_diagram_get_inputs (segment->diagram);
  GHashTableIter iter;
  gpointer value, layout;

  for (guint i = 0; i < read->len; i++)
    {
      const char *id = heddle_ids_index (read, i);
      HeddleArray *array = reshape (find (self, device, id, g_hash_table_lookup (segment->needs, id)),
          axes_in (whole, id), axes_in (segment->diagram, id), error);

      if (array == NULL)
        return FALSE;
      g_hash_table_insert (inputs, heddle_diagram_get_value (segment->diagram, id)->name, array);
    }
  values = self->run (segment, inputs, self->data, error);
  if (values == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, segment->gives);
  while (g_hash_table_iter_next (&iter, &value, &layout))
    {
      HeddleArray *stored = g_hash_table_lookup (values, value), *array;

      if (stored == NULL)
        continue; /* it never left the kernel */
      array = reshape (stored, axes_in (segment->diagram, value), axes_in (whole, value), error);
      if (array == NULL)
        return FALSE;
      keep (self, device, value, layout, array);
    }
  return TRUE;
}

static gboolean
run_step (Run *self, const HeddleShardStep *step, GError **error)
{
  for (guint d = 0; d < self->sharding->gpus; d++)
    if (step->segment != NULL)
      {
        if (!run_segment (self, step->segment, d, error))
          return FALSE;
      }
    else
      {
        HeddleArray *made = pass (self, step, d, error);

        if (made == NULL)
          return FALSE;
        keep (self, d, step->value, &step->to, made);
      }
  return TRUE;
}

/* Returns an input, or the numbers of an axis' places. */
static HeddleArray *
input_of (const Run *self, GHashTable *inputs, const char *value, const char *name, GError **error)
{
  HeddleArray *array;
  gint64 n;

  if (!heddle_sharding_is_places (self->sharding, value))
    return heddle_array_ref (g_hash_table_lookup (inputs, name));
  n = heddle_sizes_get (self->sharding->sizes,
      heddle_ids_index (heddle_diagram_get_value (self->sharding->diagram, value)->axes, 0));
  array = heddle_array_new (HEDDLE_DTYPE_I32, 1, &n, error);
  for (gint64 i = 0; array != NULL && i < n; i++)
    array->data[i] = (double) i;
  return array;
}

/* Hands out the inputs in the pieces that GPUs are given. */
static gboolean
give (Run *self, GHashTable *inputs, guint device, GError **error)
{
  GHashTableIter iter;
  gpointer value, given;

  g_hash_table_iter_init (&iter, self->sharding->given);
  while (g_hash_table_iter_next (&iter, &value, &given))
    {
      const HeddleShardLayout *layout = given;
      g_autofree char *name = heddle_diagram_value_label (self->sharding->diagram, value);
      HeddleArray *array = input_of (self, inputs, value, name, error);

      if (array == NULL)
        return FALSE;
      for (guint l = 0; l < self->sharding->n_links; l++)
        if (layout->how[l] == HEDDLE_SPREAD_SPLIT)
          {
            HeddleArray *piece = slice (self, value, array, layout->axis[l], l, device, error);

            heddle_array_unref (array);
            array = piece;
            if (array == NULL)
              return FALSE;
          }
      keep (self, device, value, layout, array);
    }
  return TRUE;
}

/* Returns the whole output: each GPU's piece where it belongs, from link @l on; an axis that lies along
 * several links is cut at the first one first. GPUs that hold the same piece agree. */
static HeddleArray *
assemble (Run *self, const char *value, HeddleShardLayout layout, guint device, guint l, GError **error)
{
  const HeddleSharding *sharding = self->sharding;
  HeddleArray *whole = NULL;
  guint dim;

  while (l < sharding->n_links && layout.how[l] != HEDDLE_SPREAD_SPLIT)
    l++;
  if (l == sharding->n_links)
    return heddle_array_ref (find (self, device, value, &layout));
  dim = dimension_of (self, value, layout.axis[l]);
  for (guint p = 0; p < sharding->ways[l]; p++)
    {
      g_autoptr (HeddleArray) piece
          = assemble (self, value, layout, with_place (sharding, device, l, p), l + 1, error);

      if (piece != NULL && whole == NULL)
        whole = like (piece, dim, piece->shape[dim] * sharding->ways[l], error);
      if (piece == NULL || whole == NULL)
        {
          g_clear_pointer (&whole, heddle_array_unref);
          return NULL;
        }
      copy_piece (whole, piece, dim, sharding->ways[l], p, FALSE);
    }
  return whole;
}

static GHashTable *
take_outputs (Run *self, GError **error)
{
  g_autoptr (GHashTable) outputs
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  GHashTableIter iter;
  gpointer value, layout;

  g_hash_table_iter_init (&iter, self->sharding->left);
  while (g_hash_table_iter_next (&iter, &value, &layout))
    {
      HeddleArray *array = heddle_diagram_get_producer (self->sharding->diagram, value) == NULL
                               ? NULL
                               : assemble (self, value, *(HeddleShardLayout *) layout, 0, 0, error);

      if (array != NULL)
        g_hash_table_insert (outputs, value, array);
      else if (heddle_diagram_get_producer (self->sharding->diagram, value) != NULL)
        return NULL;
    }
  return g_steal_pointer (&outputs);
}

static GHashTable *
evaluate_segment (const HeddleShardSegment *segment, GHashTable *inputs, gpointer data, GError **error)
{
  return heddle_evaluate (segment->diagram, segment->sizes, inputs, HEDDLE_PRECISION_F64, data, error);
}

GHashTable *
heddle_sharding_execute (
    const HeddleSharding *self, GHashTable *inputs, GCancellable *cancellable, GError **error)
{
  return heddle_sharding_execute_by (self, inputs, evaluate_segment, cancellable, cancellable, error);
}

GHashTable *
heddle_sharding_execute_by (const HeddleSharding *sharding, GHashTable *inputs, HeddleShardRun run,
    gpointer data, GCancellable *cancellable, GError **error)
{
  Run self = { sharding, g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref), run, data,
    cancellable };
  GHashTable *outputs = NULL;
  gboolean good = TRUE;

  for (guint d = 0; good && d < sharding->gpus; d++)
    {
      g_ptr_array_add (
          self.devices, g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref));
      good = give (&self, inputs, d, error);
    }
  for (guint i = 0; good && i < sharding->steps->len; i++)
    good = run_step (&self, g_ptr_array_index (sharding->steps, i), error);
  if (good)
    outputs = take_outputs (&self, error);
  g_ptr_array_unref (self.devices);
  return outputs;
}
