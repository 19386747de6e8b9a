/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/problem.h"
#include "diagram/check/form.h"
#include "diagram/check/report.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation-table.h"

/* The signatures of concatenations, scans and selections. */
typedef struct
{
  HeddleCheck *check;
  const HeddleOperation *operation;
  const HeddleValue *result;
  const char *label;
} Subject;

#define complain(self, remedy, ...)                                                                          \
  heddle_check_report ((self)->check, HEDDLE_SEVERITY_ERROR, (self)->operation->id, remedy, __VA_ARGS__)

static const HeddleValue *
operand (const Subject *self, guint i)
{
  return heddle_diagram_get_value (self->check->diagram, heddle_ids_index (self->operation->operands, i));
}

static gboolean
expect_core (const Subject *self, guint n)
{
  if (self->operation->axes->len == n)
    return TRUE;
  complain (self, NULL,
      g_dngettext (GETTEXT_PACKAGE, "%s of %s works along %u axis", "%s of %s works along %u axes", n),
      _ (self->operation->kind->title), self->label, n);
  return FALSE;
}

static void
expect_axes (const Subject *self, const GArray *expected)
{
  gboolean same = expected->len == self->result->axes->len;
  g_autofree char *wanted = heddle_axes_to_string (self->check->diagram, expected);
  g_autofree char *found = heddle_axes_to_string (self->check->diagram, self->result->axes);

  for (guint i = 0; i < expected->len; i++)
    same = same && heddle_ids_contain (self->result->axes, heddle_ids_index (expected, i));
  if (!same)
    complain (self, g_strdup_printf (_ ("give %s the axes %s"), self->label, wanted),
        _ ("%s has the axes %s, but its %s makes %s"), self->label, found, _ (self->operation->kind->title),
        wanted);
}

/* --- concatenation ------------------------------------------------------------------------- */

static gboolean
has_one_own (const Subject *self, const HeddleValue *value)
{
  guint own = 0;

  for (guint i = 0; i < value->axes->len; i++)
    own += !heddle_ids_contain (self->result->axes, heddle_ids_index (value->axes, i));
  return own == 1 && value->axes->len == self->result->axes->len;
}

static void
check_concat (const Subject *self)
{
  const char *along;

  if (!expect_core (self, 1))
    return;
  along = heddle_ids_index (self->operation->axes, 0);
  if (!heddle_ids_contain (self->result->axes, along))
    complain (self, NULL, _ ("%s joins arrays along %s, but is not along it itself"), self->label,
        heddle_axis_name (self->check->diagram, along));
  for (guint i = 0; i < self->operation->operands->len; i++)
    if (!has_one_own (self, operand (self, i)) || heddle_ids_contain (operand (self, i)->axes, along))
      {
        g_autofree char *label = heddle_diagram_value_label (self->check->diagram, operand (self, i)->id);

        complain (self, NULL, _ ("%s has to have the axes of %s, but for one of its own in the place of %s"),
            label, self->label, heddle_axis_name (self->check->diagram, along));
      }
}

/* --- the others -------------------------------------------------------------------------------- */

static GArray *
all_axes (const Subject *self)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < self->operation->operands->len; i++)
    for (guint j = 0; j < operand (self, i)->axes->len; j++)
      if (!heddle_ids_contain (axes, heddle_ids_index (operand (self, i)->axes, j)))
        heddle_ids_append (axes, heddle_ids_index (operand (self, i)->axes, j));
  return axes;
}

static gboolean
expect_along (const Subject *self, const GArray *axes, const char *axis, gboolean there)
{
  g_autofree char *found = heddle_axes_to_string (self->check->diagram, axes);

  if (heddle_ids_contain (axes, axis) == there)
    return TRUE;
  if (there)
    complain (self, g_strdup_printf (_ ("choose one of its axes: %s"), found),
        _ ("%s of %s works along %s, but what it reads has %s"), _ (self->operation->kind->title),
        self->label, heddle_axis_name (self->check->diagram, axis), found);
  else
    complain (self, NULL, _ ("%s of %s makes the axis %s, which what it reads has already"),
        _ (self->operation->kind->title), self->label, heddle_axis_name (self->check->diagram, axis));
  return FALSE;
}

static void
check_scan (const Subject *self)
{
  g_autoptr (GArray) axes = all_axes (self);

  if (expect_core (self, 1) && expect_along (self, axes, heddle_ids_index (self->operation->axes, 0), TRUE))
    expect_axes (self, axes);
}

static void
check_select (const Subject *self)
{
  g_autoptr (GArray) axes = all_axes (self);
  const char *from, *rank;

  if (!expect_core (self, 2))
    return;
  from = heddle_ids_index (self->operation->axes, 0);
  rank = heddle_ids_index (self->operation->axes, 1);
  if (!expect_along (self, axes, from, TRUE) || !expect_along (self, axes, rank, FALSE))
    return;
  g_array_remove_index (axes, (guint) heddle_ids_find (axes, from));
  heddle_ids_append (axes, rank);
  expect_axes (self, axes);
}

void
heddle_check_form (
    HeddleCheck *check, const HeddleOperation *operation, const HeddleValue *result, const char *label)
{
  Subject self = { check, operation, result, label };

  if (operation->kind->form == HEDDLE_FORM_CONCAT)
    check_concat (&self);
  else if (operation->kind->form == HEDDLE_FORM_SCAN)
    check_scan (&self);
  else
    check_select (&self);
}
