/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/names.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

static void
test_identifiers (void)
{
  static const struct
  {
    const char *text, *identifier;
  } rows[] = { { "x", "x" }, { "\\bar x", "bar_x" }, { "c_{i}", "c_i" }, { "x'", "x_prime" },
    { "W_1", "W_1" }, { "3d", "v3d" }, { "\\alpha", "alpha" }, { "a  b", "a_b" }, { "", "v" }, { "ξ", "v" },
    { "__proto__", "proto" }, { "'", "prime" }, { "\"; system(\"x\")//", "system_x" },
    { "c_{*/ int y; /*}", "c_int_y" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *identifier = heddle_c_identifier (rows[i].text);

      g_assert_cmpstr (identifier, ==, rows[i].identifier);
    }
}

static void
test_functions (void)
{
  g_autofree char *plain = heddle_c_function ("attention"), *reserved = heddle_c_function ("double"),
                  *entry = heddle_c_function ("main"), *word = heddle_c_function ("static_cast");

  g_assert_cmpstr (plain, ==, "attention");
  g_assert_cmpstr (reserved, ==, "double_");
  g_assert_cmpstr (entry, ==, "main_");
  g_assert_cmpstr (word, ==, "static_cast_");
}

/* Asserts that no array gets the name of a function or a structure of the building blocks in @text, which would stand for
 * it within a kernel. */
static void
assert_reserved (const char *text)
{
  g_autoptr (GRegex) regex
      = g_regex_new ("^(?:([a-z]\\w*) \\(|(?:template <[^>]*> )?struct (?:alignas \\(\\d+\\) )?([A-Z]\\w*))",
          G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match);
       n++, g_match_info_next (match, NULL))
    {
      g_autofree char *function = g_match_info_fetch (match, 1), *structure = g_match_info_fetch (match, 2);
      const char *name = function != NULL && function[0] != '\0' ? function : structure;

      if (!heddle_names_is_reserved (name))
        g_error ("an array may be called %s", name);
    }
  g_assert_cmpuint (n, >, 0);
}

static void
test_building_blocks (void)
{
  static const char folder[] = "/io/github/heddle/Heddle/device/";
  g_auto (GStrv) files = g_resources_enumerate_children (folder, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_assert_nonnull (files);
  for (guint i = 0; files[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat (folder, files[i], NULL);
      g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

      if (g_str_has_suffix (files[i], ".cuh"))
        assert_reserved (text);
    }
}

/* A library that exports "read" would stand in for the one of the C library; one with "norm" is not compiled, as CUDA has it. */
static void
test_library_functions (void)
{
  static const char *const words[]
      = { "read", "write", "index", "time", "norm", "gamma", "select", "roundf", "sinl", NULL };

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *name = heddle_c_function (words[i]);
      g_autofree char *wanted = g_strconcat (words[i], "_", NULL);

      g_assert_cmpstr (name, ==, wanted);
    }
}

/* What no parameter of a launcher can be called. */
static void
test_words (void)
{
  static const char *const words[] = { "restrict", "static_cast", "wchar_t", "NULL", "INT_MAX", "linux" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_true (heddle_names_is_reserved (words[i]));
  g_assert_false (heddle_names_is_reserved ("read"));
}

/* Names that clash once they are identifiers, that C++ keeps or that kernels use, get numbers. */
static void
test_unique (void)
{
  HeddleDiagram *diagram = heddle_diagram_new ("test");
  const char *bar = heddle_diagram_add_axis (diagram, NULL, "\\bar x", NULL)->id;
  const char *flat = heddle_diagram_add_axis (diagram, NULL, "bar_x", NULL)->id;
  const char *loop = heddle_diagram_add_axis (diagram, NULL, "for", NULL)->id;
  const char *index = heddle_diagram_add_axis (diagram, NULL, "at", NULL)->id;
  const char *count = heddle_diagram_add_axis (diagram, NULL, "n_at", NULL)->id;
  g_autoptr (GArray) axes = heddle_ids_new ();
  const char *value
      = heddle_diagram_add_value (diagram, NULL, "load", HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_F32, axes)->id;
  g_autoptr (HeddleNames) names = heddle_names_new (diagram, NULL);

  g_assert_cmpstr (heddle_names_axis (names, bar), ==, "bar_x");
  g_assert_cmpstr (heddle_names_axis (names, flat), ==, "bar_x_2");
  g_assert_cmpstr (heddle_names_axis (names, loop), ==, "for_2");
  g_assert_cmpstr (heddle_names_axis (names, index), ==, "at_2");
  g_assert_cmpstr (heddle_names_axis (names, count), ==, "n_at");
  g_assert_cmpstr (heddle_names_value (names, value), ==, "load_2");
  g_assert_cmpstr (heddle_names_of_axis (names, bar, HEDDLE_NAME_TILE), ==, "TILE_bar_x");
  g_assert_cmpstr (heddle_names_of_axis (names, bar, HEDDLE_NAME_CHUNK), ==, "CHUNK_bar_x");
  g_assert_cmpstr (heddle_names_of_axis (names, bar, HEDDLE_NAME_BEGIN), ==, "bar_x_0");
  g_assert_cmpstr (heddle_names_of_axis (names, bar, HEDDLE_NAME_COUNT), ==, "n_bar_x");
  g_assert_cmpstr (heddle_names_of_axis (names, bar, HEDDLE_NAME_INDEX), ==, "i_bar_x");
  heddle_diagram_free (diagram);
}

/* A kernel's arrays have the plain names, its buffers their own where those are free. */
static void
test_buffers (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernel *kernel;
  g_autoptr (HeddleNames) names = NULL;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  case_init (&self,
      &(CaseOptions){ .text = ATTENTION, .fuse = "all", .labels = "y:group@smem=128 x:stream@smem=64" });
  kernel = g_ptr_array_index (self.plan->derivation->kernels, 0);
  names = heddle_names_new (self.diagram, kernel->program);
  for (guint i = 0; i < kernel->program->buffers->len; i++)
    g_assert_true (g_hash_table_add (seen, (gpointer) heddle_names_buffer (names, i)));
  for (const char *const *name
       = (const char *const[]){ "Q_tile", "K_tile", "V_tile", "S", "m", "l", "P", "o", NULL };
       *name != NULL; name++)
    g_assert_true (g_hash_table_contains (seen, *name));
  g_assert_cmpstr (heddle_names_value (names, heddle_diagram_find_value (self.diagram, "Q")->id), ==, "Q");
}

/* What an equation reads at indices is a kernel of its own, beside that which makes the equation's value: they have two names. */
static void
test_kernels (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self, &(CaseOptions){ .text = "X : f16[n=400, m=64]\nI : i64[t=256]\nW : f16[m, f=256]\n"
                                            "Y[t,f] = X[I[t],m] W[m,f]\n",
                        .gpu = "a100-80-sxm",
                        .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 2);
  g_assert_cmpstr (case_kernel (&self, 0)->entry, ==, "test_Y_kernel");
  g_assert_cmpstr (case_kernel (&self, 1)->entry, ==, "test_Y_2_kernel");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/names/identifiers", test_identifiers);
  g_test_add_func ("/names/functions", test_functions);
  g_test_add_func ("/names/library-functions", test_library_functions);
  g_test_add_func ("/names/building-blocks", test_building_blocks);
  g_test_add_func ("/names/words", test_words);
  g_test_add_func ("/names/unique", test_unique);
  g_test_add_func ("/names/buffers", test_buffers);
  g_test_add_func ("/names/kernels", test_kernels);
  return g_test_run ();
}
