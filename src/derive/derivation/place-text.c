/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/place-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The command line's way to say where values are. */

static gboolean
fail (GError **error, const char *text, char *why)
{
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
      _ ("place “%s”: %s; a place is VALUE[:READER]@LEVEL"), text, why);
  g_free (why);
  return FALSE;
}

/* Sets the place of every operation of the reader's statement that reads the value, and returns how many
 * there are. */
static guint
set_columns (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleValue *value,
    const HeddleValue *reader, const char *level)
{
  g_autoptr (GPtrArray) statement = heddle_diagram_statement_operations (diagram, reader->id);
  guint n = 0;

  for (guint i = 0; i < statement->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (statement, i);

      if (!heddle_ids_contain (operation->operands, value->id))
        continue;
      heddle_schedule_set_residency (schedule, value->id, operation->id, level);
      n++;
    }
  return n;
}

gboolean
heddle_schedule_add_place_text (HeddleSchedule *schedule, const HeddleDiagram *diagram,
    const HeddleMachine *machine, const char *text, GError **error)
{
  const char *sign = strrchr (text, '@'), *colon;
  g_autofree char *name = sign != NULL ? g_strndup (text, (gsize) (sign - text)) : NULL, *column = NULL;
  const HeddleValue *value, *reader = NULL;

  g_return_val_if_fail (schedule != NULL && diagram != NULL && machine != NULL && text != NULL, FALSE);

  if (sign == NULL || sign == text || sign[1] == '\0')
    return fail (error, text, g_strdup (_ ("it has no value or no level")));
  value = heddle_diagram_find_value (diagram, name);
  colon = strrchr (name, ':');
  if (value == NULL && colon != NULL)
    {
      column = g_strdup (colon + 1);
      name[colon - name] = '\0';
      value = heddle_diagram_find_value (diagram, name);
      reader = heddle_diagram_find_value (diagram, column);
    }
  if (value == NULL || (column != NULL && reader == NULL))
    return fail (error, text, g_strdup_printf (_ ("there is no array “%s”"), value == NULL ? name : column));
  if (heddle_machine_find_level (machine, sign + 1) < 0)
    return fail (error, text, g_strdup_printf (_ ("%s has no memory level “%s”"), machine->title, sign + 1));
  if (column == NULL)
    heddle_schedule_set_residency (schedule, value->id, NULL, sign + 1);
  else if (set_columns (schedule, diagram, value, reader, sign + 1) == 0)
    return fail (error, text, g_strdup_printf (_ ("%s does not read %s"), column, name));
  return TRUE;
}

static gboolean
fail_recompute (GError **error, const char *text, char *why)
{
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
      _ ("recompute “%s”: %s; a recomputed value is written VALUE:READER"), text, why);
  g_free (why);
  return FALSE;
}

gboolean
heddle_schedule_add_recompute_text (
    HeddleSchedule *schedule, const HeddleDiagram *diagram, const char *text, GError **error)
{
  const char *colon = strrchr (text, ':');
  g_autofree char *name = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : NULL;
  const HeddleValue *value, *reader;
  const HeddleOperation *column;

  g_return_val_if_fail (schedule != NULL && diagram != NULL && text != NULL, FALSE);

  if (colon == NULL)
    return fail_recompute (error, text, g_strdup (_ ("it has no reader")));
  value = heddle_diagram_find_value (diagram, name);
  reader = heddle_diagram_find_value (diagram, colon + 1);
  if (value == NULL || reader == NULL)
    return fail_recompute (
        error, text, g_strdup_printf (_ ("there is no array “%s”"), value == NULL ? name : colon + 1));
  column = heddle_diagram_get_producer (diagram, reader->id);
  if (heddle_diagram_get_producer (diagram, value->id) == NULL || column == NULL)
    return fail_recompute (error, text, g_strdup (_ ("inputs are given, not computed")));
  heddle_schedule_set_recomputed (schedule, value->id, column->id, TRUE);
  return TRUE;
}
