/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include <glib/gi18n.h>

#include "cli/derive-shard.h"
#include "derive/derivation/derive.h"
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/graph/diagram.h"
#include "files/base/json.h"

/* This file prints what several GPUs pass to one another, as text and as JSON. */

static const HeddleLink *
link_of (const HeddleDerived *self, guint l)
{
  return g_ptr_array_index (self->machine->links, l);
}

/* Returns the layout of a value as "f@node" if it lies in pieces; "" if each GPU has it whole. */
static char *
layout_text (const HeddleDerived *self, const HeddleDiagram *diagram, const HeddleShardLayout *layout)
{
  GString *text = g_string_new (NULL);

  for (guint l = 0; l < self->derivation->sharding->n_links; l++)
    if (layout->how[l] == HEDDLE_SPREAD_SPLIT)
      g_string_append_printf (text, "%s%s@%s", text->len > 0 ? ", " : "",
          heddle_derived_axis_name (diagram, layout->axis[l]), link_of (self, l)->name);
  return g_string_free (text, FALSE);
}

/* Returns the segment that follows a collective; NULL if that is the last. */
static const HeddleShardSegment *
segment_after (const HeddleSharding *sharding, guint i)
{
  while (++i < sharding->steps->len)
    {
      const HeddleShardStep *step = g_ptr_array_index (sharding->steps, i);

      if (step->segment != NULL)
        return step->segment;
    }
  return NULL;
}

static char *
first_value (const HeddleSharding *sharding, const HeddleShardSegment *segment)
{
  const HeddleOperation *operation = g_ptr_array_index (segment->diagram->operations, 0);

  return heddle_diagram_value_label (
      sharding->diagram, heddle_diagram_statement_of (sharding->diagram, operation->id));
}

/* --- text ------------------------------------------------------------------------------ */

static void
print_layouts (
    const HeddleDerived *self, const HeddleDiagram *diagram, GHashTable *layouts, const char *title)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      const HeddleShardLayout *layout = g_hash_table_lookup (layouts, value->id);
      g_autofree char *name = heddle_diagram_value_label (diagram, value->id);
      g_autofree char *text = layout != NULL ? layout_text (self, diagram, layout) : NULL;

      if (text != NULL)
        g_print ("  %-14s %s: %s\n", title, name, *text != '\0' ? text : _ ("whole on each GPU"));
    }
}

static void
print_collective (const HeddleDerived *self, const HeddleDiagram *diagram, guint i)
{
  const HeddleSharding *sharding = self->derivation->sharding;
  const HeddleShardStep *step = g_ptr_array_index (sharding->steps, i);
  const HeddleShardSegment *after = segment_after (sharding, i);
  g_autofree char *name = heddle_diagram_value_label (diagram, step->value);
  g_autofree char *next = after != NULL ? first_value (sharding, after) : NULL;

  g_print (_ ("  %-14s %s over %s (%u GPUs)%s%s: %" PRId64 " bytes, each sends %.15g, %.4g µs%s%s\n"),
      heddle_collective_to_string (step->kind), name, link_of (self, step->link)->name,
      sharding->ways[step->link], step->axis != NULL ? _ (" along ") : "",
      step->axis != NULL ? heddle_derived_axis_name (diagram, step->axis) : "", step->bytes, step->sent_bytes,
      step->seconds * 1e6, next != NULL ? _ (", before ") : "", next != NULL ? next : "");
}

static void
print_links (const HeddleDerived *self)
{
  g_autoptr (GArray) traffic = heddle_sharding_traffic (self->derivation->sharding);

  for (guint i = 0; i < traffic->len; i++)
    {
      const HeddleLinkTraffic *sum = &g_array_index (traffic, HeddleLinkTraffic, i);
      const HeddleLink *link = link_of (self, sum->link);

      g_print (_ ("  %-14s %u GPUs at %.4g GB/s (%s): each sends %.15g bytes, %.4g µs\n"), link->name,
          self->derivation->sharding->ways[sum->link], link->bandwidth / 1e9, link->title, sum->sent_bytes,
          sum->seconds * 1e6);
    }
}

