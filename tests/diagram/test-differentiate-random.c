/* SPDX-License-Identifier: MIT */
#include "differentiate-case.h"

#include <string.h>
#include "diagram/base/error.h"
#include "diagram/differentiate/differentiate.h"
#include "diagram/graph/diagram.h"

#define N_DIAGRAMS 400
#define MAX_OPERATIONS 6

/* Axes are letters, and a value's axes a set of them. */
#define LETTERS "abcw"
static const char axes_text[] = "a=3 b=4 c=3 w=2";

typedef struct
{
  GRand *rand;
  guint n_values;
  guint sets[MAX_OPERATIONS + 3]; /* of each value: bit i for letter i */
  char *lines[MAX_OPERATIONS + 1];
} Random;

static guint
pick (Random *self, guint n)
{
  return (guint) g_rand_int_range (self->rand, 0, (gint32) n);
}

static char *
letters_of (guint set)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; LETTERS[i] != '\0'; i++)
    if (set & 1u << i)
      g_string_append_printf (text, "%s%c", text->len > 0 ? " " : "", LETTERS[i]);
  return g_string_free (text, FALSE);
}

static guint
pick_bit (Random *self, guint set)
{
  guint i;

  do
    i = pick (self, strlen (LETTERS));
  while (!(set & 1u << i));
  return 1u << i;
}

static void
add_line (Random *self, const char *kind, guint set, const char *operands, const char *what)
{
  guint i = self->n_values - 2;
  g_autofree char *letters = letters_of (set);

  self->lines[i] = g_strdup_printf ("%s|V%u|%s|%s|%s", kind, self->n_values, letters, operands, what);
  self->sets[self->n_values++] = set;
}

static void
add_map (Random *self)
{
  static const char *const bodies[] = { "tanh($0)*$1", "$0 + $1", "$0*$1 - $0", "where($0 < $1, $0, 2*$1)",
    "exp(tanh($0)) + tanh($1)", "sigmoid($1) + 0.5*$0", "gelu($0 + $1)",
    "where(mod(index(w), 2) == 0, $0 + 1, tanh($1))", "where(index(w) < 1, 2*$1, $0)" };
  guint a = pick (self, self->n_values), b = pick (self, self->n_values);
  guint set = self->sets[a] | self->sets[b];
  guint n = G_N_ELEMENTS (bodies) - (set & 8u ? 0 : 2); /* the last two are of w */
  g_autofree char *operands = g_strdup_printf ("V%u V%u", a, b);

  add_line (self, "map", set, operands, bodies[pick (self, n)]);
}

static void
add_contraction (Random *self)
{
  guint a = pick (self, self->n_values), b = pick (self, self->n_values);
  guint all = self->sets[a] | self->sets[b], core = all & pick (self, 16);
  g_autofree char *operands = g_strdup_printf ("V%u V%u", a, b);
  g_autofree char *letters = letters_of (core);

  add_line (self, "contract", all & ~core, operands, letters);
}

static void
add_reduction (Random *self)
{
  static const char *const kinds[]
      = { "sum", "mean", "max", "min", "prod", "logsumexp", "softmax", "l2norm", "rmsnorm", "layernorm" };
  guint i = pick (self, G_N_ELEMENTS (kinds)), a = pick (self, self->n_values), core;
  g_autofree char *operand = g_strdup_printf ("V%u", a);
  g_autofree char *letters = NULL;
  g_autofree char *what = NULL;

  if (self->sets[a] == 0)
    return;
  core = pick_bit (self, self->sets[a]);
  letters = letters_of (core);
  what = g_strconcat (letters, i >= 7 ? "|0.5" : "", NULL);
  add_line (self, kinds[i], i >= 6 ? self->sets[a] : self->sets[a] & ~core, operand, what);
}

