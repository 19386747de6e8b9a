/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"
#include "files/onnx/flow.h"
#include "files/onnx/model.h"
#include "files/onnx/onnx.h"
#include "files/onnx/sketch.h"

typedef struct _HeddleImport HeddleImport;

/* A model on its way into a diagram. */
struct _HeddleImport
{
  const HeddleOnnxModel *model;
  HeddleSketch *sketch;
  GHashTable *flows; /* name in the model -> HeddleFlow */
  GHashTable *constants; /* name of an input -> HeddleArray: what it is known to be */
  GHashTable *infos; /* name -> HeddleOnnxInfo (none): what the model says of a value */
  GHashTable *wants; /* set of names of inputs whose numbers something needs */
  gint64 opset;
  const HeddleOnnxNode *node; /* the current node */
  guint n_run; /* nodes of graphs within nodes, however often */
  guint n_scanned; /* operations that scans come to, written out */
  char *why; /* the reason why the current node was not understood; or NULL */
  /* Runs the nodes of a graph within the current node on @n flows. @again says that the same graph was run
   * before, and its nodes are counted once. Returns the flows of its outputs, transfer full, or NULL if it
   * was refused. */
  HeddleFlow *(*run) (
      HeddleImport *self, const HeddleOnnxGraph *graph, const HeddleFlow *given, guint n, gboolean again);
};

/* An import, with what only its own files see: import.c has what comes before any node and after all,
 * import-nodes.c the nodes, operators/ what one of them means. */
typedef struct
{
  HeddleImport import;
  GHashTable *sizes; /* given, or NULL */
  GHashTable *named_axes; /* name of a size -> axis + 1 */
  GHashTable *open; /* set of names of sizes that the model leaves open */
  const HeddleOnnxNode *call; /* of the function whose nodes are run; or NULL */
  guint depth; /* of functions in one another */
  guint n_copied; /* what was known around graphs within nodes */
  HeddleOnnxReport *report;
} Importer;

/* Reads what the model says of a value into @flow; an @info of NULL says nothing. */
void heddle_importer_read_info (Importer *self, const HeddleOnnxInfo *info, HeddleFlow *flow);
/* Returns whether all sizes are at least 1 and within what can be imported. */
gboolean heddle_importer_has_good_sizes (const HeddleFlow *flow);
/* Adds a value with all axes of @flow, called @name. */
void heddle_importer_store (Importer *self, HeddleFlow *flow, HeddleValueRole role, const char *name);
/* Adds an array of the model as a parameter; its numbers stay in the file. */
void heddle_importer_add_initializer (Importer *self, const HeddleOnnxTensor *tensor);
/* Remembers what the model says of its values, by name; the model owns it. */
void heddle_importer_note_infos (Importer *self, GPtrArray *infos);
