/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/evaluate/memory.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

/* Returns the number of elements as a double, which does not overflow. */
static double
elements_of (const HeddleSizes *sizes, const HeddleValue *value)
{
  double elements = 1.;

  for (guint i = 0; i < value->axes->len; i++)
    elements *= (double) heddle_sizes_get (sizes, heddle_ids_index (value->axes, i));
  return elements;
}

/* Returns the least number of elements that must be held at once. */
static double
most_held (const HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleHeld held)
{
  double all = 0., given = 0., largest = 0.;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      double elements = elements_of (sizes, value);

      all += elements;
      if (value->role == HEDDLE_ROLE_INPUT || value->role == HEDDLE_ROLE_PARAMETER)
        given += elements;
      else
        largest = MAX (largest, elements);
    }
  if (held == HEDDLE_HELD_ALL)
    return all;
  return held == HEDDLE_HELD_GIVEN ? given : given + largest;
}

gboolean
heddle_evaluate_check_memory (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleHeld held, GError **error)
{
  double bytes = most_held (diagram, sizes, held) * sizeof (double);
  double memory = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  g_autofree char *needed = NULL, *there = NULL;

  if (bytes <= memory)
    return TRUE;
  needed = g_format_size ((guint64) MIN (bytes, 1e18));
  there = g_format_size ((guint64) memory);
  g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_LIMIT,
      _ ("its arrays take %s in f64 at these sizes, and this machine has %s of memory"), needed, there);
  return FALSE;
}
