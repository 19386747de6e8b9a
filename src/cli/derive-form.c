/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "cli/derivation.h"
#include "cli/derive-form.h"
#include "derive/cost/canonical.h"
#include "derive/cost/hierarchy.h"
#include "derive/cost/level-cost.h"
#include "derive/report/symbols.h"
#include "diagram/expression/print.h"
#include "files/base/json.h"

/* Returns a term as "4*q*x*d^2 / (M - 128)^0.5": the powers of M are written apart, as they are what
 * matters. */
static char *
term_text (const HeddleDiagram *diagram, const HeddleCanonical *form, const HeddleCanonicalTerm *term)
{
  g_autofree char *alpha = heddle_costs_symbolic (diagram, term->symbolic);
  g_autofree char *memory = form->held > 0. ? g_strdup_printf ("(M - %.15g)", form->held) : g_strdup ("M");

  gboolean sum = strchr (alpha, '+') != NULL;

  if (term->beta == 0.)
    return g_steal_pointer (&alpha);
  return g_strdup_printf (term->beta == 1. ? "%s%s%s/%s" : "%s%s%s/%s^%g", sum ? "(" : "", alpha,
      sum ? ")" : "", memory, term->beta);
}

static char *
form_text (const HeddleDiagram *diagram, const HeddleCanonical *form)
{
  g_autoptr (GString) text = g_string_new (form->terms->len > 0 ? "H* = " : "H* = 0");

  for (guint i = form->terms->len; i-- > 0;)
    {
      g_autofree char *term = term_text (diagram, form, g_ptr_array_index (form->terms, i));

      g_string_append_printf (text, "%s%s", i + 1 < form->terms->len ? " + " : "", term);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- energy -------------------------------------------------------------------------- */

/* Returns whether something crosses the memory. */
static gboolean
is_crossed (const HeddleMachine *machine, const HeddleKernel *kernel, guint i)
{
  const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

  for (guint k = 0; k < kernel->levels->len; k++)
    if (g_str_equal (((HeddleLevelCost *) g_ptr_array_index (kernel->levels, k))->level, level->name))
      return TRUE;
  return i == 0 || level->cache;
}

/* Returns the memories whose energy per byte the machine's file does not give (with @known: does give). */
static GPtrArray *
levels_of_energy (const HeddleMachine *machine, const HeddleKernel *kernel, gboolean known)
{
  GPtrArray *levels = g_ptr_array_new ();

  for (guint i = 0; i < machine->levels->len; i++)
    {
      HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (is_crossed (machine, kernel, i) && (level->joules_per_byte > 0.) == known)
        g_ptr_array_add (levels, level);
    }
  return levels;
}

static void
energy_json (JsonBuilder *json, const HeddleMachine *machine, const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) known = levels_of_energy (machine, kernel, TRUE),
                        unknown = levels_of_energy (machine, kernel, FALSE);

  heddle_json_begin_object (json, "energy");
  heddle_json_double (json, "joules", known->len > 0 ? kernel->joules : NAN);
  heddle_json_begin_array (json, "unknown");
  for (guint i = 0; i < unknown->len; i++)
    json_builder_add_string_value (json, ((HeddleLevel *) g_ptr_array_index (unknown, i))->name);
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static char *
titles_of (const GPtrArray *levels)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < levels->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? ", " : "", ((HeddleLevel *) g_ptr_array_index (levels, i))->title);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
print_energy (const HeddleMachine *machine, const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) known = levels_of_energy (machine, kernel, TRUE),
                        unknown = levels_of_energy (machine, kernel, FALSE);
  g_autofree char *of = titles_of (known), *not_of = titles_of (unknown);

  if (known->len == 0)
    return;
  if (unknown->len == 0)
    g_print (_ ("  energy    %.4g mJ\n"), kernel->joules * 1e3);
  else
    g_print (_ ("  energy    %.4g mJ in %s; not known of %s\n"), kernel->joules * 1e3, of, not_of);
}

/* --- the hierarchy ------------------------------------------------------------------- */

