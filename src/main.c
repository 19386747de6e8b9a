/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <locale.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gi18n.h>
#include <libxml/xmlmemory.h>

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

/* Opens what is closed of input, output and errors, in the wrong direction so that using it fails: a file that
 * is written would take its place, and get what is printed. */
static void
set_up_streams (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 && errno == EBADF)
      open ("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  /* A file that may not be as long is an error of writing, after which nothing is left beside it. */
  signal (SIGXFSZ, SIG_IGN);
}

/* --- memory ------------------------------------------------------------------------- */

static const char *no_memory; /* in the language of the person, as nothing may be allocated when it is said */

/* Ends the program where GLib finds no memory: a sentence in the place of a trap. Files are written beside
 * their places, so that what is there stays. */
static void
end_without_memory (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (strstr (message, "failed to allocate") == NULL)
    {
      g_log_default_handler (domain, level, message, data);
      return;
    }
  if (write (STDERR_FILENO, no_memory, strlen (no_memory)) < 0)
    _exit (EXIT_MISSING);
  _exit (EXIT_MISSING);
}

static void *
allocate (size_t size)
{
  return g_malloc (MAX (size, 1));
}

static void *
reallocate (void *block, size_t size)
{
  return g_realloc (block, MAX (size, 1));
}

/* Lets libxml2 find memory as all else does, before anything uses it: where it finds none it leaves out a part
 * of a file, or crashes. */
static void
set_up_memory (void)
{
  no_memory = _ ("heddle: error: there is not enough memory\n");
  g_log_set_handler (
      "GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, end_without_memory, NULL);
  xmlMemSetup (g_free, allocate, reallocate, g_strdup);
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
  set_up_streams ();
  set_up_locale ();
  set_up_memory ();

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
