/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <math.h>

#include "cli/accounting.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/report/accounting.h"
#include "files/base/json.h"

/* --- making them --------------------------------------------------------------------- */

static gboolean
set_counts (HeddleAccounting *accounting, char **counts, const HeddleOptions *options, GError **error,
    HeddleExit *status)
{
  for (guint i = 0; counts != NULL && counts[i] != NULL; i++)
    {
      const char *text = "";
      g_autofree char *name = heddle_options_split (counts[i], &text);
      char *end = NULL;
      double number = g_ascii_strtod (text, &end);

      if (name == NULL || end == text || *end != '\0' || !isfinite (number))
        {
          *status = heddle_options_misused (options, _ ("--count %s: expected NAME=NUMBER"), counts[i]);
          return FALSE;
        }
      if (!heddle_accounting_set (accounting, name, number, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
evaluate (
    HeddleAccounting *accounting, const HeddleDerived *derived, const HeddleInput *input, GError **error)
{
  for (guint i = 0; i < derived->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derived->derivation->kernels, i);

      g_clear_error (error);
      if (heddle_accounting_evaluate (
              accounting, input->diagram, input->sizes, derived->machine, kernel, error))
        return TRUE;
    }
  return FALSE;
}

gboolean
heddle_accountings_new (GPtrArray **accountings, char **names, char **counts, const HeddleOptions *options,
    const HeddleDerived *derived, const HeddleInput *input, HeddleExit *status)
{
  *accountings = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_accounting_free);
  if (names == NULL && counts != NULL)
    {
      *status = heddle_options_misused (options, _ ("--count needs --accounting"));
      return FALSE;
    }
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      HeddleAccounting *accounting = heddle_accounting_find (names[i], &error);

      *status = HEDDLE_EXIT_WRONG;
      if (accounting == NULL)
        {
          g_printerr (_ ("error: %s\n"), error->message);
          return FALSE;
        }
      g_ptr_array_add (*accountings, accounting);
      if (set_counts (accounting, counts, options, &error, status)
          && evaluate (accounting, derived, input, &error))
        continue;
      if (error != NULL)
        *status = heddle_input_failed (input->path, error);
      return FALSE;
    }
  *status = HEDDLE_EXIT_DONE;
  return TRUE;
}

/* --- telling ------------------------------------------------------------------------- */

static void
quantity_json (JsonBuilder *json, const HeddleQuantity *quantity)
{
  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "name", quantity->name);
  heddle_json_text (json, "title", quantity->title);
  heddle_json_text (json, "unit", quantity->unit);
  heddle_json_text (json, "expression", quantity->text);
  heddle_json_double (json, "value", quantity->number);
  heddle_json_bool (json, "result", quantity->result);
  json_builder_end_object (json);
}

void
heddle_accountings_json (JsonBuilder *json, const GPtrArray *accountings)
{
  heddle_json_begin_array (json, "accountings");
  for (guint i = 0; i < accountings->len; i++)
    {
      const HeddleAccounting *accounting = g_ptr_array_index (accountings, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "name", accounting->name);
      heddle_json_text (json, "title", accounting->title);
      heddle_json_bool (json, "calibrated", accounting->kind == HEDDLE_ACCOUNTING_CALIBRATED);
      heddle_json_text (json, "source", accounting->source);
      heddle_json_text (json, "note", accounting->note);
      heddle_json_begin_array (json, "quantities");
      for (guint k = 0; k < accounting->quantities->len; k++)
        quantity_json (json, g_ptr_array_index (accounting->quantities, k));
      json_builder_end_array (json);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
print_quantity (const HeddleQuantity *quantity)
{
  g_print ("  %s %-18s %12.6g %-8s %s\n", quantity->result ? "=" : " ", quantity->name, quantity->number,
      quantity->unit != NULL ? quantity->unit : "", quantity->title);
  g_print ("    %-18s              %s\n", "", quantity->text);
}

void
heddle_accountings_print (const GPtrArray *accountings)
{
  for (guint i = 0; i < accountings->len; i++)
    {
      const HeddleAccounting *accounting = g_ptr_array_index (accountings, i);

      g_print (
          accounting->kind == HEDDLE_ACCOUNTING_CALIBRATED ? _ ("%s (calibrated, not predicted)\n") : "%s\n",
          accounting->title);
      for (guint k = 0; k < accounting->quantities->len; k++)
        print_quantity (g_ptr_array_index (accounting->quantities, k));
      if (accounting->note != NULL)
        g_print ("  %s\n", accounting->note);
      g_print (_ ("  source: %s\n"), accounting->source);
    }
}
