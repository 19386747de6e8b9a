/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "files/files.h"
#include "files/onnx/import.h"
#include "files/onnx/onnx.h"

/* What running graphs within nodes may come to, in nodes, and in what is known around them; and what may be known there. */
#define MOST_RUN 20000
#define MOST_COPIED 1000000
#define MOST_AROUND 8000
#define DEEPEST_CALLS 16
/* A size that the model leaves open and nobody gave. */
#define ASSUMED_SIZE 2
/* Larger sizes make no array that anyone has. */
#define LARGEST_SIZE (G_GINT64_CONSTANT (1) << 40)

typedef struct
{
  HeddleImport import;
  GHashTable *sizes; /* given, or NULL */
  GHashTable *named_axes; /* name of a size -> axis + 1 */
  const HeddleOnnxNode *call; /* of the function whose nodes are run; or NULL */
  guint depth; /* of functions in one another */
  guint n_copied; /* what was known around graphs within nodes */
  HeddleOnnxReport *report;
} Importer;

/* --- types ------------------------------------------------------------------------------------ */

static gboolean
is_whole (int type)
{
  return type == HEDDLE_ONNX_INT64 || type == HEDDLE_ONNX_INT32;
}

/* Whole numbers are words, one after another. */
static const char *
usual_name (int type, guint rank, guint i)
{
  static const char *const names[][4] = {
    { "i" },
    { "n", "m" },
    { "n", "s", "m" },
    { "n", "c", "h", "w" },
  };

  if (is_whole (type) && rank <= 2)
    return i + 1 == rank ? "s" : "n";
  return rank >= 1 && rank <= 4 ? names[rank - 1][i] : i == 0 ? "n" : i == 1 ? "c" : "i";
}

static gint64
size_of (Importer *self, const HeddleOnnxDim *dim)
{
  const gint64 *given
      = dim->name != NULL && self->sizes != NULL ? g_hash_table_lookup (self->sizes, dim->name) : NULL;

  if (dim->size >= 0)
    return dim->size;
  return given != NULL ? *given : ASSUMED_SIZE;
}

static HeddleDim
dim_of (Importer *self, const HeddleOnnxDim *dim, int type, guint rank, guint i)
{
  HeddleSketch *sketch = self->import.sketch;
  HeddleDim made = { size_of (self, dim), -1 };
  gpointer known = dim->name != NULL ? g_hash_table_lookup (self->named_axes, dim->name) : NULL;

  if (known != NULL && heddle_sketch_size (sketch, GPOINTER_TO_INT (known) - 1) == made.size)
    made.axis = GPOINTER_TO_INT (known) - 1;
  else
    made.axis = heddle_sketch_add_axis (sketch, made.size,
        dim->name != NULL ? dim->name : usual_name (type, rank, i),
        dim->name != NULL ? HEDDLE_SKETCH_NAMED : 1);
  if (dim->name != NULL && known == NULL)
    {
      g_hash_table_insert (self->named_axes, g_strdup (dim->name), GINT_TO_POINTER (made.axis + 1));
      if (dim->size < 0 && (self->sizes == NULL || !g_hash_table_contains (self->sizes, dim->name)))
        g_ptr_array_add (self->report->assumed, g_strdup_printf ("%s = %d", dim->name, ASSUMED_SIZE));
    }
  return made;
}

/* One of the same value's axes may not be met twice: a square matrix of n by n. */
static void
keep_distinct (Importer *self, HeddleFlow *flow)
{
  for (guint i = 0; i < flow->rank; i++)
    for (guint j = 0; j < i; j++)
      if (flow->dims[i].axis >= 0 && flow->dims[i].axis == flow->dims[j].axis)
        flow->dims[i].axis = heddle_sketch_add_like (self->import.sketch, flow->dims[i].axis);
}

static void
flow_of_info (Importer *self, const HeddleOnnxInfo *info, HeddleFlow *flow)
{
  *flow
      = (HeddleFlow){ .type = info != NULL ? info->type : 0, .untyped = info == NULL || info->dims == NULL };
  for (guint i = 0; !flow->untyped && i < info->dims->len; i++)
    flow->dims[flow->rank++]
        = dim_of (self, &g_array_index (info->dims, HeddleOnnxDim, i), info->type, info->dims->len, i);
  keep_distinct (self, flow);
}

