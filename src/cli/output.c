/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>

#include <glib/gi18n.h>

#include "cli/output.h"
#include "diagram/base/quote.h"

static int problem; /* the first error of writing what is printed; 0 if there was none */

/* Prints a text in which names of files from strangers are words, not orders to the terminal. Returns whether it
 * arrived. */
static gboolean
print_visible (const char *text, FILE *stream)
{
  g_autofree char *visible = heddle_quote_visible (text, TRUE), *local = NULL;
  const char *charset;

  if (!g_get_console_charset (&charset))
    local = g_convert_with_fallback (visible, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  return fputs (local != NULL ? local : visible, stream) != EOF && fflush (stream) == 0;
}

static void
print_out (const char *text)
{
  if (!print_visible (text, stdout) && problem == 0)
    problem = errno;
}

static void
print_error (const char *text)
{
  print_visible (text, stderr);
}

void
heddle_output_begin (void)
{
  g_set_print_handler (print_out);
  g_set_printerr_handler (print_error);
}

void
heddle_output_print (const char *text)
{
  g_return_if_fail (text != NULL);

  if ((fputs (text, stdout) == EOF || fflush (stdout) != 0) && problem == 0)
    problem = errno;
}

HeddleExit
heddle_output_end (HeddleExit status)
{
  if (problem == 0)
    return status;
  g_printerr (_ ("heddle: error: what was printed could not be written: %s\n"), g_strerror (problem));
  return status == HEDDLE_EXIT_DONE ? HEDDLE_EXIT_WRONG : status;
}
