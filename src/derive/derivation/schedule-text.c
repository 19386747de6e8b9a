/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/schedule-text.h"
#include "derive/legality/legality.h"
#include "derive/region/memo.h"
#include "derive/region/outside.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The command line's way to say what is fused and how axes are labelled. */

#define MAX_SIZE (G_GINT64_CONSTANT (1) << 40)

/* --- regions --------------------------------------------------------------------------------------- */

static gboolean
overlaps (const HeddleRegion *region, const GArray *operations)
{
  for (guint i = 0; i < region->operations->len; i++)
    if (heddle_ids_contain (operations, heddle_ids_index (region->operations, i)))
      return TRUE;
  return FALSE;
}

/* Takes @operations out of the regions they are in, which go when nothing is left; @region inherits the
 * labels. */
static void
take_operations (HeddleSchedule *schedule, const GArray *operations, HeddleRegion *region)
{
  for (guint i = schedule->regions->len; i-- > 0;)
    {
      HeddleRegion *other = g_ptr_array_index (schedule->regions, i);

      if (other == region || !overlaps (other, operations))
        continue;
      heddle_region_take_labels (region, other);
      for (guint k = other->operations->len; k-- > 0;)
        if (heddle_ids_contain (operations, heddle_ids_index (other->operations, k)))
          g_array_remove_index (other->operations, k);
      if (other->operations->len == 0)
        g_ptr_array_remove_index (schedule->regions, i);
    }
}

/* Drops the requests to compute a value again in the region that makes it. */
static void
drop_recomputed (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleRegion *region)
{
  for (guint i = schedule->recomputed->len; i-- > 0;)
    {
      const HeddleRecompute *recompute = &g_array_index (schedule->recomputed, HeddleRecompute, i);
      const HeddleOperation *producer = heddle_diagram_get_producer (diagram, recompute->value);

      if (producer != NULL && heddle_ids_contain (region->operations, producer->id)
          && heddle_ids_contain (region->operations, recompute->column))
        g_array_remove_index (schedule->recomputed, i);
    }
}

HeddleRegion *
heddle_schedule_fuse_operations (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const GArray *operations)
{
  HeddleRegion *region = heddle_schedule_add_region (schedule);

  take_operations (schedule, operations, region);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (heddle_ids_contain (operations, operation->id))
        heddle_ids_append (region->operations, operation->id);
    }
  drop_recomputed (schedule, diagram, region);
  return region;
}

static void
append_statement (GArray *operations, const HeddleDiagram *diagram, const char *value)
{
  g_autoptr (GPtrArray) statement = heddle_diagram_statement_operations (diagram, value);

  for (guint i = 0; i < statement->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (statement, i);

      if (!heddle_ids_contain (operations, operation->id))
        heddle_ids_append (operations, operation->id);
    }
}

/* Returns the value of that name, which may be one shown for an unnamed value: "t1". */
static const char *
find_value (const HeddleDiagram *diagram, const char *name)
{
  const HeddleValue *named = heddle_diagram_find_value (diagram, name);

  if (named != NULL)
    return named->id;
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      g_autofree char *label = value->name == NULL ? heddle_diagram_value_label (diagram, value->id) : NULL;

      if (label != NULL && g_str_equal (label, name))
        return value->id;
    }
  return NULL;
}

static GArray *
operations_of_names (const HeddleDiagram *diagram, const char *names, GError **error)
{
  g_autoptr (GArray) operations = heddle_ids_new ();
  g_auto (GStrv) list = g_strsplit (names, ",", -1);

  for (char **name = list; *name != NULL; name++)
    {
      const char *value = find_value (diagram, g_strstrip (*name));

      if (value == NULL || heddle_diagram_get_producer (diagram, value) == NULL)
        {
          g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
              value == NULL ? _ ("“%s” cannot be fused: there is no value of that name")
                            : _ ("“%s” cannot be fused: it is an input"),
              *name);
          return NULL;
        }
      append_statement (operations, diagram, value);
    }
  return g_steal_pointer (&operations);
}

/* Returns the operations of the statement of @operation that are in no region (@taken). */
static GArray *
rest_of_statement (const HeddleDiagram *diagram, const char *operation, GHashTable *taken)
{
  const char *value = heddle_diagram_statement_of (diagram, operation);
  g_autoptr (GPtrArray) statement
      = value != NULL ? heddle_diagram_statement_operations (diagram, value) : g_ptr_array_new ();
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; i < statement->len; i++)
    {
      const char *id = ((const HeddleOperation *) g_ptr_array_index (statement, i))->id;

      if (!g_hash_table_contains (taken, id))
        heddle_ids_append (operations, id);
    }
  if (!heddle_ids_contain (operations, operation))
    heddle_ids_append (operations, operation);
  return operations;
}

