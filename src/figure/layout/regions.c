/* SPDX-License-Identifier: MIT */
#include "derive/kernel/derived-kernel.h"
#include "derive/program/loop-program.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/layout/lookup.h"
#include "figure/layout/regions.h"
#include "figure/layout/title-size.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"

#define TAG_SIZE 14.8 /* px */
#define TAG_SIDES 24.

/* A region is shown as one kernel: with a derivation its kernels, which have the labels in use; else the
 * regions of the schedule. */

static void
region_free (gpointer data)
{
  HeddleShownRegion *region = data;

  g_hash_table_unref (region->carriers);
  g_free (region->level);
  g_free (region);
}

/* A level above one GPU has no look of its own: the kernel is drawn as what it is on each. */
gboolean
heddle_level_is_drawn (const char *level)
{
  HeddleColor color;
  double width, dash[8];
  guint n_dashes;

  return heddle_level_style (level, HEDDLE_THEME_LIGHT, &color, &width, dash, &n_dashes);
}

static const char *
level_of (const GPtrArray *labels)
{
  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = labels->pdata[i];
      if (label->inactive == NULL && label->kind <= HEDDLE_LABEL_STREAM
          && heddle_level_is_drawn (label->level))
        return label->level;
    }
  return NULL;
}

/* Finds the operations that carry state from step to step, into @carriers. */
static void
find_carriers (const HeddleLoopProgram *program, const HeddleNode *node, GHashTable *carriers)
{
  if (node->kind == HEDDLE_NODE_COMPUTE && node->accumulate && node->operation != NULL
      && heddle_loop_program_get_buffer (program, node->buffer)->role == HEDDLE_BUFFER_STATE)
    g_hash_table_add (carriers, (gpointer) node->operation);
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    find_carriers (program, node->children->pdata[i], carriers);
}

gboolean
heddle_layout_carries (const HeddleLayout *self, const HeddleFigureNode *node)
{
  const HeddleShownRegion *region = heddle_layout_region (self, node->region);

  return region != NULL
         && (g_hash_table_contains (region->carriers, node->operation->id)
             || (node->attached != NULL && g_hash_table_contains (region->carriers, node->attached->id)));
}

static void
add_region (HeddleLayout *self, const char *id, const GArray *operations, const GPtrArray *labels,
    const HeddleKernel *kernel)
{
  HeddleShownRegion *region = g_new0 (HeddleShownRegion, 1);

  region->id = id;
  region->labels = labels;
  region->kernel = kernel;
  region->level = g_strdup (level_of (labels));
  if (region->level == NULL && self->figure->slim && operations->len > 1)
    region->level = g_strdup ("gmem");
  region->carriers = g_hash_table_new (NULL, NULL);
  if (kernel != NULL && kernel->program != NULL && kernel->program->root != NULL)
    find_carriers (kernel->program, kernel->program->root, region->carriers);
  region->first = G_MAXINT;
  region->last = -1;
  g_ptr_array_add (self->regions, region);
  for (guint i = 0; i < operations->len; i++)
    g_hash_table_insert (
        self->region_of, (gpointer) heddle_ids_index (operations, i), GUINT_TO_POINTER (self->regions->len));
}

void
heddle_layout_find_regions (HeddleLayout *self)
{
  const HeddleFigure *figure = self->figure;

  self->regions = g_ptr_array_new_with_free_func (region_free);
  if (figure->derivation != NULL)
    for (guint i = 0; i < figure->derivation->kernels->len; i++)
      {
        const HeddleKernel *kernel = figure->derivation->kernels->pdata[i];
        if (kernel->region_id != NULL || kernel->labels->len > 0)
          add_region (self, kernel->region_id, kernel->operations, kernel->labels, kernel);
      }
  else if (figure->schedule != NULL)
    for (guint i = 0; i < figure->schedule->regions->len; i++)
      {
        const HeddleRegion *region = figure->schedule->regions->pdata[i];
        add_region (self, region->id, region->operations, region->labels, NULL);
      }
}