static gboolean
has_good_sizes (const HeddleFlow *flow)
{
  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].size < 1 || flow->dims[i].size > LARGEST_SIZE)
      return FALSE;
  return heddle_flow_count (flow) < G_MAXINT64 / 16;
}

/* A value with all of its axes, called @name. */
static void
store_flow (Importer *self, HeddleFlow *flow, HeddleValueRole role, const char *name)
{
  int axes[HEDDLE_ONNX_MAX_RANK];
  guint n = 0;

  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].axis >= 0)
      axes[n++] = flow->dims[i].axis;
  flow->value = heddle_sketch_add_value (self->import.sketch, role, heddle_onnx_dtype (flow->type), axes, n);
  heddle_sketch_set_name (self->import.sketch, flow->value, name);
  if (name != NULL)
    g_hash_table_replace (self->import.flows, g_strdup (name), g_memdup2 (flow, sizeof *flow));
}

/* --- what there is before any node -------------------------------------------------------------- */

static gboolean
add_initializer (Importer *self, const HeddleOnnxTensor *tensor)
{
  HeddleFlow flow = { .type = tensor->type, .rank = tensor->rank };

  for (guint i = 0; i < tensor->rank; i++)
    flow.dims[i]
        = (HeddleDim){ tensor->shape[i], heddle_sketch_add_axis (self->import.sketch, tensor->shape[i],
                                             i == 0   ? "o"
                                             : i == 1 ? "i"
                                                      : "k",
                                             2) };
  store_flow (self, &flow, HEDDLE_ROLE_PARAMETER, tensor->name);
  heddle_sketch_set_tensor (self->import.sketch, flow.value, tensor, self->import.model->folder);
  return TRUE;
}

static gboolean
add_known (Importer *self, const HeddleOnnxInfo *info, HeddleArray *numbers)
{
  HeddleFlow flow = heddle_import_known (&self->import, numbers, info->type);

  g_hash_table_replace (self->import.flows, g_strdup (info->name), g_memdup2 (&flow, sizeof flow));
  return TRUE;
}

/* Of what has no elements all numbers are known. */
static gboolean
add_empty (Importer *self, const HeddleOnnxInfo *info, const HeddleFlow *flow)
{
  const HeddleFlow empty = heddle_import_empty (&self->import, flow);

  g_hash_table_replace (self->import.flows, g_strdup (info->name), g_memdup2 (&empty, sizeof empty));
  return TRUE;
}

static gboolean
add_input (Importer *self, const HeddleOnnxInfo *info, GError **error)
{
  HeddleArray *constant
      = self->import.constants != NULL ? g_hash_table_lookup (self->import.constants, info->name) : NULL;
  HeddleFlow flow;

  if (g_hash_table_contains (self->import.flows, info->name))
    return TRUE;
  flow_of_info (self, info, &flow);
  if (constant != NULL)
    return add_known (self, info, constant);
  if (heddle_flow_count (&flow) == 0)
    return add_empty (self, info, &flow);
  if (!has_good_sizes (&flow))
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
          _ ("input “%s”: a size is below 1 or too large"), info->name);
      return FALSE;
    }
  store_flow (self, &flow, HEDDLE_ROLE_INPUT, info->name);
  return TRUE;
}

static void
note_infos (Importer *self, GPtrArray *infos)
{
  for (guint i = 0; i < infos->len; i++)
    {
      HeddleOnnxInfo *info = g_ptr_array_index (infos, i);

      g_hash_table_insert (self->import.infos, info->name, info);
    }
}

static gboolean
begin (Importer *self, const HeddleOnnxGraph *graph, GError **error)
{
  note_infos (self, graph->infos);
  note_infos (self, graph->outputs);
  note_infos (self, graph->inputs);
  for (guint i = 0; i < graph->initializers->len; i++)
    add_initializer (self, g_ptr_array_index (graph->initializers, i));
  for (guint i = 0; i < graph->inputs->len; i++)
    if (!add_input (self, g_ptr_array_index (graph->inputs, i), error))
      return FALSE;
  return TRUE;
}

/* --- nodes ------------------------------------------------------------------------------------------ */

