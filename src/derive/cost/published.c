/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/published.h"
#include "derive/machine/find.h"
#include "derive/machine/key-file.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SOURCE "Source"
#define SUFFIX ".measured"
#define MAX_SIZE 1e15

static const char *const kinds[HEDDLE_PUBLISHED_N_KINDS] = { "product", "attention", "decode", "row-softmax",
  "rmsnorm", "layernorm", "map", "copy", "reduce", "reread", "kernel" };
/* The sizes without which a kind says nothing. */
static const char *const needs[HEDDLE_PUBLISHED_N_KINDS][6] = { { "m", "n", "k" },
  { "batch", "heads", "queries", "keys", "head" }, { "batch", "heads", "queries", "keys", "head", "value" },
  { "rows", "columns" }, { "rows", "columns" }, { "rows", "columns" }, { "rows", "columns" }, { "elements" },
  { "elements" }, { "bytes" }, { NULL } };
static const char *const units[] = { "TFLOP/s", "GB/s", "s" };
static const char *const starts[] = { "stream", "graph", "events" };
static const char *const source_keys[] = { "Title", "Address", "Date", "Note", NULL };
static const char *const series_keys[]
    = { "GPU", "Kind", "Kernel", "Form", "Type", "Output", "Tile", "Threads", "Cluster", "Causal", "Note",
        "Sizes", "Vary", "At", "Value", "Unit", "Timing", "HeldOut", "Equations", "Labels", NULL };

const char *
heddle_published_kind_name (HeddlePublishedKind kind)
{
  g_return_val_if_fail (kind < HEDDLE_PUBLISHED_N_KINDS, NULL);

  return kinds[kind];
}

const char *
heddle_published_unit_name (HeddlePublishedUnit unit)
{
  g_return_val_if_fail (unit < G_N_ELEMENTS (units), NULL);

  return units[unit];
}

void
heddle_published_free (HeddlePublished *self)
{
  if (self == NULL)
    return;
  g_free (self->file);
  g_free (self->series);
  g_free (self->title);
  g_free (self->address);
  g_free (self->date);
  g_free (self->gpu);
  g_free (self->kernel);
  g_free (self->equations);
  g_strfreev (self->labels);
  g_clear_pointer (&self->sizes, g_array_unref);
  g_free (self);
}

double
heddle_published_size (const HeddlePublished *self, const char *name, double otherwise)
{
  g_return_val_if_fail (self != NULL && name != NULL, otherwise);

  for (guint i = 0; i < self->sizes->len; i++)
    {
      const HeddlePublishedSize *size = &g_array_index (self->sizes, HeddlePublishedSize, i);

      if (g_str_equal (size->name, name))
        return size->value;
    }
  return otherwise;
}

/* --- reading ------------------------------------------------------------------------------ */

/* Returns the position in @names of the key's value; 0 with an error if it is none of them. */
static guint
get_choice (HeddleKeyFile *reader, const char *group, const char *key, const char *const *names, guint n)
{
  g_autofree char *text = heddle_key_file_get_text (reader, group, key, TRUE);

  for (guint i = 0; text != NULL && i < n; i++)
    if (g_str_equal (text, names[i]))
      return i;
  if (text != NULL)
    heddle_key_file_fail (reader, group, key, _ ("“%s” is not one of the known ones"), text);
  return 0;
}

static char **
get_list (HeddleKeyFile *reader, const char *group, const char *key, gboolean required)
{
  char **list = heddle_key_file_get_list (reader, group, key, required);

  return list != NULL ? list : g_new0 (char *, 1);
}

static double
parse_number (HeddleKeyFile *reader, const char *group, const char *key, const char *text)
{
  char *end = NULL;
  double number = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0' || !isfinite (number) || number <= 0. || number > MAX_SIZE)
    heddle_key_file_fail (reader, group, key, _ ("“%s” is not a positive number"), text);
  return number;
}

static void
add_size (HeddlePublished *point, const char *name, double value)
{
  HeddlePublishedSize size = { g_intern_string (name), value };

  g_array_append_val (point->sizes, size);
}

