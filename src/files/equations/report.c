/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/equations/report.h"

/* A caret helps where the line can be seen. */
#define LONGEST_SHOWN 400

void
heddle_eq_place (const HeddleEqLine *line, guint column, HeddleProblem *problem)
{
  g_free (problem->file);
  problem->file = g_strdup (line->report->file_name);
  problem->line = line->number;
  problem->column = column;
  g_clear_pointer (&problem->source_line, g_free);
  if (line->length <= LONGEST_SHOWN)
    problem->source_line = g_strndup (line->text, line->length);
}

static void
add (HeddleEqLine *line, guint column, HeddleSeverity severity, const char *message)
{
  HeddleProblem *problem = heddle_problem_new (severity, NULL, "%s", message);

  heddle_eq_place (line, column, problem);
  g_ptr_array_add (line->report->problems, problem);
}

void
heddle_eq_error (HeddleEqLine *line, guint column, const char *format, ...)
{
  HeddleEqReport *report = line->report;
  g_autofree char *message = NULL;
  va_list arguments;

  line->n_errors++;
  report->n_errors++;
  if (report->problems == NULL || report->n_errors > HEDDLE_EQ_MAX_ERRORS)
    return;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add (line, column, HEDDLE_SEVERITY_ERROR, message);
  if (report->n_errors == HEDDLE_EQ_MAX_ERRORS)
    add (line, column, HEDDLE_SEVERITY_ERROR, _ ("there are more errors; these are the first"));
}

void
heddle_eq_warning (HeddleEqLine *line, guint column, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  if (line->report->problems == NULL || line->report->problems->len > HEDDLE_EQ_MAX_ERRORS)
    return;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add (line, column, HEDDLE_SEVERITY_WARNING, message);
}
