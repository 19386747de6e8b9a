/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n-lib.h>

#include "derive/kernel/derived-kernel.h"
#include "derive/report/step-title.h"

char *
heddle_step_title_of_label (
    const HeddleDiagram *diagram, const char *axis, const char *level, HeddleLabelKind kind, gint64 size)
{
  const HeddleAxis *a = heddle_diagram_get_axis (diagram, axis);
  const char *name = a != NULL ? a->name : axis;
  g_autofree char *title = g_ascii_strup (level, -1);

  if (size == 0)
    return g_strdup_printf (_ ("Take the Label of %s at %s Away"), name, title);
  return g_strdup_printf (
      kind == HEDDLE_LABEL_STREAM ? _ ("Stream %s at %s, %" PRId64) : _ ("Group %s at %s, %" PRId64), name,
      title, size);
}

char *
heddle_step_title_of_fusion (const HeddleDiagram *diagram, const HeddleRegion *region)
{
  g_autofree char *values = NULL;

  if (region->operations->len == 0 || heddle_kernel_is_statement (diagram, region->operations))
    return NULL;
  values = heddle_kernel_values (diagram, region->operations, ", ");
  return g_strdup_printf (_ ("Fuse %s"), values);
}

char *
heddle_step_title_of_divisors (const char *reasons)
{
  g_auto (GStrv) words = g_strsplit (reasons, ",", -1);
  g_autofree char *list = g_strjoinv (", ", words);

  return g_strdup_printf (_ ("Tiles in Multiples for %s"), list);
}

char *
heddle_step_label_of_reader (const HeddleDiagram *diagram, const char *column)
{
  const HeddleOperation *reader = heddle_diagram_get_operation (diagram, column);

  return reader != NULL ? heddle_diagram_value_label (diagram, reader->result) : g_strdup (column);
}

static const char *
title_of_level (const HeddleMachine *machine, const char *name)
{
  const int i = machine != NULL ? heddle_machine_find_level (machine, name) : -1;

  return i >= 0 ? _ (((const HeddleLevel *) g_ptr_array_index (machine->levels, i))->title) : name;
}

char *
heddle_step_title_of_place (
    const HeddleDiagram *diagram, const HeddleMachine *machine, const HeddleResidency *place)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, place->value);
  g_autofree char *reader
      = place->column != NULL ? heddle_step_label_of_reader (diagram, place->column) : NULL;
  const char *level = title_of_level (machine, place->level);

  return reader != NULL ? g_strdup_printf (_ ("Keep %s at %s for %s"), label, level, reader)
                        : g_strdup_printf (_ ("Keep %s at %s"), label, level);
}

char *
heddle_step_title_of_recompute (const HeddleDiagram *diagram, const HeddleRecompute *recompute)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, recompute->value);
  g_autofree char *reader = heddle_step_label_of_reader (diagram, recompute->column);

  return g_strdup_printf (_ ("Compute %s Again for %s"), label, reader);
}
