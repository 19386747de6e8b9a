/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-node.h"
#include "derive/program/loop-program.h"

/* Nodes of loop programs share what they have empty: whatever is derived, nothing is in it afterwards. */

static void
assert_empty (const HeddleNode *node)
{
  g_assert_cmpuint (node->children->len, ==, 0);
  g_assert_cmpuint (node->sources->len, ==, 0);
  g_assert_cmpuint (node->source_indices->len, ==, 0);
  g_assert_cmpuint (node->over->len, ==, 0);
}

/* A source of one node is none of another that was made before or is made after it. */
static void
test_sources (void)
{
  HeddleNode *before = heddle_node_new (HEDDLE_NODE_COMPUTE), *node = heddle_node_new (HEDDLE_NODE_COMPUTE),
             *after = NULL;
  const guint source = 7;

  g_assert_true (before->sources == node->sources && before->source_indices == node->source_indices);
  g_assert_true (before->children == node->children && before->over == node->over);
  heddle_node_own_sources (node);
  g_array_append_val (node->sources, source);
  g_ptr_array_add (node->source_indices, g_ptr_array_new ());
  after = heddle_node_new (HEDDLE_NODE_COMPUTE);
  assert_empty (before);
  assert_empty (after);
  heddle_node_free (node);
  heddle_node_free (before);
  assert_empty (after); /* what is freed with a node is its own */
  heddle_node_free (after);
}

/* A loop's statements are in it alone. */
static void
test_children (void)
{
  HeddleNode *outer = heddle_node_new (HEDDLE_NODE_BAND), *other = heddle_node_new (HEDDLE_NODE_BAND),
             *load = heddle_node_new (HEDDLE_NODE_LOAD);

  g_ptr_array_add (outer->children, load);
  g_assert_cmpuint (other->children->len, ==, 0);
  assert_empty (load);
  heddle_node_free (other);
  heddle_node_free (outer); /* and the load with it */
}

/* Counts the nodes that have something of their own. */
static guint
check_node (const HeddleNode *node, const HeddleNode *empty)
{
  guint n = node->sources->len > 0;

  g_assert_true ((node->sources->len == 0) == (node->sources == empty->sources));
  g_assert_true ((node->sources->len == 0) == (node->source_indices == empty->source_indices));
  g_assert_true ((node->kind == HEDDLE_NODE_BAND) == (node->children != empty->children));
  for (guint i = 0; i < node->children->len; i++)
    n += check_node (g_ptr_array_index (node->children, i), empty);
  return n;
}

static void
test_case (gconstpointer data)
{
  static const struct
  {
    const char *stream, *group;
  } sizes[] = { { NULL, NULL }, { "3", NULL }, { NULL, "2" }, { "3", "2" } };
  const Case *self = data;
  HeddleNode *empty = heddle_node_new (HEDDLE_NODE_COMPUTE);
  g_auto (GStrv) groups = g_strsplit (self->groups, " ", -1), streams = g_strsplit (self->streams, " ", -1);
  g_auto (Fixture) fixture = { 0 };
  guint n = 0;

  fixture_init (&fixture, self->text, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GString) labels = g_string_new (NULL);
      g_autoptr (HeddleDerivation) derivation = NULL;

      if (sizes[i].stream != NULL && streams[0] != NULL && *streams[0] != '\0')
        g_string_append_printf (labels, "%s:stream=%s ", streams[0], sizes[i].stream);
      if (sizes[i].group != NULL && groups[0] != NULL && *groups[0] != '\0'
          && g_strcmp0 (groups[0], streams[0]) != 0)
        g_string_append_printf (labels, "%s:group=%s", groups[0], sizes[i].group);
      derivation = fixture_derive_abstract (
          &fixture, self->fuse, g_strstrip (labels->str), 1000000, HEDDLE_COLUMNS_ALL, FALSE);
      for (guint k = 0; k < derivation->kernels->len; k++)
        if (fixture_kernel (derivation, k)->program != NULL)
          n += check_node (fixture_kernel (derivation, k)->program->root, empty);
    }
  g_assert_cmpuint (n, >, 0);
  assert_empty (empty);
  heddle_node_free (empty);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nodes/sources", test_sources);
  g_test_add_func ("/nodes/children", test_children);
  for (guint i = 0; i < n_cases; i++)
    {
      g_autofree char *path = g_strdup_printf ("/nodes/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
