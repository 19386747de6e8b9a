/* SPDX-License-Identifier: MIT */
#include "derive/shard/merge.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* This file splits a softmax along an axis that is grouped over GPUs, by what split-K does within one (Milakov & Gimelshein, arXiv 1805.02867): each GPU goes along its
 * own part of the axis as if there were no other, and leaves the logarithm of its sum of exponentials with what it made. What a part counts for is
 * the softmax of those over the GPUs:
 *
 *   O_r = sum[x in r](softmax[x in r](S) V), L_r = logsumexp[x in r](S), O = sum[r](softmax[r](L)_r O_r)
 *
 * L is gathered, which is little, and O_r times its share is left in parts to be summed, as after any contraction. A log-sum-exp is that of the L_r. */

typedef struct
{
  HeddleSharding *sharding;
  HeddleSchedule *schedule;
  const HeddleMachine *machine;
  HeddleDtype dtype;
} Merger;

/* Returns the axis that the operation's region groups at the link and at no other; NULL if there is none, or
 * if it is refused. */
static const char *
axis_at (const Merger *self, const char *operation, guint l, gint64 *ways)
{
  const HeddleRegion *region = heddle_schedule_region_of (self->schedule, operation);
  const char *found = NULL;
  guint places = 0;

  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);
      gint64 n = heddle_sizes_get (self->sharding->sizes, label->axis);

      if (heddle_machine_find_link (self->machine, label->level) != (int) l || label->inactive != NULL
          || label->kind != HEDDLE_LABEL_GROUP || n <= label->size || n % label->size != 0)
        continue;
      *ways = n / label->size;
      found = label->axis;
    }
  for (guint i = 0; found != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      places += label->axis == found && heddle_machine_find_link (self->machine, label->level) >= 0;
    }
  return places == 1 ? found : NULL;
}

/* --- where -------------------------------------------------------------------------------- */

static gboolean
reads_inside (const Merger *self, const HeddleOperation *operation)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->sharding->diagram, operation->result);
  const HeddleRegion *region = heddle_schedule_region_of (self->schedule, operation->id);

  for (guint i = 0; i < readers->len; i++)
    if (heddle_ids_contain (
            region->operations, ((const HeddleOperation *) g_ptr_array_index (readers, i))->id))
      return TRUE;
  return FALSE;
}

/* Returns the one contraction that reads the weights, once, over the same axis on the same GPUs, and keeps
 * every row; NULL if there is none. */
static const HeddleOperation *
find_contraction (const Merger *self, const HeddleOperation *softmax, const char *axis, guint l)
{
  const HeddleDiagram *diagram = self->sharding->diagram;
  const GArray *axes = heddle_diagram_get_value (diagram, softmax->result)->axes;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, softmax->result);
  const HeddleOperation *reader = readers->len == 1 ? g_ptr_array_index (readers, 0) : NULL;
  gint64 ways;

  if (reader == NULL || heddle_diagram_is_output (diagram, softmax->result)
      || heddle_diagram_count_readers (diagram, softmax->result) != 1
      || reader->kind->form != HEDDLE_FORM_CONTRACT || !heddle_ids_contain (reader->axes, axis)
      || axis_at (self, reader->id, l, &ways) != axis || reads_inside (self, reader))
    return NULL;
  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (softmax->axes, heddle_ids_index (axes, i))
        && !heddle_ids_contain (
            heddle_diagram_get_value (diagram, reader->result)->axes, heddle_ids_index (axes, i)))
      return NULL;
  return reader;
}

/* --- what is put in ------------------------------------------------------------------------- */