/* Makes a region of operations that are in none, without looking through all regions and operations as
 * heddle_schedule_fuse_operations () does. */
static void
add_region_of (HeddleSchedule *schedule, const HeddleDiagram *diagram, const GArray *operations)
{
  g_autofree char *id = g_strdup_printf ("r.%u", schedule->regions->len + 1);
  HeddleRegion *region = heddle_region_new (id);

  for (guint i = 0; i < operations->len; i++)
    {
      const char *own = heddle_ids_index (operations, i);
      guint at = region->operations->len;

      while (at > 0
             && heddle_diagram_index_of_operation (diagram, heddle_ids_index (region->operations, at - 1))
                    > heddle_diagram_index_of_operation (diagram, own))
        at--;
      g_array_insert_val (region->operations, at, own);
    }
  g_ptr_array_add (schedule->regions, region);
  drop_recomputed (schedule, diagram, region);
}

/* Makes one region for each statement, without labels: the former labels belonged to other kernels. */
static void
separate (HeddleSchedule *schedule, const HeddleDiagram *diagram)
{
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  g_autoptr (HeddleRegionMemo) memo = heddle_region_memo_new ();
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  gboolean apart = TRUE; /* no region has lost an operation to another one */

  g_ptr_array_set_size (schedule->regions, 0);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      g_autoptr (GArray) statement = NULL;

      if (g_hash_table_contains (taken, operation->id))
        continue;
      statement = rest_of_statement (diagram, operation->id, taken);
      if (sizes != NULL)
        heddle_outside_complete (diagram, sizes, statement, memo);
      for (guint k = 0; k < statement->len; k++)
        apart = g_hash_table_add (taken, (gpointer) heddle_ids_index (statement, k)) && apart;
      if (apart)
        add_region_of (schedule, diagram, statement);
      else
        heddle_schedule_fuse_operations (schedule, diagram, statement);
    }
}

/* Returns the operations that are to be fused; an empty array for "none" and "file". */
static GArray *
operations_to_fuse (const HeddleDiagram *diagram, const char *how, GError **error)
{
  GArray *operations;

  if (!g_str_equal (how, "none") && !g_str_equal (how, "file") && !g_str_equal (how, "all"))
    return operations_of_names (diagram, how, error);
  operations = heddle_ids_new ();
  for (guint i = 0; g_str_equal (how, "all") && i < diagram->operations->len; i++)
    heddle_ids_append (operations, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  return operations;
}

HeddleSchedule *
heddle_schedule_fuse (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *how, GError **error)
{
  HeddleSchedule *copy;
  g_autoptr (GArray) operations = NULL;

  g_return_val_if_fail (diagram != NULL && how != NULL, NULL);

  operations = operations_to_fuse (diagram, how, error);
  if (operations == NULL)
    return NULL;
  copy = schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);
  if (g_str_equal (how, "none"))
    separate (copy, diagram);
  else if (operations->len > 0)
    heddle_schedule_fuse_operations (copy, diagram, operations);
  return copy;
}

/* --- labels ------------------------------------------------------------------------------------------- */

/* The parts of a text [REGION/]axis:kind[@level]=size. */
typedef struct
{
  char *region; /* or NULL */
  const HeddleAxis *axis;
  HeddleLabelKind kind;
  char *level;
  gint64 size;
} LabelText;

static void
label_text_clear (LabelText *self)
{
  g_free (self->region);
  g_free (self->level);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LabelText, label_text_clear)

static gboolean
fail (GError **error, const char *text, const char *why)
{
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
      _ ("label “%s”: %s; a label is [REGION/]axis:group|stream|divisor|order@level=n"), text, why);
  return FALSE;
}

static const char *
default_level (const HeddleMachine *machine)
{
  for (guint i = 0; machine != NULL && i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->labels)
        return level->name;
    }
  return "smem";
}

/* Returns the level of that name, or the only one whose name begins with it: "reg". Returns %NULL if there is
 * none, or several. */
static const char *
match_level (const HeddleMachine *machine, const char *name)
{
  const char *found = NULL;

  if (*name == '\0')
    return NULL;
  for (guint i = 0; i < machine->levels->len; i++)
    {
      const char *level = ((const HeddleLevel *) g_ptr_array_index (machine->levels, i))->name;

      if (g_str_equal (level, name))
        return level;
      if (!g_str_has_prefix (level, name))
        continue;
      if (found != NULL)
        return NULL;
      found = level;
    }
  return found;
}

