/* SPDX-License-Identifier: MIT */
#include <locale.h>

#include "../diagram/random-diagram.h"
#include "diagram/graph/diagram.h"
#include "equations-case.h"

#define N_DIAGRAMS 400

/* Text must lose nothing of a diagram. */
static void
test_random (void)
{
  guint operations = 0;

  for (guint i = 0; i < N_DIAGRAMS; i++)
    {
      g_autoptr (HeddleDiagram) diagram = random_diagram (RANDOM_DIAGRAM_ANY, i);

      equations_assert_round_trip (diagram);
      operations += diagram->operations->len;
    }
  g_assert_cmpuint (operations, >, N_DIAGRAMS);
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations-random/round-trip", test_random);
  return g_test_run ();
}
