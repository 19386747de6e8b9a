/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <locale.h>
#include <string.h>

#include <glib.h>
#include <glib/gi18n.h>

#include "cli/cli.h"
#include "codegen/compile/nvrtc-worker.h"
#include "codegen/compile/compile.h"

#ifdef HEDDLE_HAVE_GUI
#include "app/application/application.h"
#endif

/* What a shell's reader expects of a usage error and of something missing on this machine. */
#define EXIT_USAGE 2
#define EXIT_MISSING 3

static void
set_up_locale (void)
{
  const char *localedir = g_getenv ("HEDDLE_LOCALEDIR");

  setlocale (LC_ALL, "");
  /* Files are the same bytes everywhere, with a point in their numbers. */
  setlocale (LC_NUMERIC, "C");
  bindtextdomain (GETTEXT_PACKAGE, localedir != NULL ? localedir : HEDDLE_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

/* --help and --version need no display, so that the command line answers them. */
static gboolean
is_for_the_command_line (const char *argument)
{
  static const char *const options[] = { "--help", "-h", "--version", NULL };

  return heddle_cli_is_command (argument) || g_strv_contains (options, argument);
}

/* `heddle chekc` is a slip of the pen, not a file to open: a bare word that names no file. */
static gboolean
is_unknown_command (const char *argument)
{
  return argument[0] != '-' && strpbrk (argument, "./:") == NULL
         && !g_file_test (argument, G_FILE_TEST_EXISTS);
}

int
main (int argc, char **argv)
{
  if (argc == 2 && g_str_equal (argv[1], HEDDLE_NVRTC_WORKER))
    return heddle_nvrtc_work ();
  heddle_nvrtc_set_program ("/proc/self/exe", NULL);
  set_up_locale ();

  if (argc > 1 && is_for_the_command_line (argv[1]))
    return heddle_cli_main (argc, argv);

  if (argc > 1 && is_unknown_command (argv[1]))
    {
      g_printerr (_ ("heddle: error: “%s” is neither a command nor a file; see heddle --help\n"), argv[1]);
      return EXIT_USAGE;
    }

#ifdef HEDDLE_HAVE_GUI
  return heddle_application_main (argc, argv);
#else
  g_printerr (
      _ ("heddle: error: this program was built without the editor (GTK 4, libadwaita and GtkSourceView "
         "were missing or disabled); the commands of heddle --help work\n"));
  return EXIT_MISSING;
#endif
}