static const char *
parts_axis (Merger *self, guint l, gint64 ways)
{
  HeddleSharding *made = self->sharding;
  g_autofree char *name = g_strdup ("parts");

  for (guint n = 2; made->parts[l] == NULL && heddle_diagram_find_axis (made->diagram, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("parts_%u", n);
    }
  if (made->parts[l] == NULL)
    made->parts[l]
        = heddle_diagram_add_axis (made->diagram, NULL, name, heddle_expr_number ((double) ways))->id;
  return made->parts[l];
}

/* Returns a new value called as @of with an ending, over the GPUs and the axes of @like except those of
 * @without. */
static const char *
add_parts (Merger *self, const char *of, const char *ending, const char *like, const GArray *without, guint l,
    HeddleDtype dtype)
{
  HeddleDiagram *diagram = self->sharding->diagram;
  const GArray *from = heddle_diagram_get_value (diagram, like)->axes;
  g_autofree char *base = heddle_diagram_value_label (diagram, of), *name = g_strconcat (base, ending, NULL);
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_ids_append (axes, self->sharding->parts[l]);
  for (guint i = 0; i < from->len; i++)
    if (!heddle_ids_contain (axes, heddle_ids_index (from, i))
        && (without == NULL || !heddle_ids_contain (without, heddle_ids_index (from, i))))
      heddle_ids_append (axes, heddle_ids_index (from, i));
  for (guint n = 2; heddle_diagram_find_value (diagram, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s%s_%u", base, ending, n);
    }
  return heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_INTERMEDIATE, dtype, axes)->id;
}

/* Inserts an operation over the GPUs of link @l after another one; at other links it is grouped as that is,
 * where @result has the axis. @grouped: each GPU computes its own part. */
static void
insert (Merger *self, const char *after, const char *kind, const char *const *operands, const char *result,
    guint l, gboolean grouped)
{
  HeddleDiagram *diagram = self->sharding->diagram;
  g_autoptr (GArray) ids = heddle_ids_new (), core = heddle_ids_new ();
  const char **axes = g_new0 (const char *, HEDDLE_MAX_LINKS);
  const char *axis = self->sharding->parts[l];
  const HeddleOperation *made;
  gint64 ways;

  for (guint i = 0; operands[i] != NULL; i++)
    heddle_ids_append (ids, operands[i]);
  heddle_ids_append (core, axis);
  made = heddle_diagram_add_operation (diagram, NULL, heddle_operation_kind (kind), ids, result, core,
      heddle_diagram_index_of_operation (diagram, after) + 1);
  for (guint k = 0; k < self->sharding->n_links; k++)
    {
      const char *other = k != l ? axis_at (self, after, k, &ways) : NULL;

      if (other != NULL && heddle_ids_contain (heddle_diagram_get_value (diagram, result)->axes, other))
        axes[k] = other;
    }
  axes[l] = grouped ? axis : NULL;
  g_hash_table_insert (self->sharding->inserted, (gpointer) made->id, axes);
}

static void
set_apart (Merger *self, const char *operation, const char *axis)
{
  g_hash_table_insert (self->sharding->apart, (gpointer) operation, (gpointer) axis);
}

/* Returns the data type that a result has. What is made with the shares, in more bits, keeps the type that it
 * would have without. */
static HeddleDtype
keep_dtype (Merger *self, const char *value)
{
  HeddleDtype dtype = heddle_diagram_dtype (self->sharding->diagram, value, self->dtype);

  heddle_diagram_edit_value (self->sharding->diagram, value)->dtype = dtype;
  return dtype;
}

/* Returns the data type of logarithms: they are kept in no less than f32. */
static HeddleDtype
wide (HeddleDtype dtype)
{
  return dtype == HEDDLE_DTYPE_F64 ? dtype : HEDDLE_DTYPE_F32;
}

/* Lets the operation, of a kind that has no details, make another value: of what its GPU has of the axis
 * alone. */
static void
leave_part (Merger *self, const char *id, const char *part, const char *axis)
{
  HeddleDiagram *diagram = self->sharding->diagram;
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);
  const HeddleOperationKind *kind = operation->kind;
  g_autoptr (GArray) operands = heddle_ids_copy (operation->operands),
                     core = heddle_ids_copy (operation->axes);
  int place = heddle_diagram_index_of_operation (diagram, id);

  heddle_diagram_remove (diagram, id);
  heddle_diagram_add_operation (diagram, id, kind, operands, part, core, place);
  set_apart (self, id, axis);
}

