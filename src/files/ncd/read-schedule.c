/* SPDX-License-Identifier: MIT */

#include "derive/kernel/divisors-machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/layout.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/theme.h"
#include "files/ncd/ornament.h"
#include "files/ncd/parse.h"
#include "files/ncd/read-schedule.h"
#include "files/ncd/spelling.h"

/* Returns the diagram that an element of the schedule or the presentation refers to; reports one that does
 * not exist. */
static HeddleDiagram *
find_diagram (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  const char *id = heddle_ncd_id (self, node, text);
  HeddleDiagram *diagram = id ? heddle_snapshot_get_diagram_by_id (self->snapshot, id) : NULL;

  if (diagram == NULL)
    heddle_ncd_report (self, node, "there is no diagram “%.40s”", text);
  return diagram;
}

/* Returns the id of something in the current diagram, or %NULL after reporting it. What a definition has where it is
 * called (@inlined) is known only when the diagram is flattened. */
static const char *
find_object (HeddleNcdReader *self, xmlNode *node, gboolean inlined, const char *text)
{
  const char *id = heddle_ncd_id (self, node, text);

  if (id == NULL)
    return NULL;
  if (inlined || heddle_diagram_get_axis (self->diagram, id) || heddle_diagram_get_value (self->diagram, id)
      || heddle_diagram_get_operation (self->diagram, id))
    return id;
  heddle_ncd_report (self, node, "there is no “%s” in the diagram “%s”", id, self->diagram->name);
  return NULL;
}

static void
read_label (HeddleNcdReader *self, xmlNode *node, gboolean inlined, GPtrArray *labels)
{
  static const HeddleNcdAttribute attributes[]
      = { { "axis", TRUE }, { "level", TRUE }, { "kind", TRUE }, { "size", TRUE }, { "inactive", FALSE } };
  char *values[5];
  const char *axis;
  HeddleLabelKind kind;
  HeddleLabel *label;
  gint64 size;

  if (heddle_ncd_attributes (self, node, attributes, 5, values)
      && (axis = find_object (self, node, inlined, values[0])) != NULL
      && heddle_ncd_whole (self, node, "size", values[3], &size))
    {
      if (heddle_label_kind_from_string (values[2], &kind))
        {
          label = heddle_label_new (axis, values[1], kind, size);
          label->inactive = g_strdup (values[4]);
          g_ptr_array_add (labels, label);
        }
      else
        heddle_ncd_report (self, node, "“%.40s” is not a kind of label", values[2]);
    }
  heddle_ncd_clear_values (values, 5);
}

static gboolean
region_operations (
    HeddleNcdReader *self, xmlNode *node, HeddleSchedule *schedule, const char *text, GArray *operations)
{
  g_autoptr (GArray) ids = heddle_ncd_ids (self, node, text);

  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);

      if (!schedule->inlined && heddle_diagram_get_operation (self->diagram, id) == NULL)
        {
          heddle_ncd_report (self, node, "there is no operation “%s”", id);
          return FALSE;
        }
      if (heddle_schedule_region_of (schedule, id) != NULL || heddle_ids_contain (operations, id))
        {
          heddle_ncd_report (self, node, "the operation “%s” is in two kernels", id);
          return FALSE;
        }
      heddle_ids_append (operations, id);
    }
  return TRUE;
}

static void
read_region (HeddleNcdReader *self, xmlNode *node, HeddleSchedule *schedule)
{
  static const HeddleNcdAttribute attributes[] = { { "id", TRUE }, { "operations", TRUE } };
  char *values[2];
  const char *id;

  if (heddle_ncd_attributes (self, node, attributes, 2, values)
      && (id = heddle_ncd_id (self, node, values[0])) != NULL)
    {
      HeddleRegion *region = heddle_region_new (id);

      if (heddle_schedule_get_region (schedule, id) != NULL)
        heddle_ncd_report (self, node, "the id “%s” is already taken", id);
      region_operations (self, node, schedule, values[1], region->operations);
      for (xmlNode *child = node->children; child != NULL; child = child->next)
        if (heddle_ncd_is (child, "label"))
          read_label (self, child, schedule->inlined, region->labels);
        else
          heddle_ncd_other_child (self, child, id);
      g_ptr_array_add (schedule->regions, region);
    }
  heddle_ncd_clear_values (values, 2);
}