static gboolean
inputs_are_typed (Importer *self)
{
  for (guint i = 0; i < self->import.node->inputs->len; i++)
    {
      const HeddleFlow *flow = heddle_import_input (&self->import, i);

      if (flow != NULL && (flow->untyped || heddle_onnx_dtype (flow->type) == HEDDLE_DTYPE_UNSET))
        return heddle_import_refuse (&self->import,
            flow->untyped ? _ ("nothing is known of the shape of “%s”") : _ ("“%s” is no array of numbers"),
            (const char *) g_ptr_array_index (self->import.node->inputs, i));
    }
  return TRUE;
}

/* An output without elements may only be one whose numbers are known, such as an empty list of axes. */
static gboolean
outputs_are_good (Importer *self)
{
  for (guint i = 0; i < self->import.node->outputs->len; i++)
    {
      const char *name = g_ptr_array_index (self->import.node->outputs, i);
      const HeddleFlow *flow = *name != '\0' ? g_hash_table_lookup (self->import.flows, name) : NULL;

      if (*name != '\0' && flow == NULL)
        return heddle_import_refuse (&self->import, _ ("output %u"), i);
      if (flow != NULL && !has_good_sizes (flow)
          && !(heddle_flow_count (flow) == 0 && heddle_sketch_is_known (self->import.sketch, flow->value)))
        return heddle_import_refuse (&self->import, _ ("an array without elements, or too large"));
    }
  return TRUE;
}

static gboolean call_function (Importer *self, const HeddleOnnxGraph *function);

static gboolean
understand (Importer *self)
{
  const HeddleOnnxNode *node = self->import.node;
  const HeddleOnnxOperator *row = NULL;
  g_autofree char *key = g_strdup_printf ("%s/%s", node->domain, node->op);
  const HeddleOnnxGraph *function;

  if (*node->domain == '\0')
    row = heddle_onnx_operator_find (node->op, self->import.opset);
  function = row == NULL ? g_hash_table_lookup (self->import.model->functions, key) : NULL;
  if (function != NULL)
    return inputs_are_typed (self) && call_function (self, function) && outputs_are_good (self);
  if (row == NULL)
    return heddle_import_refuse (&self->import, _ ("no such operator is known"));
  return inputs_are_typed (self) && row->run (&self->import, row) && outputs_are_good (self);
}

/* What is not understood is a box whose results have the types that the model gives. */
static void
add_box (Importer *self)
{
  const HeddleOnnxNode *node = self->import.node;
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) results = g_array_new (FALSE, FALSE, sizeof (int));
  g_autofree char *likeness = heddle_onnx_node_likeness (node);

  for (guint i = 0; i < node->inputs->len; i++)
    {
      const HeddleFlow *flow = heddle_import_input (&self->import, i);

      if (flow != NULL && heddle_flow_count (flow) > 0)
        g_array_append_val (operands, flow->value);
    }
  for (guint i = 0; i < node->outputs->len; i++)
    {
      const char *name = g_ptr_array_index (node->outputs, i);
      HeddleFlow flow;

      if (*name == '\0')
        continue;
      flow_of_info (self, g_hash_table_lookup (self->import.infos, name), &flow);
      if (!has_good_sizes (&flow))
        flow = (HeddleFlow){ .untyped = TRUE };
      store_flow (self, &flow, HEDDLE_ROLE_INTERMEDIATE, name);
      g_array_append_val (results, flow.value);
    }
  if (results->len > 0)
    heddle_sketch_box (self->import.sketch, *node->op != '\0' ? node->op : "unknown", likeness,
        (const int *) operands->data, operands->len, (const int *) results->data, results->len);
}

static void
opaque_free (HeddleOnnxOpaque *self)
{
  g_free (self->node);
  g_free (self->op);
  g_free (self->why);
  g_free (self);
}

static void
note_opaque (Importer *self)
{
  const HeddleOnnxNode *node = self->import.node;
  HeddleOnnxOpaque *opaque = g_new0 (HeddleOnnxOpaque, 1);

  opaque->node = g_strdup (*node->name != '\0'      ? node->name
                           : node->outputs->len > 0 ? g_ptr_array_index (node->outputs, 0)
                                                    : "");
  opaque->op = *node->domain != '\0' ? g_strconcat (node->domain, ".", node->op, NULL) : g_strdup (node->op);
  opaque->why = g_steal_pointer (&self->import.why);
  g_ptr_array_add (self->report->opaque, opaque);
}