static void
hierarchy_json (JsonBuilder *json, const HeddleMachine *machine, const HeddleCanonical *form)
{
  g_autoptr (GArray) rows = heddle_canonical_hierarchy (form, machine);

  heddle_json_begin_array (json, "levels");
  for (guint i = 0; i < rows->len; i++)
    {
      const HeddleHierarchyRow *row = &g_array_index (rows, HeddleHierarchyRow, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "level", row->level);
      heddle_json_double (json, "capacity", row->capacity);
      heddle_json_double (json, "transfers", row->transfers);
      heddle_json_bool (json, "clamped", row->clamped);
      heddle_json_double (json, "transfers_outputs_kept_below", row->kept_transfers);
      heddle_json_double (json, "bandwidth_bytes_per_s", row->bandwidth > 0. ? row->bandwidth : NAN);
      heddle_json_double (json, "seconds", row->seconds > 0. ? row->seconds : NAN);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

/* Prints one line for each level, and the sum of the times of those whose bandwidth is known. */
static void
print_hierarchy (const HeddleMachine *machine, const HeddleCanonical *form)
{
  g_autoptr (GArray) rows = heddle_canonical_hierarchy (form, machine);
  const char *unit = heddle_machine_is_abstract (machine) ? _ ("elements") : _ ("bytes");
  double total = 0.;

  for (guint i = 0; i < rows->len; i++)
    {
      const HeddleHierarchyRow *row = &g_array_index (rows, HeddleHierarchyRow, i);

      g_print (_ ("  into %-20s %14.0f %s%s"), row->title, row->transfers, unit,
          row->clamped ? _ (" (all of it, once)") : "");
      if (isfinite (row->kept_transfers))
        g_print (_ (", %.0f with the outputs kept below"), row->kept_transfers);
      if (row->seconds > 0.)
        g_print (_ (", %.4g µs"), row->seconds * 1e6);
      g_print ("\n");
      total += row->seconds;
    }
  if (total > 0.)
    g_print (_ ("  levels in series %.4g µs\n"), total * 1e6);
}

/* --- the form ------------------------------------------------------------------------ */

static void
terms_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleCanonical *form)
{
  heddle_json_begin_array (json, "terms");
  for (guint i = 0; i < form->terms->len; i++)
    {
      const HeddleCanonicalTerm *term = g_ptr_array_index (form->terms, i);
      g_autofree char *alpha = heddle_costs_symbolic (diagram, term->symbolic);

      heddle_json_begin_object (json, NULL);
      heddle_json_double (json, "alpha", term->alpha);
      heddle_json_double (json, "alpha_bytes", term->alpha_bytes);
      heddle_json_double (json, "beta", term->beta);
      heddle_json_double (json, "bytes_per_value_exponent", 1. + term->beta);
      heddle_json_text (json, "alpha_symbolic", alpha);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

/* Returns whether the form is exact. Counts beyond 64 bits stay at their largest number, and so does what is
 * computed from them: the form, and times by it. */
static gboolean
is_exact (const HeddleCanonical *form)
{
  const double most = (double) G_MAXINT64;

  for (guint i = 0; i < form->terms->len; i++)
    if (((const HeddleCanonicalTerm *) g_ptr_array_index (form->terms, i))->alpha >= most)
      return FALSE;
  return form->compulsory < most && form->compulsory_bytes < most;
}

void
heddle_form_json (
    JsonBuilder *json, const HeddleDiagram *diagram, const HeddleMachine *machine, const HeddleKernel *kernel)
{
  const HeddleCanonical *form = kernel->canonical;

  if (form == NULL)
    return;
  heddle_json_begin_object (json, "form");
  heddle_json_bool (json, "holds", form->reason == NULL);
  heddle_json_bool (json, "exact", is_exact (form));
  heddle_json_text (json, "reason", form->reason);
  if (form->reason == NULL)
    {
      terms_json (json, diagram, form);
      heddle_json_double (json, "held_whole_elements", form->held);
      heddle_json_double (json, "least_memory_elements", form->least);
      heddle_json_double (json, "most_memory_elements", form->most);
      heddle_json_double (json, "most_memory_bytes", form->most_bytes);
      hierarchy_json (json, machine, form);
    }
  heddle_json_double (json, "compulsory_elements", form->compulsory);
  heddle_json_double (json, "compulsory_bytes", form->compulsory_bytes);
  json_builder_end_object (json);
  if (!heddle_machine_is_abstract (machine))
    energy_json (json, machine, kernel);
}

void
heddle_form_print (const HeddleDiagram *diagram, const HeddleMachine *machine, const HeddleKernel *kernel,
    gboolean hierarchy)
{
  const HeddleCanonical *form = kernel->canonical;
  g_autofree char *text = form != NULL && form->reason == NULL ? form_text (diagram, form) : NULL;

  if (form == NULL)
    return;
  if (text == NULL)
    g_print (_ ("  form      no sum of powers of M. %s\n"), form->reason);
  else if (isfinite (form->most) && form->least >= form->most)
    g_print (_ ("  form      %s values would need M well above %.0f, but from M = %.0f on all is moved once: "
                "%.0f\n"),
        text, form->least, form->most, form->compulsory);
  else if (isfinite (form->most) && form->least > 0.)
    g_print (_ ("  form      %s values, for M well above %.0f and up to %.0f; beyond, %.0f\n"), text,
        form->least, form->most, form->compulsory);
  else if (isfinite (form->most))
    g_print (
        _ ("  form      %s values, for M up to %.0f; beyond, %.0f\n"), text, form->most, form->compulsory);
  else
    g_print (_ ("  form      %s values\n"), text);
  if (!is_exact (form))
    g_print (
        _ ("  form      not exact: a count is beyond 64 bits; the numbers here and the times of memories are "
           "lower bounds\n"));
  if (hierarchy && text != NULL)
    print_hierarchy (machine, form);
  if (!heddle_machine_is_abstract (machine))
    print_energy (machine, kernel);
}