static void
read_residency (HeddleNcdReader *self, xmlNode *node, HeddleSchedule *schedule)
{
  static const HeddleNcdAttribute attributes[]
      = { { "value", TRUE }, { "column", FALSE }, { "level", TRUE } };
  char *values[3];
  const char *value = NULL, *column = NULL;

  if (heddle_ncd_attributes (self, node, attributes, 3, values))
    {
      value = find_object (self, node, schedule->inlined, values[0]);
      column = values[1] ? find_object (self, node, schedule->inlined, values[1]) : NULL;
      if (value != NULL && (values[1] == NULL || column != NULL))
        g_ptr_array_add (schedule->residency, heddle_residency_new (value, column, values[2]));
    }
  heddle_ncd_clear_values (values, 3);
}

static void
read_recomputed (HeddleNcdReader *self, xmlNode *node, HeddleSchedule *schedule)
{
  static const HeddleNcdAttribute attributes[] = { { "value", TRUE }, { "column", TRUE } };
  char *values[2];
  const char *value = NULL, *column = NULL;

  if (heddle_ncd_attributes (self, node, attributes, 2, values))
    {
      value = find_object (self, node, schedule->inlined, values[0]);
      column = find_object (self, node, schedule->inlined, values[1]);
      if (value != NULL && column != NULL)
        heddle_schedule_set_recomputed (schedule, value, column, TRUE);
    }
  heddle_ncd_clear_values (values, 2);
}

/* Reads the labels of the kernel that copies an input. */
static void
read_copy_labels (HeddleNcdReader *self, xmlNode *node, gboolean inlined, HeddleValueLayout *layout)
{
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (heddle_ncd_is (child, "label"))
      read_label (self, child, inlined, layout->labels);
}

static void
read_layout (HeddleNcdReader *self, xmlNode *node, HeddleSchedule *schedule)
{
  static const HeddleNcdAttribute attributes[] = { { "value", TRUE }, { "axes", TRUE } };
  g_autoptr (GArray) axes = NULL;
  const char *value = NULL;
  char *values[2];

  if (heddle_ncd_attributes (self, node, attributes, 2, values))
    {
      value = find_object (self, node, schedule->inlined, values[0]);
      axes = heddle_ncd_ids (self, node, values[1]);
      if (value != NULL
          && (schedule->inlined
              || heddle_value_layout_is_for (&(HeddleValueLayout){ value, axes }, self->diagram)))
        read_copy_labels (self, node, schedule->inlined, heddle_schedule_set_layout (schedule, value, axes));
      else if (value != NULL)
        heddle_ncd_report (self, node,
            "“%.40s” are not the axes of “%s”, or that is given back as it is drawn", values[1], value);
    }
  heddle_ncd_clear_values (values, 2);
}

/* Reads what is asked of all kernels. */
static void
read_wishes (
    HeddleNcdReader *self, xmlNode *node, HeddleSchedule *schedule, const char *divisors, const char *budget)
{
  guint flags;
  gint64 bytes;

  if (divisors != NULL && !heddle_divisors_from_string (divisors, &flags))
    heddle_ncd_report (self, node, "“%.40s” are not some of mma,copies,lines,warps", divisors);
  else if (divisors != NULL)
    schedule->divisors = heddle_divisors_to_string (flags);
  if (budget != NULL && heddle_ncd_whole (self, node, "budget", budget, &bytes))
    schedule->budget = bytes;
}