static gboolean
fail_at (const HeddleOnnxNode *node, GError **error, const char *message, const char *name)
{
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("byte %zu: node “%s” (%s): %s “%s”"),
      node->place, node->name, node->op, message, name);
  return FALSE;
}

/* Nodes come after those they read from: what reads something else is wrong, or part of a cycle. */
static gboolean
check_node (Importer *self, GError **error)
{
  const HeddleOnnxNode *node = self->import.node;

  for (guint i = 0; i < node->inputs->len; i++)
    {
      const char *name = g_ptr_array_index (node->inputs, i);

      if (*name != '\0' && !g_hash_table_contains (self->import.flows, name))
        return fail_at (node, error, _ ("nothing before it makes"), name);
    }
  for (guint i = 0; i < node->outputs->len; i++)
    {
      const char *name = g_ptr_array_index (node->outputs, i);

      if (*name != '\0' && g_hash_table_contains (self->import.flows, name))
        return fail_at (node, error, _ ("something else already makes"), name);
    }
  return TRUE;
}

/* "/layers.0/attention/MatMul": all but the last part. */
static void
enter_module (Importer *self, const char *name)
{
  const char *start = *name == '/' ? name + 1 : name, *slash = strrchr (start, '/');
  g_autofree char *path = slash != NULL && slash > start ? g_strndup (start, (gsize) (slash - start)) : NULL;

  heddle_sketch_set_module (self->import.sketch, path);
}

static HeddleOnnxNode resolve (const Importer *self, const HeddleOnnxNode *node, GPtrArray *made);

static gboolean
run_node (Importer *self, const HeddleOnnxNode *node, GError **error)
{
  self->import.node = node;
  if (!check_node (self, error))
    return FALSE;
  self->report->n_operators++;
  enter_module (self, self->call != NULL ? self->call->name : node->name);
  heddle_sketch_set_source (self->import.sketch, node->source);
  if (understand (self))
    self->report->n_understood++;
  else
    {
      note_opaque (self);
      add_box (self);
    }
  return TRUE;
}

static gboolean
run_resolved (Importer *self, const HeddleOnnxNode *node, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);
  HeddleOnnxNode resolved = resolve (self, node, made);
  gboolean good = run_node (self, &resolved, error);

  g_ptr_array_unref (resolved.attributes);
  return good;
}

static gboolean
run_nodes (Importer *self, const HeddleOnnxGraph *graph, GError **error)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const HeddleOnnxNode *node = g_ptr_array_index (graph->nodes, i);

      if (!(self->call != NULL ? run_resolved (self, node, error) : run_node (self, node, error)))
        return FALSE;
    }
  return TRUE;
}

/* --- graphs within nodes ------------------------------------------------------------------------------ */

static void
take_given (Importer *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const HeddleOnnxInfo *info = g_ptr_array_index (graph->inputs, i);

      g_hash_table_replace (
          self->import.flows, g_strdup (info->name), g_memdup2 (&given[i], sizeof given[i]));
    }
  for (guint i = 0; i < graph->initializers->len; i++)
    add_initializer (self, g_ptr_array_index (graph->initializers, i));
}

static HeddleFlow *
take_results (Importer *self, const HeddleOnnxGraph *graph)
{
  g_autofree HeddleFlow *results = g_new0 (HeddleFlow, graph->outputs->len + 1);

  for (guint i = 0; i < graph->outputs->len; i++)
    {
      const HeddleOnnxInfo *info = g_ptr_array_index (graph->outputs, i);
      const HeddleFlow *flow = g_hash_table_lookup (self->import.flows, info->name);

      if (flow == NULL)
        {
          heddle_import_refuse (&self->import, _ ("nothing makes the output “%s”"), info->name);
          return NULL;
        }
      results[i] = *flow;
    }
  return g_steal_pointer (&results);
}

/* Names within hide nothing of what is around. */
static GHashTable *
copy_flows (GHashTable *flows)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name, flow;

  g_hash_table_iter_init (&iter, flows);
  while (g_hash_table_iter_next (&iter, &name, &flow))
    g_hash_table_insert (copy, g_strdup (name), g_memdup2 (flow, sizeof (HeddleFlow)));
  return copy;
}

