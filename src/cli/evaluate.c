/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/json.h"
#include "cli/options.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/graph/diagram.h"
#include "files/base/json.h"
#include "files/base/npy.h"
#include "files/equations/plan.h"
#include "files/onnx/names.h"
#include "files/onnx/tensor-file.h"
#include "files/onnx/weights.h"

/* The number of elements up to which a result is shown; larger ones are summarised in numbers. */
#define MOST_SHOWN 64

typedef struct
{
  HeddleOptions options;
  char **in, **constants, **out, **weights;
  char *random, *precision;
  HeddleInput input;
  GHashTable *arrays; /* name -> HeddleArray: the inputs */
  GHashTable *values; /* value id -> HeddleArray */
} Evaluation;

static void
evaluation_clear (Evaluation *self)
{
  heddle_options_clear (&self->options);
  heddle_input_clear (&self->input);
  g_strfreev (self->in);
  g_strfreev (self->constants);
  g_strfreev (self->out);
  g_strfreev (self->weights);
  g_free (self->random);
  g_free (self->precision);
  g_clear_pointer (&self->arrays, g_hash_table_unref);
  g_clear_pointer (&self->values, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Evaluation, evaluation_clear)

/* --- inputs -------------------------------------------------------------------------- */

/* Notes the shape of an array: the sizes that the file leaves open are those of the arrays given. */
static void
note_shape (Evaluation *self, const HeddleValue *value, const HeddleArray *array)
{
  for (guint i = 0; i < MIN (value->axes->len, array->n_dims); i++)
    {
      const HeddleAxis *axis
          = heddle_diagram_get_axis (self->input.diagram, heddle_ids_index (value->axes, i));

      if (axis->size == NULL && !g_hash_table_contains (self->input.overrides, axis->name)
          && array->shape[i] > 0)
        g_hash_table_insert (
            self->input.overrides, g_strdup (axis->name), g_memdup2 (&array->shape[i], sizeof (gint64)));
    }
}

/* Finds an input by its name, or by its name in the model that it was imported from. */
static const HeddleValue *
find_input (Evaluation *self, const char *name)
{
  const HeddleValue *value = heddle_diagram_find_value (self->input.diagram, name);

  return value != NULL && value->role != HEDDLE_ROLE_INTERMEDIATE
             ? value
             : heddle_onnx_find_value (self->input.diagram, name);
}

static HeddleExit
read_input (Evaluation *self, const char *argument)
{
  const char *path;
  g_autofree char *name = heddle_options_split (argument, &path);
  const HeddleValue *value;
  g_autoptr (GError) error = NULL;
  HeddleArray *array;

  if (name == NULL)
    return heddle_options_misused (&self->options, _ ("--in %s: expected NAME=FILE.npy"), argument);
  value = find_input (self, name);
  if (value == NULL || value->role == HEDDLE_ROLE_INTERMEDIATE)
    {
      g_printerr (_ ("%s: error: --in %s: there is no input “%s”\n"), self->input.path, argument, name);
      return HEDDLE_EXIT_WRONG;
    }
  array = heddle_array_load (path, &error);
  if (array == NULL)
    {
      g_printerr (_ ("%s: error: %s\n"), self->input.path, error->message);
      return HEDDLE_EXIT_WRONG;
    }
  note_shape (self, value, array);
  g_hash_table_replace (self->arrays, g_strdup (value->name), array);
  return HEDDLE_EXIT_DONE;
}

static HeddleExit
read_inputs (Evaluation *self, char **arguments)
{
  HeddleExit status = HEDDLE_EXIT_DONE;

  for (guint i = 0; arguments != NULL && arguments[i] != NULL && status == HEDDLE_EXIT_DONE; i++)
    status = read_input (self, arguments[i]);
  return status;
}

/* Reads the parameters of the models that were not given one by one. */
static HeddleExit
read_weights (Evaluation *self)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; self->weights != NULL && self->weights[i] != NULL; i++)
    if (!heddle_onnx_fill_parameters (self->weights[i], self->input.diagram, self->arrays, &error))
      {
        g_prefix_error (&error, "%s: ", self->weights[i]);
        return heddle_input_unread (self->input.path, error);
      }
  return HEDDLE_EXIT_DONE;
}

