/* SPDX-License-Identifier: MIT */
#include "config.h"
#include <math.h>
#include <glib/gi18n-lib.h>
#include "diagram/graph/diagram-names.h"

const char *
heddle_axis_name (const HeddleDiagram *diagram, const char *axis_id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, axis_id);
  if (axis != NULL && axis->name != NULL)
    return axis->name;
  return axis_id != NULL ? axis_id : "?";
}

char *
heddle_axes_to_string (const HeddleDiagram *diagram, const GArray *axes)
{
  if (axes->len == 0)
    return g_strdup (_ ("no axis"));
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < axes->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? ", " : "", heddle_axis_name (diagram, heddle_ids_index (axes, i)));
  return g_string_free (text, FALSE);
}