/* Adds L_r, the log-sum-exp of the softmax's operand on each GPU, made in the same kernel. */
static const char *
add_log_sums (Merger *self, const HeddleOperation *softmax, const char *of, const char *axis, guint l)
{
  HeddleDiagram *diagram = self->sharding->diagram;
  const char *operand = heddle_ids_index (softmax->operands, 0), *id = softmax->id, *logs;
  HeddleDtype dtype = wide (heddle_diagram_dtype (diagram, operand, self->dtype));
  g_autoptr (GArray) ids = heddle_ids_copy (softmax->operands), core = heddle_ids_copy (softmax->axes);
  const HeddleOperation *made;

  logs = add_parts (self, of, "_log_sums", operand, core, l, dtype);
  made = heddle_diagram_add_operation (diagram, NULL, heddle_operation_kind ("logsumexp"), ids, logs, core,
      heddle_diagram_index_of_operation (diagram, id) + 1);
  heddle_ids_append (heddle_schedule_region_of (self->schedule, id)->operations, made->id);
  set_apart (self, made->id, axis);
  return logs;
}

static void
merge_softmax (Merger *self, const HeddleOperation *softmax, const HeddleOperation *contraction,
    const char *axis, guint l)
{
  HeddleSharding *made = self->sharding;
  const char *whole = contraction->result, *weights = softmax->id, *sum = contraction->id;
  const char *logs = add_log_sums (self, softmax, whole, axis, l);
  const char *shares = add_parts (
      self, whole, "_shares", logs, NULL, l, heddle_diagram_get_value (made->diagram, logs)->dtype);
  const char *part = add_parts (self, whole, "_part", whole, NULL, l, keep_dtype (self, whole));

  set_apart (self, weights, axis);
  leave_part (self, sum, part, axis);
  insert (self, sum, "contract", (const char *const[]){ shares, part, NULL }, whole, l, TRUE);
  insert (self, sum, "softmax", (const char *const[]){ logs, NULL }, shares, l, FALSE);
}

static void
merge_log_sum (Merger *self, const HeddleOperation *operation, const char *axis, guint l)
{
  const char *whole = operation->result, *id = operation->id;
  const char *logs = add_parts (self, whole, "_log_sums", whole, NULL, l, wide (keep_dtype (self, whole)));

  leave_part (self, id, logs, axis);
  insert (self, id, "logsumexp", (const char *const[]){ logs, NULL }, whole, l, FALSE);
}

static void
merge_at (Merger *self, const char *id, guint l)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (self->sharding->diagram, id), *contraction;
  gint64 ways = 1;
  const char *axis = axis_at (self, id, l, &ways);

  if (axis == NULL || !heddle_ids_contain (operation->axes, axis)
      || (self->sharding->parts[l] != NULL
          && heddle_sizes_get (self->sharding->sizes, self->sharding->parts[l]) != ways))
    return;
  if (g_str_equal (operation->kind->id, "softmax")
      && (contraction = find_contraction (self, operation, axis, l)) != NULL)
    {
      parts_axis (self, l, ways);
      merge_softmax (self, operation, contraction, axis, l);
    }
  else if (g_str_equal (operation->kind->id, "logsumexp") && !reads_inside (self, operation))
    {
      parts_axis (self, l, ways);
      merge_log_sum (self, operation, axis, l);
    }
}

/* Computes the sizes of the diagram again, with the new axes. */
static void
renew_sizes (HeddleSharding *self)
{
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  HeddleSizes *sizes;

  for (guint i = 0; i < self->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);
      gint64 size = heddle_sizes_get (self->sizes, axis->id);

      if (size > 0 && (axis->size == NULL || heddle_expr_get_kind (axis->size) == HEDDLE_EXPR_NUMBER))
        g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  sizes = heddle_sizes_new (self->diagram, overrides, NULL);
  g_assert (sizes != NULL);
  heddle_sizes_unref (self->sizes);
  self->sizes = sizes;
}

void
heddle_shard_merge (
    HeddleSharding *self, HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype)
{
  Merger merger = { self, schedule, machine, dtype };
  g_autoptr (GArray) operations = heddle_ids_new ();

  for (guint i = 0; i < self->diagram->operations->len; i++)
    heddle_ids_append (
        operations, ((const HeddleOperation *) g_ptr_array_index (self->diagram->operations, i))->id);
  for (guint i = 0; i < operations->len; i++)
    for (guint l = 0; l < self->n_links; l++)
      {
        const char *had = self->parts[l];

        merge_at (&merger, heddle_ids_index (operations, i), l);
        if (self->parts[l] != had)
          renew_sizes (self);
      }
}