/* Each index is its own axis, another one, or one of either that may be outside. */
static void
add_read (Random *self)
{
  guint a = pick (self, self->n_values), set = 0;
  g_autofree char *operand = g_strdup_printf ("V%u", a);
  GString *indices = g_string_new (NULL);

  for (guint i = 0; LETTERS[i] != '\0'; i++)
    if (self->sets[a] & 1u << i)
      {
        guint way = pick (self, 6);
        guint j = way == 1 && i % 2 == 0 ? 2 - i : i; /* a and c are of one size */

        set |= 1u << j | (way == 4 ? 8u : 0u);
        g_string_append (indices, indices->len > 0 ? ";" : "");
        g_string_append_printf (indices,
            way == 3   ? "index(%c) - 1"
            : way == 4 ? "index(%c) + index(w) - 1"
                       : "index(%c)",
            LETTERS[j]);
      }
  if (self->sets[a] != 0)
    add_line (self, "reindex", set, operand, indices->str);
  g_string_free (indices, TRUE);
}

static HeddleDiagram *
random_diagram (guint seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Random self = { rand, 2, { 0 }, { NULL } };
  void (*const add[]) (Random *) = { add_map, add_map, add_contraction, add_reduction, add_read };
  g_autofree char *name = g_strdup_printf ("random-%u", seed);
  g_autofree char *inputs = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  DiagramText text = { name, axes_text, NULL, { NULL } };
  HeddleDiagram *diagram;

  self.sets[0] = 1 + pick (&self, 7);
  self.sets[1] = pick (&self, 8);
  first = letters_of (self.sets[0]);
  second = letters_of (self.sets[1]);
  inputs = g_strdup_printf ("V0 %s; V1%s%s", first, *second != '\0' ? " " : "", second);
  text.inputs = inputs;
  while (self.n_values < MAX_OPERATIONS + 2)
    add[pick (&self, G_N_ELEMENTS (add))](&self);
  for (guint i = 0; i < MAX_OPERATIONS; i++)
    text.operations[i] = self.lines[i];
  diagram = diagram_of (&text);
  if (g_test_verbose ())
    for (guint i = 0; i < MAX_OPERATIONS; i++)
      g_test_message ("%s", self.lines[i]);
  for (guint i = 0; i < MAX_OPERATIONS; i++)
    g_free (self.lines[i]);
  return diagram;
}

static gboolean
is_supported (const HeddleDiagram *diagram)
{
  g_autoptr (GPtrArray) wrt = g_ptr_array_new ();
  g_autoptr (HeddleDiagram) backward = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (wrt, (gpointer) "V0");
  g_ptr_array_add (wrt, (gpointer) "V1");
  backward = heddle_diagram_differentiate (diagram, wrt, &error);
  if (error != NULL)
    g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED);
  return backward != NULL;
}

/* Diagrams that read outside in all sorts of ways are differentiated rightly or refused. */
static void
test_random (void)
{
  guint n_compared = 0;

  for (guint seed = 0; seed < N_DIAGRAMS; seed++)
    {
      g_autoptr (HeddleDiagram) diagram = random_diagram (seed);

      if (is_supported (diagram))
        n_compared += assert_differences_agree (diagram, seed);
    }
  g_assert_cmpuint (n_compared, >, N_DIAGRAMS / 2);
}

/* Where a choice between two values jumps, the difference is as large as the step is small: nothing of the derivative is wrong there. */
static void
test_jump (void)
{
  g_autoptr (HeddleDiagram) diagram = random_diagram (5747);

  g_assert_true (is_supported (diagram));
  g_assert_true (assert_differences_agree (diagram, 5747));
}

/* What a sum left out does not come back, be it of the operand or of the others. */
static void
test_left_out (void)
{
  g_autoptr (HeddleDiagram) diagram = random_diagram (1010);

  g_assert_true (is_supported (diagram));
  g_assert_true (assert_differences_agree (diagram, 1010));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/differentiate/random", test_random);
  g_test_add_func ("/differentiate/jump", test_jump);
  g_test_add_func ("/differentiate/left-out", test_left_out);
  return g_test_run ();
}