/* Returns the output to be written, by its name in the text or in the model. */
static const HeddleValue *
find_output (Evaluation *self, const char *name)
{
  const HeddleValue *value = heddle_equations_find_value (self->input.diagram, name);

  return value != NULL ? value : heddle_onnx_find_value (self->input.diagram, name);
}

/* --- outputs ------------------------------------------------------------------------- */

/* Checks the names of the outputs before the work is done. */
static HeddleExit
check_outputs (Evaluation *self)
{
  for (guint i = 0; self->out != NULL && self->out[i] != NULL; i++)
    {
      const char *path;
      g_autofree char *name = heddle_options_split (self->out[i], &path);

      if (name == NULL)
        return heddle_options_misused (&self->options, _ ("--out %s: expected NAME=FILE.npy"), self->out[i]);
      if (find_output (self, name) == NULL)
        {
          g_printerr (
              _ ("%s: error: --out %s: there is no array “%s”\n"), self->input.path, self->out[i], name);
          return HEDDLE_EXIT_WRONG;
        }
    }
  return HEDDLE_EXIT_DONE;
}

static const HeddleArray *
result (Evaluation *self, const char *name)
{
  return g_hash_table_lookup (self->values, find_output (self, name)->id);
}

/* Returns the ids of everything that is to be written or reported. */
static GArray *
wanted_values (Evaluation *self)
{
  GArray *wanted = heddle_diagram_get_outputs (self->input.diagram);

  for (guint i = 0; self->out != NULL && self->out[i] != NULL; i++)
    {
      const char *path;
      g_autofree char *name = heddle_options_split (self->out[i], &path);

      heddle_ids_append (wanted, find_output (self, name)->id);
    }
  return wanted;
}

static HeddleExit
write_outputs (Evaluation *self)
{
  for (guint i = 0; self->out != NULL && self->out[i] != NULL; i++)
    {
      const char *path;
      g_autofree char *name = heddle_options_split (self->out[i], &path);
      g_autoptr (GError) error = NULL;

      if (!heddle_npy_write (path, result (self, name), &error))
        return heddle_input_failed (path, error);
    }
  return HEDDLE_EXIT_DONE;
}

typedef struct
{
  double least, largest, mean;
} Summary;

static Summary
summarise (const HeddleArray *array)
{
  Summary summary = { INFINITY, -INFINITY, 0. };

  for (gint64 i = 0; i < array->n_elements; i++)
    {
      summary.least = fmin (summary.least, array->data[i]);
      summary.largest = fmax (summary.largest, array->data[i]);
      summary.mean += array->data[i] / (double) array->n_elements;
    }
  return summary;
}

static void
print_array (const char *label, const HeddleArray *array)
{
  Summary summary = summarise (array);

  g_print ("%s[", label);
  for (guint i = 0; i < array->n_dims; i++)
    g_print ("%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", array->shape[i]);
  if (array->n_elements > MOST_SHOWN)
    {
      g_print (_ ("]  mean %.9g, from %.9g to %.9g\n"), summary.mean, summary.least, summary.largest);
      return;
    }
  g_print ("] =");
  for (gint64 i = 0; i < array->n_elements; i++)
    g_print (" %.9g", array->data[i]);
  g_print ("\n");
}

static void
array_json (JsonBuilder *json, const char *label, const HeddleArray *array)
{
  Summary summary = summarise (array);

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "name", label);
  heddle_json_begin_array (json, "shape");
  for (guint i = 0; i < array->n_dims; i++)
    json_builder_add_int_value (json, array->shape[i]);
  json_builder_end_array (json);
  heddle_json_double (json, "mean", summary.mean);
  heddle_json_double (json, "min", summary.least);
  heddle_json_double (json, "max", summary.largest);
  json_builder_end_object (json);
}

static void
print_results (Evaluation *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->input.diagram);
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "diagram", self->input.diagram->name);
  heddle_json_begin_array (json, "outputs");
  for (guint i = 0; i < outputs->len; i++)
    {
      const char *id = heddle_ids_index (outputs, i);
      const HeddleArray *array = g_hash_table_lookup (self->values, id);
      g_autofree char *label = heddle_diagram_value_label (self->input.diagram, id);

      array_json (json, label, array);
      if (!self->options.json)
        print_array (label, array);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
  if (self->options.json)
    heddle_json_print (json);
}