/* Only what is shown: NULL for -1, for a region without labels, and where labels are not to be seen. */
HeddleShownRegion *
heddle_layout_region (const HeddleLayout *self, int region)
{
  if (region < 0 || !(self->figure->show & HEDDLE_SHOW_LABELS))
    return NULL;
  HeddleShownRegion *shown = self->regions->pdata[region];
  return shown->level != NULL ? shown : NULL;
}

/* The region in which a wire of the member begins that no wire brings the axis for, as behind a learned map: there its labels stand. */
const HeddleShownRegion *
heddle_layout_tags_within (const HeddleLayout *self, const HeddleMember *member, const HeddleStrand *strand)
{
  const int producer = member->start == HEDDLE_START_OPERATION ? member->producer : -1;
  const HeddleFigureNode *node = producer >= 0 ? heddle_layout_node (self, producer) : NULL;
  const HeddleShownRegion *region = node != NULL ? heddle_layout_region (self, node->region) : NULL;
  const HeddleStrand *made
      = region != NULL ? heddle_figure_node_find_result (node, member->value, strand->axis) : NULL;

  for (guint i = 0; made != NULL && made->fresh && i < region->labels->len; i++)
    {
      const HeddleLabel *label = region->labels->pdata[i];
      if (label->axis == strand->axis && label->kind <= HEDDLE_LABEL_STREAM)
        return region;
    }
  return NULL;
}

char *
heddle_layout_tag_text (const HeddleAxis *axis, const HeddleLabel *label)
{
  const char kind = label->kind == HEDDLE_LABEL_GROUP ? 'g' : 's';

  if (!heddle_level_is_drawn (label->level))
    return g_strdup_printf (
        "%c_{%s}^{\\mathit{%s}} = %" G_GINT64_FORMAT, kind, axis->name, label->level, label->size);
  return g_strdup_printf ("%c_{%s} = %" G_GINT64_FORMAT, kind, axis->name, label->size);
}

double
heddle_layout_tags_width (const HeddleLayout *self, const HeddleShownRegion *region, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, id);
  double width = 0.;

  for (guint i = 0; axis != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = region->labels->pdata[i];
      if (label->axis != id || label->kind > HEDDLE_LABEL_STREAM)
        continue;
      g_autofree char *text = heddle_layout_tag_text (axis, label);
      width += heddle_title_width (text, HEDDLE_FONT_MATH, TAG_SIZE) + TAG_SIDES;
    }
  return width;
}

double
heddle_layout_widest_tags_within (const HeddleLayout *self, const HeddleMember *member)
{
  double widest = 0.;

  for (guint i = 0; i < member->strands->len; i++)
    {
      const HeddleStrand *strand = heddle_strand (member->strands, i);
      const HeddleShownRegion *region = heddle_layout_tags_within (self, member, strand);

      if (region != NULL)
        widest = MAX (widest, heddle_layout_tags_width (self, region, strand->axis));
    }
  return widest;
}

double
heddle_layout_tags_x (const HeddleLayout *self, const HeddleMember *member)
{
  const HeddleColumn *column = heddle_layout_column (self, member->from);

  return column->after < G_MAXDOUBLE  ? column->after
         : column->tags < G_MAXDOUBLE ? column->tags
                                      : column->labels;
}

/* The region whose tint the member lies on at data column @t, or -1. */
int
heddle_layout_region_at (const HeddleLayout *self, const HeddleMember *member, int t)
{
  const int reader = member->reader >= 0 ? heddle_layout_node (self, member->reader)->region : -1;
  const int producer = member->producer >= 0 ? heddle_layout_node (self, member->producer)->region : -1;
  const HeddleShownRegion *region = heddle_layout_region (self, reader);

  if (region != NULL && t >= region->first)
    return reader;
  region = heddle_layout_region (self, producer);
  return region != NULL && t <= region->last + 1 ? producer : -1;
}