static void
read_sizes (HeddleKeyFile *reader, const char *group, HeddlePublished *point)
{
  g_auto (GStrv) list = get_list (reader, group, "Sizes", FALSE);

  for (char **entry = list; *entry != NULL; entry++)
    {
      g_auto (GStrv) pair = g_strsplit (*entry, "=", 2);

      if (pair[0] == NULL || pair[1] == NULL)
        heddle_key_file_fail (reader, group, "Sizes", _ ("“%s” is not NAME=NUMBER"), *entry);
      else
        add_size (point, pair[0], parse_number (reader, group, "Sizes", pair[1]));
    }
}

static HeddleDtype
read_type (HeddleKeyFile *reader, const char *group, const char *key, HeddleDtype otherwise)
{
  g_autofree char *text = heddle_key_file_get_text (reader, group, key, FALSE);
  HeddleDtype type = otherwise;

  if (text != NULL && !heddle_dtype_from_string (text, &type))
    heddle_key_file_fail (reader, group, key, _ ("“%s” is not a data type"), text);
  return type;
}

static void
read_tile (HeddleKeyFile *reader, const char *group, HeddlePublished *point)
{
  g_auto (GStrv) list = get_list (reader, group, "Tile", FALSE);
  guint n = g_strv_length (list);

  if (n == 0)
    return;
  if (n != 2)
    heddle_key_file_fail (reader, group, "Tile", "%s", _ ("a tile has two sizes"));
  for (guint i = 0; i < MIN (n, 2u); i++)
    point->tile[i] = (guint) MIN (parse_number (reader, group, "Tile", list[i]), 1e6);
}

/* Returns the properties that all points of a series have. */
static HeddlePublished *
read_series (HeddleKeyFile *reader, const char *group)
{
  HeddlePublished *point = g_new0 (HeddlePublished, 1);
  g_autofree char *form = NULL;
  g_auto (GStrv) equations = NULL;

  point->sizes = g_array_new (FALSE, FALSE, sizeof (HeddlePublishedSize));
  point->file = g_path_get_basename (reader->path);
  point->series = g_strdup (group);
  point->title = heddle_key_file_get_text (reader, SOURCE, "Title", TRUE);
  point->address = heddle_key_file_get_text (reader, SOURCE, "Address", TRUE);
  point->date = heddle_key_file_get_text (reader, SOURCE, "Date", TRUE);
  point->gpu = heddle_key_file_get_text (reader, group, "GPU", TRUE);
  point->kernel = heddle_key_file_get_text (reader, group, "Kernel", TRUE);
  point->kind = (HeddlePublishedKind) get_choice (reader, group, "Kind", kinds, G_N_ELEMENTS (kinds));
  point->unit = (HeddlePublishedUnit) get_choice (reader, group, "Unit", units, G_N_ELEMENTS (units));
  point->start = (HeddleClockStart) get_choice (reader, group, "Timing", starts, G_N_ELEMENTS (starts));
  form = heddle_key_file_get_text (reader, group, "Form", point->kind != HEDDLE_PUBLISHED_KERNEL);
  equations = get_list (reader, group, "Equations", point->kind == HEDDLE_PUBLISHED_KERNEL);
  point->equations = *equations != NULL ? g_strjoinv ("\n", equations) : NULL;
  point->labels = get_list (reader, group, "Labels", FALSE);
  point->form = form != NULL ? heddle_clock_form_find (form) : NULL;
  if (form != NULL && point->form == NULL)
    heddle_key_file_fail (reader, group, "Form", _ ("there is no form “%s”"), form);
  point->type = read_type (reader, group, "Type", HEDDLE_DTYPE_F32);
  point->output = read_type (reader, group, "Output", point->type);
  point->threads = (guint) heddle_key_file_get_whole (reader, group, "Threads", FALSE, 1024.);
  point->cluster = (guint) heddle_key_file_get_whole (reader, group, "Cluster", FALSE, 16.);
  point->causal = heddle_key_file_get_flag (reader, group, "Causal");
  read_tile (reader, group, point);
  read_sizes (reader, group, point);
  return point;
}

static HeddlePublished *
copy_point (const HeddlePublished *from)
{
  HeddlePublished *point = g_memdup2 (from, sizeof *from);

  point->file = g_strdup (from->file);
  point->series = g_strdup (from->series);
  point->title = g_strdup (from->title);
  point->address = g_strdup (from->address);
  point->date = g_strdup (from->date);
  point->gpu = g_strdup (from->gpu);
  point->kernel = g_strdup (from->kernel);
  point->equations = g_strdup (from->equations);
  point->labels = g_strdupv (from->labels);
  point->sizes = g_array_copy (from->sizes);
  return point;
}

