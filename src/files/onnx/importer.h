/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/import.h"
#include "files/onnx/onnx.h"

G_BEGIN_DECLS

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

/* What the model says of a value; NULL: nothing. */
void heddle_importer_read_info (Importer *self, const HeddleOnnxInfo *info, HeddleFlow *flow);
gboolean heddle_importer_has_good_sizes (const HeddleFlow *flow);
/* A value with all of its axes, called @name. */
void heddle_importer_store (Importer *self, HeddleFlow *flow, HeddleValueRole role, const char *name);
void heddle_importer_add_initializer (Importer *self, const HeddleOnnxTensor *tensor);
void heddle_importer_note_infos (Importer *self, GPtrArray *infos);

/* Nodes in order; what is not understood becomes a box. %FALSE: one reads what nothing before it makes. */
gboolean heddle_importer_run_nodes (Importer *self, const HeddleOnnxGraph *graph, GError **error);
void heddle_opaque_free (HeddleOnnxOpaque *self);

/* The nodes of a function of the model in the place of the node at hand, which calls it. */
gboolean heddle_importer_call (Importer *self, const HeddleOnnxGraph *function);
/* A node within a function with the attributes of its call. Attributes are those of @made, which frees them. */
HeddleOnnxNode heddle_importer_resolve (const Importer *self, const HeddleOnnxNode *node, GPtrArray *made);

G_END_DECLS
