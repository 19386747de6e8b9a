/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <inttypes.h>

#include <glib/gi18n.h>

#include "app/derivation/step-title.h"

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
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (region->operations, i));
      const HeddleValue *value = operation ? heddle_diagram_get_value (diagram, operation->result) : NULL;

      if (value != NULL && value->name != NULL)
        g_string_append_printf (names, "%s%s", n++ ? ", " : "", value->name);
    }
  return n > 1 ? g_strdup_printf (_ ("Fuse %s"), names->str) : NULL;
}

char *
heddle_step_title_of_divisors (const char *reasons)
{
  g_auto (GStrv) words = g_strsplit (reasons, ",", -1);
  g_autofree char *list = g_strjoinv (", ", words);

  return g_strdup_printf (_ ("Tiles in Multiples for %s"), list);
}