/* Returns the schedule of the current diagram with what it calls in the place of its calls. */
static HeddleSchedule *
add_inlined_schedule (HeddleNcdReader *self, xmlNode *node, const char *calls)
{
  HeddleSchedule *schedule;

  if (!g_str_equal (calls, "inlined"))
    heddle_ncd_report (self, node, "calls: “%.40s” is not inlined", calls);
  if (heddle_snapshot_find_inlined_schedule (self->snapshot, self->diagram) != NULL)
    heddle_ncd_report (self, node, "the diagram “%s” has two schedules without calls", self->diagram->name);
  schedule = heddle_schedule_new (self->diagram->id);
  schedule->inlined = TRUE;
  g_ptr_array_add (self->snapshot->schedules, schedule);
  return schedule;
}

/* Returns the schedule of the current diagram: for the one call @call of what @root calls, or for all (both are
 * NULL). */
static HeddleSchedule *
add_schedule (HeddleNcdReader *self, xmlNode *node, const char *root, const char *call)
{
  const HeddleDiagram *from = root != NULL ? find_diagram (self, node, root) : NULL;
  const char *path = call != NULL ? heddle_ncd_id (self, node, call) : NULL;
  HeddleSchedule *schedule;

  if ((root == NULL) != (call == NULL))
    heddle_ncd_report (self, node, "the schedule of one call has both a root and a call");
  if (from == NULL || path == NULL)
    {
      if (heddle_snapshot_find_schedule (self->snapshot, self->diagram) != NULL)
        heddle_ncd_report (self, node, "the diagram “%s” has two schedules", self->diagram->name);
      return heddle_snapshot_get_schedule (self->snapshot, self->diagram);
    }
  if (heddle_snapshot_find_call_schedule (self->snapshot, self->diagram, from->id, path) != NULL)
    heddle_ncd_report (self, node, "the call “%.40s” has two schedules", call);
  schedule = heddle_schedule_new (self->diagram->id);
  schedule->root = from->id;
  schedule->call = path;
  g_ptr_array_add (self->snapshot->schedules, schedule);
  return schedule;
}

void
heddle_ncd_read_schedule (HeddleNcdReader *self, xmlNode *node)
{
  static const HeddleNcdAttribute attributes[] = { { "diagram", TRUE }, { "gpu", FALSE }, { "dtype", FALSE },
    { "divisors", FALSE }, { "budget", FALSE }, { "root", FALSE }, { "call", FALSE }, { "calls", FALSE } };
  char *values[G_N_ELEMENTS (attributes)];
  HeddleSchedule *schedule;

  if (heddle_ncd_attributes (self, node, attributes, G_N_ELEMENTS (attributes), values)
      && (self->diagram = find_diagram (self, node, values[0])) != NULL)
    {
      schedule = values[7] != NULL ? add_inlined_schedule (self, node, values[7])
                                   : add_schedule (self, node, values[5], values[6]);
      g_free (schedule->gpu);
      schedule->gpu = g_strdup (values[1]);
      if (values[2] != NULL && !heddle_dtype_from_string (values[2], &schedule->dtype))
        heddle_ncd_report (self, node, "“%.40s” is not a data type", values[2]);
      read_wishes (self, node, schedule, values[3], values[4]);
      for (xmlNode *child = node->children; child != NULL; child = child->next)
        if (heddle_ncd_is (child, "region"))
          read_region (self, child, schedule);
        else if (heddle_ncd_is (child, "residency"))
          read_residency (self, child, schedule);
        else if (heddle_ncd_is (child, "recomputed"))
          read_recomputed (self, child, schedule);
        else if (heddle_ncd_is (child, "layout"))
          read_layout (self, child, schedule);
        else
          heddle_ncd_other_child (self, child, NULL);
    }
  self->diagram = NULL;
  heddle_ncd_clear_values (values, G_N_ELEMENTS (attributes));
}

