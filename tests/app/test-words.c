/* SPDX-License-Identifier: MIT */

/* What goes into files in English is said in the person's language where it is shown. */

#include "config.h"

#include <libintl.h>
#include <locale.h>
#include <string.h>

#include "app/derivation/verification-words.h"

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
  return g_test_run ();
}