static gboolean
read_size (const char *text, gint64 *size)
{
  return g_ascii_string_to_signed (text, 10, 1, MAX_SIZE, size, NULL);
}

static gboolean
read_label (const HeddleDiagram *diagram, const HeddleMachine *machine, const char *text, LabelText *label,
    GError **error)
{
  g_autofree char *rest = g_strdup (text), *why = NULL;
  char *size = strrchr (rest, '='), *kind = strrchr (rest, ':'), *name, *level;

  if (size == NULL || kind == NULL || size < kind)
    return fail (error, text, _ ("it has no “:” or no “=”"));
  *size++ = '\0';
  *kind++ = '\0';
  level = strchr (kind, '@');
  if (level != NULL)
    *level++ = '\0';
  name = strrchr (rest, '/');
  if (name != NULL)
    {
      *name++ = '\0';
      label->region = g_strdup (rest);
    }
  else
    name = rest;
  label->axis = heddle_diagram_find_axis (diagram, name);
  if (level != NULL && machine != NULL && heddle_machine_find_link (machine, level) < 0
      && match_level (machine, level) != NULL)
    level = (char *) match_level (machine, level);
  label->level = g_strdup (level != NULL ? level : default_level (machine));
  if (label->axis == NULL)
    why = g_strdup_printf (_ ("there is no axis “%s”"), name);
  else if (!heddle_label_kind_from_string (kind, &label->kind))
    why = g_strdup_printf (_ ("“%s” is not a kind of label"), kind);
  else if (machine != NULL && heddle_machine_find_level (machine, label->level) < 0
           && heddle_machine_find_link (machine, label->level) < 0)
    why = g_strdup_printf (_ ("%s has no level “%s”"), machine->title, label->level);
  else if (!read_size (size, &label->size))
    why = g_strdup_printf (_ ("“%s” is not a whole number from 1 to 2^40"), size);
  return why == NULL || fail (error, text, why);
}

static void
set_label (HeddleRegion *region, const LabelText *text)
{
  HeddleLabel *label = heddle_region_get_label (region, text->axis->id, text->level, text->kind);

  if (label == NULL)
    {
      g_ptr_array_add (
          region->labels, heddle_label_new (text->axis->id, text->level, text->kind, text->size));
      return;
    }
  label->size = text->size;
  g_clear_pointer (&label->inactive, g_free);
}

/* Makes a region of every statement that is in none, so that labels can be put on it. */
static void
complete_regions (HeddleSchedule *schedule, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      g_autoptr (GArray) statement = NULL;

      if (heddle_schedule_region_of (schedule, operation->id) != NULL)
        continue;
      statement = heddle_kernel_operations (diagram, schedule, operation->id);
      heddle_schedule_fuse_operations (schedule, diagram, statement);
    }
}

static gboolean
has_axis (const HeddleDiagram *diagram, const HeddleRegion *region, const char *axis)
{
  g_autoptr (HeddleRegionTerm) term = heddle_region_term_new (diagram, region->operations, NULL, NULL);

  return term != NULL && heddle_ids_contain (term->axes, axis);
}

static HeddleRegion *
find_region (HeddleSchedule *schedule, const HeddleDiagram *diagram, const char *name)
{
  const char *value = find_value (diagram, name);
  const HeddleOperation *producer = value != NULL ? heddle_diagram_get_producer (diagram, value) : NULL;
  HeddleRegion *region = heddle_schedule_get_region (schedule, g_intern_string (name));

  return region != NULL || producer == NULL ? region : heddle_schedule_region_of (schedule, producer->id);
}

gboolean
heddle_schedule_add_label_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error)
{
  g_auto (LabelText) label = { 0 };
  guint n = 0;

  g_return_val_if_fail (schedule != NULL && diagram != NULL && text != NULL, FALSE);

  if (!read_label (diagram, machine, text, &label, error))
    return FALSE;
  complete_regions (schedule, diagram);
  if (label.region != NULL)
    {
      HeddleRegion *region = find_region (schedule, diagram, label.region);

      if (region == NULL)
        return fail (error, text, _ ("there is no such region"));
      set_label (region, &label);
      return TRUE;
    }
  for (guint i = 0; i < schedule->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      if (!has_axis (diagram, region, label.axis->id))
        continue;
      set_label (region, &label);
      n++;
    }
  return n > 0 || fail (error, text, _ ("no kernel has that axis"));
}