static void
check_sizes (HeddleKeyFile *reader, const char *group, const HeddlePublished *point)
{
  for (guint i = 0; i < G_N_ELEMENTS (needs[0]) && needs[point->kind][i] != NULL; i++)
    if (heddle_published_size (point, needs[point->kind][i], 0.) == 0.)
      heddle_key_file_fail (reader, group, "Sizes", _ ("the size “%s” is missing"), needs[point->kind][i]);
}

static void
add_point (HeddleKeyFile *reader, const char *group, const HeddlePublished *series, char **vary,
    const char *at, const char *value, const char *held_out, GPtrArray *points)
{
  g_autoptr (HeddlePublished) point = copy_point (series);
  g_auto (GStrv) places = g_strsplit (at, ",", -1);

  if (g_strv_length (places) != g_strv_length (vary))
    heddle_key_file_fail (
        reader, group, "At", _ ("“%s” does not have one number for each size that varies"), at);
  for (guint i = 0; reader->error == NULL && places[i] != NULL; i++)
    add_size (point, vary[i], parse_number (reader, group, "At", places[i]));
  point->value = parse_number (reader, group, "Value", value);
  point->held_out = g_str_equal (held_out, "true");
  if (!point->held_out && !g_str_equal (held_out, "false"))
    heddle_key_file_fail (reader, group, "HeldOut", _ ("“%s” is neither “true” nor “false”"), held_out);
  check_sizes (reader, group, point);
  if (reader->error == NULL)
    g_ptr_array_add (points, g_steal_pointer (&point));
}

static void
read_group (HeddleKeyFile *reader, const char *group, GPtrArray *points)
{
  g_autoptr (HeddlePublished) series = read_series (reader, group);
  gboolean varies
      = series->kind != HEDDLE_PUBLISHED_KERNEL || g_key_file_has_key (reader->file, group, "At", NULL);
  g_auto (GStrv) vary = get_list (reader, group, "Vary", varies);
  g_auto (GStrv) at = get_list (reader, group, "At", varies);
  g_auto (GStrv) values = get_list (reader, group, "Value", TRUE);
  g_auto (GStrv) held_out = get_list (reader, group, "HeldOut", TRUE);
  guint n = varies ? g_strv_length (at) : 1;

  heddle_key_file_check_keys (reader, group, series_keys, _ ("is not a key of a file of measurements"));
  if (n == 0 || g_strv_length (values) != n || g_strv_length (held_out) != n)
    heddle_key_file_fail (
        reader, group, "At", "%s", _ ("At, Value and HeldOut have as many entries as there are points"));
  for (guint i = 0; reader->error == NULL && i < n; i++)
    add_point (reader, group, series, vary, varies ? at[i] : "", values[i], held_out[i], points);
}

GPtrArray *
heddle_published_load_file (const char *path, GError **error)
{
  g_autoptr (HeddleKeyFile) reader = NULL;
  g_autoptr (GPtrArray) points = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_published_free);
  g_auto (GStrv) groups = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  reader = heddle_key_file_new (path, error);
  if (reader == NULL)
    return NULL;
  groups = g_key_file_get_groups (reader->file, NULL);
  heddle_key_file_check_keys (reader, SOURCE, source_keys, _ ("is not a key of a file of measurements"));
  for (char **group = groups; *group != NULL && reader->error == NULL; group++)
    if (!g_str_equal (*group, SOURCE))
      read_group (reader, *group, points);
  if (reader->error == NULL && points->len == 0)
    heddle_key_file_fail (reader, SOURCE, NULL, "%s", _ ("there is no measurement in the file"));
  if (reader->error == NULL)
    return g_steal_pointer (&points);
  g_propagate_error (error, g_steal_pointer (&reader->error));
  return NULL;
}

GPtrArray *
heddle_published_load (GPtrArray *problems)
{
  g_autofree char *directory = g_build_filename (heddle_data_directory (), "measured", NULL);
  g_autoptr (GPtrArray) paths = heddle_key_files_in (directory, SUFFIX);
  GPtrArray *points = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_published_free);

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) found = heddle_published_load_file (g_ptr_array_index (paths, i), &error);

      if (found != NULL)
        g_ptr_array_extend_and_steal (points, g_steal_pointer (&found));
      else if (problems != NULL)
        g_ptr_array_add (problems, g_strdup (error->message));
    }
  return points;
}
