/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "files/base/files.h"
#include "files/base/json.h"
#include "files/base/open.h"
#include "files/measure/bench-result.h"

/* A result is a few kilobytes. */
#define MOST_BYTES (1 << 24)
/* The greatest depth: there is an object in an array in an object. */
#define DEEPEST 8

/* --- writing ------------------------------------------------------------------------- */

static void
timing_json (JsonBuilder *json, const char *member, const HeddleTiming *timing)
{
  heddle_json_begin_object (json, member);
  heddle_json_text (json, "kernel", timing->kernel);
  heddle_json_double (json, "median_s", timing->median_s);
  heddle_json_double (json, "least_s", timing->least_s);
  heddle_json_double (json, "most_s", timing->most_s);
  heddle_json_double (json, "expected_s", timing->expected_s);
  json_builder_end_object (json);
}

char *
heddle_bench_write (const HeddlePlan *plan, const HeddleBench *bench)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  const HeddleRooflinePoint point = heddle_roofline_point (plan->derivation);

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "diagram", plan->diagram->name);
  heddle_json_text (json, "on", "gpu");
  heddle_json_text (json, "gpu", bench->gpu);
  heddle_json_text (json, "machine", plan->machine->name);
  heddle_json_text (json, "dtype", heddle_dtype_to_string (plan->dtype));
  heddle_json_text (json, "date", bench->date);
  heddle_json_double (json, "flops", plan->derivation->flops);
  heddle_json_int (json, "transfer_bytes", plan->derivation->transfer_bytes);
  if (point.memory != NULL)
    {
      heddle_json_text (json, "memory", point.memory);
      heddle_json_double (json, "memory_bytes", plan->derivation->flops / point.intensity);
    }
  heddle_json_int (json, "launches", bench->launches);
  heddle_json_int (json, "sets", bench->sets);
  heddle_json_begin_array (json, "kernels");
  for (guint i = 0; i < bench->timings->len; i++)
    timing_json (json, NULL, g_ptr_array_index (bench->timings, i));
  json_builder_end_array (json);
  timing_json (json, "total", &bench->total);
  json_builder_end_object (json);
  return heddle_json_to_text (json);
}

HeddleBenchResult *
heddle_bench_result_new (const HeddlePlan *plan, const HeddleBench *bench)
{
  const HeddleRooflinePoint point = heddle_roofline_point (plan->derivation);
  HeddleBenchResult *self = g_new0 (HeddleBenchResult, 1);

  self->diagram = g_strdup (plan->diagram->name);
  self->machine = g_strdup (plan->machine->name);
  self->gpu = g_strdup (bench->gpu);
  self->date = g_strdup (bench->date);
  self->dtype = plan->dtype;
  self->flops = plan->derivation->flops;
  self->memory = point.memory;
  self->bytes
      = point.memory != NULL ? self->flops / point.intensity : (double) plan->derivation->transfer_bytes;
  self->median_s = bench->total.median_s;
  self->least_s = bench->total.least_s;
  self->most_s = bench->total.most_s;
  return self;
}

/* --- reading ------------------------------------------------------------------------- */

static JsonNode *
find_member (JsonObject *object, const char *name)
{
  return object != NULL ? json_object_get_member (object, name) : NULL;
}

static JsonObject *
find_object (JsonObject *object, const char *name)
{
  JsonNode *node = find_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* Returns the text of a member, or "" if there is none. Newly allocated. */
static char *
read_text (JsonObject *object, const char *name)
{
  JsonNode *node = find_member (object, name);

  return g_strdup (
      node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
          ? json_node_get_string (node)
          : "");
}

/* Returns the number of a member, or 0 if there is none. */
static double
read_number (JsonObject *object, const char *name)
{
  JsonNode *node = find_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : 0.;
}

static HeddleBenchResult *
read_measurement (JsonObject *object, const char *path)
{
  JsonObject *total = find_object (object, "total");
  HeddleBenchResult *self = g_new0 (HeddleBenchResult, 1);
  g_autofree char *dtype = read_text (object, "dtype"), *memory = read_text (object, "memory");

  self->diagram = read_text (object, "diagram");
  self->machine = read_text (object, "machine");
  self->gpu = read_text (object, "gpu");
  self->date = read_text (object, "date");
  self->path = g_strdup (path);
  if (!heddle_dtype_from_string (dtype, &self->dtype))
    self->dtype = HEDDLE_DTYPE_UNSET;
  self->flops = read_number (object, "flops");
  self->bytes = read_number (object, "memory_bytes");
  if (self->bytes > 0. && *memory != '\0')
    self->memory = g_intern_string (memory);
  else
    self->bytes = read_number (object, "transfer_bytes");
  self->median_s = read_number (total, "median_s");
  self->least_s = read_number (total, "least_s");
  self->most_s = read_number (total, "most_s");
  return self;
}

static gboolean
is_complete (const HeddleBenchResult *self)
{
  return *self->gpu != '\0' && *self->machine != '\0' && *self->date != '\0' && self->flops > 0.
         && self->bytes > 0. && self->least_s > 0. && self->median_s >= self->least_s
         && self->most_s >= self->median_s && self->most_s < G_MAXDOUBLE;
}

HeddleBenchResult *
heddle_bench_result_read (const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (HeddleBenchResult) self = NULL;
  g_autofree char *data = NULL;
  gsize length;
  JsonNode *root = NULL;

  if (!heddle_file_read (path, MOST_BYTES, &data, &length, error))
    return NULL;
  if (heddle_json_is_shallow (data, length, DEEPEST)
      && json_parser_load_from_data (parser, data, (gssize) length, NULL))
    root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    self = read_measurement (json_node_get_object (root), path);
  if (self != NULL && is_complete (self))
    return g_steal_pointer (&self);
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
      _ ("“%s” is not a result of heddle bench --json, or lacks its date, its GPU or its counts"), path);
  return NULL;
}