void
heddle_derived_print_shards (const HeddleDerived *self)
{
  const HeddleSharding *sharding = self->derivation->sharding;
  const HeddleDiagram *diagram = sharding != NULL ? sharding->diagram : NULL;

  if (sharding == NULL)
    return;
  g_print (_ ("above GMEM: %u GPUs; kernels and totals are those of one of them\n"), sharding->gpus);
  print_layouts (self, diagram, sharding->given, _ ("given"));
  for (guint i = 0; i < sharding->steps->len; i++)
    if (((const HeddleShardStep *) g_ptr_array_index (sharding->steps, i))->segment == NULL)
      print_collective (self, diagram, i);
  print_layouts (self, diagram, sharding->left, _ ("left"));
  print_links (self);
  g_print (_ ("  sent by each   %.15g bytes, %.4g µs, in series with the kernels: %.4g µs expected in all\n"),
      sharding->sent_bytes, sharding->seconds * 1e6, self->derivation->expected_s * 1e6);
}

/* --- JSON ------------------------------------------------------------------------------ */

static void
layouts_json (JsonBuilder *json, const HeddleDerived *self, const HeddleDiagram *diagram, const char *member,
    GHashTable *layouts)
{
  heddle_json_begin_array (json, member);
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      const HeddleShardLayout *layout = g_hash_table_lookup (layouts, value->id);
      g_autofree char *name = heddle_diagram_value_label (diagram, value->id);

      if (layout == NULL)
        continue;
      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "value", name);
      heddle_json_begin_array (json, "pieces");
      for (guint l = 0; l < self->derivation->sharding->n_links; l++)
        if (layout->how[l] == HEDDLE_SPREAD_SPLIT)
          {
            heddle_json_begin_object (json, NULL);
            heddle_json_text (json, "axis", heddle_derived_axis_name (diagram, layout->axis[l]));
            heddle_json_text (json, "level", link_of (self, l)->name);
            json_builder_end_object (json);
          }
      json_builder_end_array (json);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
collective_json (JsonBuilder *json, const HeddleDerived *self, const HeddleDiagram *diagram, guint i)
{
  const HeddleSharding *sharding = self->derivation->sharding;
  const HeddleShardStep *step = g_ptr_array_index (sharding->steps, i);
  const HeddleShardSegment *after = segment_after (sharding, i);
  g_autofree char *name = heddle_diagram_value_label (diagram, step->value);
  g_autofree char *next = after != NULL ? first_value (sharding, after) : NULL;

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "kind", heddle_collective_to_string (step->kind));
  heddle_json_text (json, "value", name);
  heddle_json_text (json, "level", link_of (self, step->link)->name);
  heddle_json_int (json, "gpus", sharding->ways[step->link]);
  heddle_json_text (json, "axis", step->axis != NULL ? heddle_derived_axis_name (diagram, step->axis) : NULL);
  heddle_json_int (json, "bytes", step->bytes);
  heddle_json_double (json, "sent_bytes", step->sent_bytes);
  heddle_json_double (json, "seconds", step->seconds);
  heddle_json_text (json, "before", next);
  json_builder_end_object (json);
}

static void
links_json (JsonBuilder *json, const HeddleDerived *self)
{
  g_autoptr (GArray) traffic = heddle_sharding_traffic (self->derivation->sharding);

  heddle_json_begin_array (json, "links");
  for (guint i = 0; i < traffic->len; i++)
    {
      const HeddleLinkTraffic *sum = &g_array_index (traffic, HeddleLinkTraffic, i);
      const HeddleLink *link = link_of (self, sum->link);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "level", link->name);
      heddle_json_int (json, "gpus", self->derivation->sharding->ways[sum->link]);
      heddle_json_double (json, "bandwidth", link->bandwidth);
      heddle_json_double (json, "sent_bytes", sum->sent_bytes);
      heddle_json_double (json, "seconds", sum->seconds);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

void
heddle_derived_shards_json (JsonBuilder *json, const HeddleDerived *self)
{
  const HeddleSharding *sharding = self->derivation->sharding;
  const HeddleDiagram *diagram = sharding != NULL ? sharding->diagram : NULL;

  if (sharding == NULL)
    return;
  heddle_json_begin_object (json, "sharding");
  heddle_json_int (json, "gpus", sharding->gpus);
  layouts_json (json, self, diagram, "given", sharding->given);
  heddle_json_begin_array (json, "collectives");
  for (guint i = 0; i < sharding->steps->len; i++)
    if (((const HeddleShardStep *) g_ptr_array_index (sharding->steps, i))->segment == NULL)
      collective_json (json, self, diagram, i);
  json_builder_end_array (json);
  layouts_json (json, self, diagram, "left", sharding->left);
  links_json (json, self);
  heddle_json_double (json, "sent_bytes", sharding->sent_bytes);
  heddle_json_double (json, "seconds", sharding->seconds);
  json_builder_end_object (json);
}
