/* SPDX-License-Identifier: MIT */

/* What goes into files in English is said in the person's language where it is shown. */

#include "config.h"

#include <libintl.h>
#include <locale.h>
#include <string.h>

#include "app/derivation/verification-words.h"
#include "app/widgets/format.h"

static void
assert_says (const char *line, const char *expected)
{
  g_autofree char *words = heddle_verification_words (line);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_verification (void)
{
  assert_says ("verified on the CPU, PTX interpreted: y=128 x=459, relative error 0.00027 of 0.002 allowed; "
               "y=128 x=464, relative error "
               "1.2e-05 of 0.002 allowed",
      "auf der CPU geprüft, PTX interpretiert: y=128 x=459, relativer Fehler 0.00027 von erlaubten 0.002; "
      "y=128 x=464, relativer Fehler "
      "1.2e-05 von erlaubten 0.002");
  assert_says ("verified on the CPU, PTX interpreted: each kernel on its own, on random values, relative "
               "error nan of 0.002 allowed",
      "auf der CPU geprüft, PTX interpretiert: jeder Kernel für sich, mit zufälligen Werten, relativer "
      "Fehler nan von erlaubten 0.002");
  assert_says (
      "NOT VERIFIED: no CUDA compiler here; its loop program was: n=7, relative error 0 of 1e-05 allowed",
      "NICHT GEPRÜFT: hier ist kein CUDA-Compiler; das Schleifenprogramm schon: n=7, relativer Fehler 0 von "
      "erlaubten 1e-05");
  assert_says ("NOT VERIFIED: of some other reason", "NICHT GEPRÜFT: of some other reason");
}

static void
assert_number (double value, int digits, const char *expected)
{
  g_autofree char *text = heddle_format_number (value, digits);

  g_assert_cmpstr (text, ==, expected);
}

/* As people write them: no exponent, no zeros that say nothing. */
static void
test_numbers (void)
{
  assert_number (1820.4, 3, "1820");
  assert_number (989.4, 3, "989");
  assert_number (999.6, 3, "1000");
  assert_number (5.5, 3, "5.5");
  assert_number (.3471, 3, "0.347");
  assert_number (100, 2, "100");
  assert_number (.00002, 3, "0.00002");
  assert_number (0, 3, "0");
}

int
main (int argc, char **argv)
{
  g_setenv ("LANGUAGE", "de", TRUE);
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, g_getenv ("HEDDLE_LOCALEDIR"));
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/words/verification", test_verification);
  g_test_add_func ("/words/numbers", test_numbers);
  return g_test_run ();
}
