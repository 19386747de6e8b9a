/* SPDX-License-Identifier: MIT */
#include "diagram/check/report.h"

void
heddle_check_report (
    HeddleCheck *self, HeddleSeverity severity, const char *object_id, char *remedy, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  HeddleProblem *problem = heddle_problem_new (severity, object_id, "%s", message);
  problem->diagram_id = self->diagram->id;
  problem->remedy = remedy;
  g_ptr_array_add (self->problems, problem);
}
