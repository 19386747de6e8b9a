/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/model.h"
#include "files/onnx/onnx.h"
#include "files/onnx/sketch.h"

G_BEGIN_DECLS

/* A model on its way into a diagram. */
typedef struct
{
  const HeddleOnnxModel *model;
  HeddleSketch *sketch;
  GHashTable *flows; /* name in the model -> HeddleFlow */
  GHashTable *constants; /* name of an input -> HeddleArray: what it is known to be */
  GHashTable *infos; /* name -> HeddleOnnxInfo (none): what the model says of a value */
  GHashTable *wants; /* set of names of inputs whose numbers something needs */
  gint64 opset;
  const HeddleOnnxNode *node; /* at hand */
  guint n_run; /* nodes of graphs within nodes, however often */
  char *why; /* it was not understood; or NULL */
} HeddleImport;

/* A model at work: import.c has what comes before any node and after all, import-nodes.c the nodes, import-within.c graphs within nodes. */
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

G_END_DECLS