/* --- the work ------------------------------------------------------------------------ */

static HeddleExit
fill_random (Evaluation *self)
{
  g_autoptr (GError) error = NULL;
  guint64 seed;

  if (self->random == NULL)
    return HEDDLE_EXIT_DONE;
  if (!g_ascii_string_to_unsigned (self->random, 10, 0, G_MAXUINT64, &seed, NULL))
    return heddle_options_misused (&self->options, _ ("--random %s: expected a whole number"), self->random);
  if (heddle_evaluate_fill_inputs (self->input.diagram, self->input.sizes, self->arrays, seed, &error))
    return HEDDLE_EXIT_DONE;
  return heddle_input_failed (self->input.path, error);
}

static HeddleExit
evaluate (Evaluation *self, HeddlePrecision precision)
{
  g_autoptr (GArray) wanted = NULL;
  g_autoptr (GError) error = NULL;
  HeddleExit status;

  self->arrays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  if ((status = read_inputs (self, self->in)) != HEDDLE_EXIT_DONE
      || (status = read_inputs (self, self->constants)) != HEDDLE_EXIT_DONE
      || (status = read_weights (self)) != HEDDLE_EXIT_DONE
      || (status = check_outputs (self)) != HEDDLE_EXIT_DONE)
    return status;
  if (!heddle_input_resolve (&self->input, &status))
    return status;
  status = fill_random (self);
  if (status != HEDDLE_EXIT_DONE)
    return status;
  wanted = wanted_values (self);
  self->values = heddle_evaluate_wanted (
      self->input.diagram, self->input.sizes, self->arrays, wanted, precision, NULL, &error);
  if (self->values == NULL)
    return heddle_input_failed (self->input.path, error);
  status = write_outputs (self);
  if (status == HEDDLE_EXIT_DONE && (self->out == NULL || self->options.json))
    print_results (self);
  return status;
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (Evaluation) self = { { NULL } };
  const GOptionEntry entries[] = {
    { "in", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self.in,
        N_ ("Read an input or a parameter from a .npy or .pb file"), N_ ("NAME=FILE.npy") },
    { "constant", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self.constants, N_ ("An input that fixes shapes"),
        N_ ("NAME=FILE.npy") },
    { "random", 0, 0, G_OPTION_ARG_STRING, &self.random,
        N_ ("Random values for the inputs that are not given"), N_ ("SEED") },
    { "out", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self.out, N_ ("Where to write an array"),
        N_ ("NAME=FILE.npy") },
    { "weights", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self.weights,
        N_ ("Read the parameters that are not given from a model or a .safetensors file"), N_ ("FILE.onnx") },
    { "precision", 0, 0, G_OPTION_ARG_STRING, &self.precision,
        N_ ("f64 (default): nothing is rounded; declared: every stored value is"), N_ ("WHICH") },
    { NULL },
  };
  HeddlePrecision precision = HEDDLE_PRECISION_F64;
  HeddleExit status;
  const char *path;

  if (!heddle_options_parse (
          &self.options, _ ("FILE"), heddle_command_evaluate.summary, entries, argc, argv, &status))
    return status;
  path = heddle_options_get_file (&self.options);
  if (path == NULL)
    return HEDDLE_EXIT_USAGE;
  if (g_strcmp0 (self.precision, "declared") == 0)
    precision = HEDDLE_PRECISION_DECLARED;
  else if (self.precision != NULL && !g_str_equal (self.precision, "f64"))
    return heddle_options_misused (
        &self.options, _ ("--precision %s: expected f64 or declared"), self.precision);
  if (!heddle_input_open (&self.input, &self.options, path, &status))
    return status;
  if (!heddle_input_flatten (&self.input, &status))
    return status;
  return evaluate (&self, precision);
}

const HeddleCommand heddle_command_evaluate = {
  .name = "evaluate",
  .summary = N_ ("Compute a diagram with the reference evaluator"),
  .run = run,
};