/* Whether running it once more stays within bounds; it is counted. */
static gboolean
may_run (Importer *self, const HeddleOnnxGraph *graph, guint n_given)
{
  const guint n_flows = g_hash_table_size (self->import.flows);

  self->import.n_run += graph->nodes->len + 1;
  self->n_copied += n_flows;
  if (graph->inputs->len != n_given)
    return heddle_import_refuse (&self->import, _ ("its graph does not fit its inputs"));
  if (self->import.n_run > MOST_RUN || self->n_copied > MOST_COPIED || n_flows > MOST_AROUND)
    return heddle_import_refuse (&self->import, _ ("what is within comes to too much"));
  return TRUE;
}

/* In the flows at hand. */
static HeddleFlow *
run_within (Importer *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n)
{
  g_autoptr (GError) error = NULL;

  take_given (self, graph, given, n);
  note_infos (self, graph->infos);
  note_infos (self, graph->outputs);
  if (run_nodes (self, graph, &error))
    return take_results (self, graph);
  heddle_import_refuse (&self->import, "%s", error->message);
  return NULL;
}

/* Runs it where @flows is all that is known, and then is back where it was. */
static HeddleFlow *
run_apart (Importer *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n, GHashTable *flows,
    gboolean again)
{
  const HeddleOnnxNode *node = self->import.node;
  const HeddleOnnxReport before = *self->report;
  const guint n_opaque = self->report->opaque->len;
  GHashTable *around = self->import.flows;
  HeddleFlow *results;

  self->import.flows = flows;
  results = run_within (self, graph, given, n);
  self->import.flows = around;
  self->import.node = node;
  if (again || results == NULL)
    {
      self->report->n_operators = before.n_operators;
      self->report->n_understood = before.n_understood;
      g_ptr_array_set_size (self->report->opaque, (int) n_opaque);
    }
  return results;
}

HeddleFlow *
heddle_import_run (
    HeddleImport *import, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n, gboolean again)
{
  Importer *self = (Importer *) import; /* which begins with it */
  g_autoptr (GHashTable) flows = NULL;

  if (!may_run (self, graph, n))
    return NULL;
  flows = copy_flows (import->flows);
  return run_apart (self, graph, given, n, flows, again);
}

/* --- functions of the model ------------------------------------------------------------------------------ */

/* Within a function, attributes may be those of its call. Frees what it makes by @made. */
static HeddleOnnxNode
resolve (const Importer *self, const HeddleOnnxNode *node, GPtrArray *made)
{
  HeddleOnnxNode resolved = *node;

  resolved.attributes = g_ptr_array_new ();
  for (guint i = 0; i < node->attributes->len; i++)
    {
      const HeddleOnnxAttribute *attribute = g_ptr_array_index (node->attributes, i), *given;
      HeddleOnnxAttribute *copy;

      if (attribute->ref == NULL)
        g_ptr_array_add (resolved.attributes, (gpointer) attribute);
      if (attribute->ref == NULL || (given = heddle_onnx_node_attribute (self->call, attribute->ref)) == NULL)
        continue;
      copy = g_memdup2 (given, sizeof *given);
      copy->name = attribute->name;
      g_ptr_array_add (made, copy);
      g_ptr_array_add (resolved.attributes, copy);
    }
  return resolved;
}

/* Its nodes in the place of the call: what they read is what it is given. */
static gboolean
call_function (Importer *self, const HeddleOnnxGraph *function)
{
  const HeddleOnnxNode *around = self->call;
  g_autoptr (GHashTable) flows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree HeddleFlow *given = g_new0 (HeddleFlow, function->inputs->len + 1);
  g_autofree HeddleFlow *results = NULL;

  if (self->depth >= DEEPEST_CALLS)
    return heddle_import_refuse (
        &self->import, _ ("functions call one another more than %d deep"), DEEPEST_CALLS);
  for (guint i = 0; i < function->inputs->len; i++)
    {
      const HeddleFlow *flow = heddle_import_input (&self->import, i);

      if (flow == NULL)
        return heddle_import_refuse (&self->import, _ ("an input is missing"));
      given[i] = *flow;
    }
  if (!may_run (self, function, function->inputs->len))
    return FALSE;
  self->call = self->import.node;
  self->depth++;
  results = run_apart (self, function, given, function->inputs->len, flows, FALSE);
  self->depth--;
  self->call = around;
  for (guint i = 0; results != NULL && i < MIN (function->outputs->len, self->import.node->outputs->len); i++)
    heddle_import_give (&self->import, i, &results[i]);
  return results != NULL;
}

