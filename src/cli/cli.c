/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "cli/cli.h"
#include "cli/command.h"
#include "cli/output.h"

static const HeddleCommand *const commands[] = {
  &heddle_command_check,
  &heddle_command_equations,
  &heddle_command_diff,
  &heddle_command_rewrite,
  &heddle_command_import,
  &heddle_command_evaluate,
  &heddle_command_export,
  &heddle_command_gpus,
  &heddle_command_differentiate,
  &heddle_command_derive,
  &heddle_command_compare,
  &heddle_command_optimise,
  &heddle_command_pseudocode,
  &heddle_command_compile,
  &heddle_command_verify,
  &heddle_command_bench,
  &heddle_command_measure,
  &heddle_command_accuracy,
  &heddle_command_thumbnail,
};

static const HeddleCommand *
find_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i]->name, name))
      return commands[i];
  return NULL;
}

gboolean
heddle_cli_is_command (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return find_command (name) != NULL;
}

static void
print_help (void)
{
  g_print (_ ("Usage:\n"
              "  heddle [FILE…]            Open windows\n"
              "  heddle COMMAND [OPTION…]  Work without a display\n"
              "\n"
              "Commands:\n"));
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_print ("  %-13s %s\n", commands[i]->name, _ (commands[i]->summary));
  g_print (_ ("\n“heddle COMMAND --help” lists the options of a command.\nExit status: 0 done, 1 the input "
              "is wrong or a check failed, 2 wrong use, 3 something is missing here.\n"));
}

static HeddleExit
run_command (int argc, char **argv)
{
  const HeddleCommand *command = find_command (argv[1]);

  if (command != NULL)
    return command->run (argc - 1, argv + 1);
  if (g_str_equal (argv[1], "--version"))
    g_print ("heddle %s\n", HEDDLE_VERSION);
  else if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h"))
    print_help ();
  else
    {
      g_printerr (_ ("heddle: error: “%s” is not a command; see heddle --help\n"), argv[1]);
      return HEDDLE_EXIT_USAGE;
    }
  return HEDDLE_EXIT_DONE;
}

int
heddle_cli_main (int argc, char **argv)
{
  g_return_val_if_fail (argc > 1, HEDDLE_EXIT_USAGE);

  heddle_output_begin ();
  return (int) heddle_output_end (run_command (argc, argv));
}