static void
read_nudge (HeddleNcdReader *self, xmlNode *node, HeddlePresentation *presentation)
{
  static const HeddleNcdAttribute attributes[] = { { "object", TRUE }, { "dx", TRUE }, { "dy", TRUE } };
  char *values[3];
  const char *object;
  double dx, dy;

  if (heddle_ncd_attributes (self, node, attributes, 3, values)
      && (object = find_object (self, node, FALSE, values[0])) != NULL
      && heddle_ncd_number (self, node, "dx", values[1], &dx)
      && heddle_ncd_number (self, node, "dy", values[2], &dy))
    heddle_presentation_set_nudge (presentation, object, CLAMP (dx, -1e6, 1e6), CLAMP (dy, -1e6, 1e6));
  heddle_ncd_clear_values (values, 3);
}

static void
read_fill (HeddleNcdReader *self, xmlNode *node, HeddlePresentation *presentation)
{
  static const HeddleNcdAttribute attributes[] = { { "object", TRUE }, { "class", TRUE } };
  char *values[2];
  const char *object;

  if (heddle_ncd_attributes (self, node, attributes, 2, values)
      && (object = find_object (self, node, FALSE, values[0])) != NULL)
    {
      HeddleFill *fill = g_new0 (HeddleFill, 1);

      if (!g_str_equal (values[1], "none") && !heddle_theme_has_fill (values[1]))
        heddle_ncd_report (self, node,
            "class: “%.40s” is neither a class of the palette, nor a colour such as #9DC7FE, nor none",
            values[1]);
      fill->object = object;
      fill->fill = g_strdup (values[1]);
      g_ptr_array_add (presentation->fills, fill);
    }
  heddle_ncd_clear_values (values, 2);
}

void
heddle_ncd_read_presentation (HeddleNcdReader *self, xmlNode *node)
{
  static const struct
  {
    const char *name;
    void (*read) (HeddleNcdReader *self, xmlNode *node, HeddlePresentation *presentation);
  } rows[] = { { "nudge", read_nudge }, { "fill", read_fill } };
  static const HeddleNcdAttribute attributes[]
      = { { "diagram", TRUE }, { "title", FALSE }, { "definitions", FALSE }, { "columns", FALSE },
          { "wrap", FALSE }, { "separators", FALSE }, { "copies", FALSE } };
  char *values[G_N_ELEMENTS (attributes)];
  double wrap = 0.;

  if (heddle_ncd_attributes (self, node, attributes, G_N_ELEMENTS (attributes), values)
      && (values[4] == NULL || heddle_ncd_number (self, node, "wrap", values[4], &wrap))
      && (self->diagram = find_diagram (self, node, values[0])) != NULL)
    {
      HeddlePresentation *presentation = heddle_snapshot_get_presentation (self->snapshot, self->diagram);

      g_free (presentation->title);
      presentation->title = g_strdup (values[1]);
      if (values[1] != NULL)
        heddle_ncd_check_prose (self, node, values[1]);
      presentation->wrap = CLAMP (wrap, 0., 1e6);
      presentation->definitions = heddle_ncd_word (self, node, "definitions", values[2], "none", "below");
      presentation->bands = heddle_ncd_word (self, node, "columns", values[3], "plain", "shaded");
      presentation->separators = heddle_ncd_word (self, node, "separators", values[5], "drawn", "none");
      presentation->copies = heddle_ncd_word (self, node, "copies", values[6], "few", "wires");
      for (xmlNode *child = node->children; child != NULL; child = child->next)
        {
          guint i = 0;

          while (i < G_N_ELEMENTS (rows) && !heddle_ncd_is (child, rows[i].name))
            i++;
          if (i < G_N_ELEMENTS (rows))
            rows[i].read (self, child, presentation);
          else if (!heddle_ncd_read_ornament (self, child, presentation))
            heddle_ncd_other_child (self, child, NULL);
        }
    }
  self->diagram = NULL;
  heddle_ncd_clear_values (values, G_N_ELEMENTS (values));
}