/* --- the end ------------------------------------------------------------------------------------------- */

/* A value of its own for each output, called as the model calls it. */
static gboolean
finish_output (Importer *self, const HeddleOnnxInfo *info, GArray *outputs, GError **error)
{
  const HeddleFlow *made = g_hash_table_lookup (self->import.flows, info->name);
  HeddleFlow flow;

  if (made == NULL)
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("nothing makes the output “%s”"),
          info->name);
      return FALSE;
    }
  if (!has_good_sizes (made))
    return TRUE;
  flow = *made;
  if (!heddle_flow_is_plain (self->import.sketch, &flow, info->name))
    heddle_flow_store (self->import.sketch, &flow);
  heddle_sketch_set_name (self->import.sketch, flow.value, info->name);
  g_array_append_val (outputs, flow.value);
  return TRUE;
}

static HeddleSnapshot *
run (Importer *self, GError **error)
{
  const HeddleOnnxGraph *graph = self->import.model->graph;
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (int));

  if (!begin (self, graph, error) || !run_nodes (self, graph, error))
    return NULL;
  for (guint i = 0; i < graph->outputs->len; i++)
    if (!finish_output (self, g_ptr_array_index (graph->outputs, i), outputs, error))
      return NULL;
  return heddle_sketch_finish (self->import.sketch,
      graph->name != NULL && *graph->name != '\0' ? graph->name : "model", outputs, error);
}

static void
report_wanted (Importer *self)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->import.wants), (GCompareFunc) strcmp);

  for (GList *name = names; name != NULL; name = name->next)
    g_ptr_array_add (self->report->wanted, g_strdup (name->data));
}

void
heddle_onnx_report_clear (HeddleOnnxReport *self)
{
  g_clear_pointer (&self->opaque, g_ptr_array_unref);
  g_clear_pointer (&self->wanted, g_ptr_array_unref);
  g_clear_pointer (&self->assumed, g_ptr_array_unref);
}

static gint64
opset_of (const HeddleOnnxModel *model)
{
  const gint64 *version = g_hash_table_lookup (model->opsets, "");

  return version != NULL ? *version : 1;
}

gboolean
heddle_onnx_is (const char *path)
{
  return g_str_has_suffix (path, ".onnx");
}

/**
 * heddle_onnx_import:
 * @path: a model
 * @constants: (nullable) (element-type utf8 HeddleArray): inputs that are known, by name
 * @sizes: (nullable) (element-type utf8 gint64): sizes that the model leaves open, by name
 * @report: what was understood; to be cleared
 * @error: return location for errors of files, %HEDDLE_FILES_ERROR_FORMAT and _LIMIT, with the place and the node
 *
 * Returns: (transfer full): the document; the arrays of numbers are parameters without values
 */
HeddleSnapshot *
heddle_onnx_import (
    const char *path, GHashTable *constants, GHashTable *sizes, HeddleOnnxReport *report, GError **error)
{
  g_autoptr (HeddleOnnxModel) model = NULL;
  g_autoptr (HeddleSketch) sketch = heddle_sketch_new ();
  g_autoptr (GHashTable) flows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) infos = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) wants = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) named = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Importer self = { .sizes = sizes, .named_axes = named, .report = report };
  HeddleSnapshot *snapshot;

  g_return_val_if_fail (path != NULL && report != NULL, NULL);
  *report = (HeddleOnnxReport){ .opaque = g_ptr_array_new_with_free_func ((GDestroyNotify) opaque_free),
    .wanted = g_ptr_array_new_with_free_func (g_free),
    .assumed = g_ptr_array_new_with_free_func (g_free) };
  model = heddle_onnx_model_load (path, error);
  if (model == NULL)
    return NULL;
  self.import = (HeddleImport){ .model = model,
    .sketch = sketch,
    .flows = flows,
    .constants = constants,
    .infos = infos,
    .wants = wants,
    .opset = opset_of (model) };
  snapshot = run (&self, error);
  report_wanted (&self);
  g_free (self.import.why);
  return snapshot;
}
