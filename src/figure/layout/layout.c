/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/operation.h"
#include "figure/layout/bends.h"
#include "figure/layout/blocks.h"
#include "figure/layout/box.h"
#include "figure/layout/columns.h"
#include "figure/layout/figure-node.h"
#include "figure/layout/graph.h"
#include "figure/layout/layout.h"
#include "figure/layout/lines.h"
#include "figure/layout/naming.h"
#include "figure/layout/regions.h"
#include "figure/layout/rows.h"
#include "figure/layout/shapes.h"
#include "figure/layout/weave.h"

static GHashTable *
index_nudges (const HeddlePresentation *presentation)
{
  GHashTable *nudges = g_hash_table_new (NULL, NULL);

  for (guint i = 0; presentation != NULL && i < presentation->nudges->len; i++)
    {
      HeddleNudge *nudge = &g_array_index (presentation->nudges, HeddleNudge, i);
      g_hash_table_insert (nudges, (gpointer) nudge->object, nudge);
    }
  return nudges;
}

static void
assign_regions (HeddleLayout *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      HeddleFigureNode *node = heddle_layout_node (self, i);
      node->region = GPOINTER_TO_INT (g_hash_table_lookup (self->region_of, node->operation->id)) - 1;
      if (node->region < 0)
        continue;
      HeddleShownRegion *region = self->regions->pdata[node->region];
      region->first = MIN (region->first, node->stage);
      region->last = MAX (region->last, node->stage);
    }
}

static GHashTable *
index_outputs (const HeddleDiagram *diagram)
{
  GHashTable *ids = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);

  for (guint i = 0; i < outputs->len; i++)
    g_hash_table_add (ids, (gpointer) heddle_ids_index (outputs, i));
  return ids;
}

/* Nobody took their names away. */
static GHashTable *
find_named_inputs (const HeddleLayout *self)
{
  GHashTable *ids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const char *id = ((const HeddleValue *) self->diagram->values->pdata[i])->id;
      g_autofree char *label = heddle_layout_value_label (self, id);
      if (heddle_diagram_get_producer (self->diagram, id) == NULL && *label != '\0'
          && !g_str_equal (label, "{}"))
        g_hash_table_add (ids, (gpointer) id);
    }
  return ids;
}

/* All places, for painting. */
HeddleLayout *
heddle_layout_new (const HeddleFigure *figure)
{
  HeddleLayout *self = g_new0 (HeddleLayout, 1);

  self->figure = figure;
  self->diagram = figure->diagram;
  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_figure_node_free);
  self->node_of = g_hash_table_new (NULL, NULL);
  self->outputs = index_outputs (figure->diagram);
  self->region_of = g_hash_table_new (NULL, NULL);
  self->inlined = g_hash_table_new (NULL, NULL);
  self->nudges = index_nudges (figure->presentation);
  self->lines = g_array_new (FALSE, FALSE, sizeof (HeddleLine));
  self->constraints = g_array_new (FALSE, FALSE, sizeof (HeddleConstraint));
  self->columns = g_array_new (FALSE, TRUE, sizeof (HeddleColumn));
  heddle_layout_find_regions (self);
  heddle_layout_make_nodes (self);
  self->named_inputs = find_named_inputs (self);
  heddle_layout_build_graph (self);
  assign_regions (self);
  self->blocks = heddle_layout_find_blocks (self);
  heddle_layout_weave (self);
  heddle_layout_choose_names (self);
  heddle_layout_solve_rows (self);
  heddle_layout_place_boxes (self);
  heddle_layout_place_columns (self);
  heddle_layout_place_shapes (self);
  heddle_layout_place_bends (self);
  heddle_layout_place_blocks (self, heddle_layout_wrap_width (self) > 0.);
  return self;
}

void
heddle_layout_free (HeddleLayout *self)
{
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->members);
  g_ptr_array_unref (self->live);
  g_ptr_array_unref (self->stages);
  g_ptr_array_unref (self->regions);
  g_ptr_array_unref (self->blocks);
  g_hash_table_unref (self->node_of);
  g_hash_table_unref (self->outputs);
  g_hash_table_unref (self->region_of);
  g_hash_table_unref (self->inlined);
  g_hash_table_unref (self->named_inputs);
  g_hash_table_unref (self->nudges);
  g_array_unref (self->lines);
  g_array_unref (self->constraints);
  g_array_unref (self->columns);
  g_free (self);
}
