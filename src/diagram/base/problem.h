/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

typedef enum
{
  HEDDLE_SEVERITY_WARNING,
  HEDDLE_SEVERITY_ERROR,
} HeddleSeverity;

/**
 * HeddleProblem: something wrong, and where: in the diagram (ids) and, when it was read from text, in the file.
 */
typedef struct
{
  HeddleSeverity severity;
  const char *diagram_id; /* or NULL */
  const char *object_id; /* the axis, value or operation; or NULL */
  char *file; /* or NULL */
  guint line, column; /* from 1; 0: unknown */
  char *message;
  char *remedy; /* or NULL */
  char *source_line; /* the text of the line, for the caret; or NULL */
  gboolean of_spelling; /* it is of a command that no label can set */
} HeddleProblem;

/* Makes a problem with a formatted message. @object_id (or NULL) is interned; the diagram, the place in
 * the file and the remedy are unset. The caller owns it. */
HeddleProblem *heddle_problem_new (HeddleSeverity severity, const char *object_id, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Frees the problem with its texts; ids are interned and stay. */
void heddle_problem_free (HeddleProblem *self);
/* Returns `file:line:col: error: message` and, where known, the source line and a caret under it (each ended
 * by \n). The text is newly allocated. */
char *heddle_problem_to_string (const HeddleProblem *self);
/* Returns whether one of the problems (of HeddleProblem) is an error and not merely a warning. */
gboolean heddle_problems_have_errors (GPtrArray *problems);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleProblem, heddle_problem_free)
