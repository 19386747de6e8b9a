/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/kernels.h"
#include "cli/options.h"
#include "cli/watch.h"
#include "codegen/base/codegen.h"
#include "codegen/base/kernel-audit.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/plan/plan.h"
#include "files/base/json.h"

static void
print_audit_json (JsonBuilder *json, const HeddleCompilation *compilation)
{
  const HeddleAudit *audit = &compilation->audit;

  if (!compilation->audited)
    return;
  heddle_json_int (json, "instructions", audit->instructions);
  heddle_json_int (json, "tensor_instructions", audit->products);
  heddle_json_int (json, "loop_instructions", audit->loop_instructions);
  heddle_json_int (json, "loop_tensor_instructions", audit->loop_products);
  heddle_json_int (json, "loop_spills", audit->loop_spills);
  heddle_json_int (json, "spills_in_loops", audit->spills_in_loops);
}

static void
print_json (const HeddlePlan *plan, GPtrArray *compilations)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_begin_array (json, "kernels");
  for (guint i = 0; i < compilations->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);
      const HeddleCompilation *compilation = g_ptr_array_index (compilations, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "name", text->name);
      heddle_json_text (json, "arch", text->arch);
      heddle_json_int (json, "registers", compilation->registers);
      heddle_json_int (json, "shared_bytes", compilation->shared_bytes);
      heddle_json_int (json, "spill_bytes", compilation->spill_bytes);
      heddle_json_int (json, "local_bytes", compilation->local_bytes);
      heddle_json_double (json, "milliseconds", compilation->milliseconds);
      heddle_json_text (json, "compiler", compilation->compiler);
      heddle_json_text (json, "family", heddle_family_to_string (text->family));
      if (text->family_reason != NULL)
        heddle_json_text (json, "family_reason", text->family_reason);
      if (text->family_choice != NULL)
        heddle_json_text (json, "family_choice", text->family_choice);
      print_audit_json (json, compilation);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

/* Prints what keeps a kernel with products from a faster family. */
static void
print_reason (const HeddleKernelText *text)
{
  if (text->family_choice != NULL)
    g_print ("%-20s %s\n", "", text->family_choice);
  if (text->family_reason == NULL)
    return;
  if (text->family == HEDDLE_FAMILY_GENERAL)
    g_print (_ ("%-20s not on the tensor core: %s\n"), "", text->family_reason);
  else
    g_print (_ ("%-20s slower than it could be: %s\n"), "", text->family_reason);
}

static void
print_table (const HeddlePlan *plan, GPtrArray *compilations)
{
  g_print (_ ("%-20s %-8s %-8s %9s %12s %8s %8s %10s\n"), _ ("kernel"), _ ("arch"), _ ("family"),
      _ ("registers"), _ ("shared bytes"), _ ("spilled"), _ ("local"), _ ("ms"));
  for (guint i = 0; i < compilations->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, i);
      const HeddleCompilation *compilation = g_ptr_array_index (compilations, i);

      g_print ("%-20s %-8s %-8s %9d %12" G_GINT64_FORMAT " %8" G_GINT64_FORMAT " %8" G_GINT64_FORMAT
               " %10.1f\n",
          text->name, text->arch, heddle_family_to_string (text->family), compilation->registers,
          compilation->shared_bytes, compilation->spill_bytes, compilation->local_bytes,
          compilation->milliseconds);
      if (compilation->audited && compilation->audit.loop_products > 0)
        g_print (_ ("%-20s main loop: %u tensor-core instructions, %.2f instructions for each, %u spilled\n"),
            "", compilation->audit.loop_products,
            (double) compilation->audit.loop_instructions / compilation->audit.loop_products,
            compilation->audit.loop_spills);
      print_reason (text);
    }
}

/* Compiles each kernel into @compilations. A signal meanwhile ends the compiler too. */
static gboolean
compile_all (const HeddlePlan *plan, GPtrArray *compilations, GError **error)
{
  HeddleWatch watch;
  gboolean compiled = TRUE;

  heddle_watch_begin (&watch);
  for (guint i = 0; compiled && i < plan->texts->len; i++)
    {
      HeddleCompilation *compilation
          = heddle_compile (g_ptr_array_index (plan->texts, i), watch.cancellable, error);

      compiled = compilation != NULL;
      if (compiled)
        g_ptr_array_add (compilations, compilation);
    }
  heddle_watch_end (&watch);
  return compiled;
}

static HeddleExit
compile (const HeddleDerivationOptions *how, const HeddleOptions *options, const char *path)
{
  g_auto (HeddleInput) input = { NULL };
  g_autoptr (HeddlePlan) plan = NULL;
  g_autoptr (GPtrArray) compilations
      = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_compilation_free);
  g_autoptr (GError) error = NULL;
  HeddleExit status;

  if (!heddle_input_open (&input, options, path, &status))
    return status;
  plan = heddle_kernels_plan (how, options, &input, &status);
  if (plan == NULL)
    return status;
  if (!compile_all (plan, compilations, &error))
    return heddle_input_failed (path, error);
  if (options->json)
    print_json (plan, compilations);
  else
    print_table (plan, compilations);
  return HEDDLE_EXIT_DONE;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_auto (HeddleDerivationOptions) how = { NULL };
  const GOptionEntry entries[]
      = { HEDDLE_DERIVATION_ENTRIES (how), HEDDLE_FAMILY_ENTRY (how.family), { NULL } };
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &options, _ ("FILE"), heddle_command_compile.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&options);
  return path != NULL ? compile (&how, &options, path) : HEDDLE_EXIT_USAGE;
}

const HeddleCommand heddle_command_compile = {
  .name = "compile",
  .summary = N_ ("Compile the kernels: registers, shared memory, spills"),
  .run = run,
};
