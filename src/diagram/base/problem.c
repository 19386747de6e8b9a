/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/problem.h"

HeddleProblem *
heddle_problem_new (HeddleSeverity severity, const char *object_id, const char *format, ...)
{
  HeddleProblem *self = g_new0 (HeddleProblem, 1);
  va_list arguments;
  va_start (arguments, format);
  self->message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->severity = severity;
  self->object_id = g_intern_string (object_id);
  return self;
}

void
heddle_problem_free (HeddleProblem *self)
{
  g_free (self->file);
  g_free (self->message);
  g_free (self->remedy);
  g_free (self->source_line);
  g_free (self);
}

/* Appends the line and a caret below its @column-th character; tabs stay tabs so that both lines have the
 * same width. */
static void
append_source (GString *text, const char *line, guint column)
{
  g_autofree char *clean = g_utf8_make_valid (line, -1);
  g_string_append_printf (text, "%s\n", clean);
  const char *p = clean;
  for (guint i = 1; i < column; i++)
    {
      g_string_append_c (text, *p == '\t' ? '\t' : ' ');
      if (*p != '\0')
        p = g_utf8_next_char (p);
    }
  g_string_append (text, "^\n");
}

char *
heddle_problem_to_string (const HeddleProblem *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *text = g_string_new (NULL);
  if (self->file != NULL)
    g_string_append_printf (text, "%s:", self->file);
  if (self->line > 0)
    g_string_append_printf (text, "%u:", self->line);
  if (self->line > 0 && self->column > 0)
    g_string_append_printf (text, "%u:", self->column);
  if (text->len > 0)
    g_string_append_c (text, ' ');
  g_string_append_printf (
      text, "%s: %s", self->severity == HEDDLE_SEVERITY_ERROR ? _ ("error") : _ ("warning"), self->message);
  if (self->remedy != NULL)
    g_string_append_printf (text, "; %s", self->remedy);
  g_string_append_c (text, '\n');
  if (self->source_line != NULL && self->column > 0)
    append_source (text, self->source_line, self->column);
  return g_string_free (text, FALSE);
}

gboolean
heddle_problems_have_errors (GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++)
    if (((HeddleProblem *) g_ptr_array_index (problems, i))->severity == HEDDLE_SEVERITY_ERROR)
      return TRUE;
  return FALSE;
}
