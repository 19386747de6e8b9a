/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/onnx/model-private.h"
#include "files/onnx/model.h"
#include "files/onnx/wire.h"

G_BEGIN_DECLS

/* Frees a node with its attributes. */
void heddle_onnx_node_free (HeddleOnnxNode *self);
/* Reads a NodeProto at byte @place of the file (transfer full); NULL means that @error is set. */
HeddleOnnxNode *heddle_onnx_node_parse (
    HeddleOnnxReading *self, const HeddleWire *message, gsize place, GError **error);
/* Of one node. The numbers and texts that are not given are those given here. */
const HeddleOnnxAttribute *heddle_onnx_node_attribute (const HeddleOnnxNode *self, const char *name);
/* Returns a whole number of the node's attributes, or @otherwise. */
gint64 heddle_onnx_node_int (const HeddleOnnxNode *self, const char *name, gint64 otherwise);
/* Returns a number of the node's attributes, or @otherwise. */
double heddle_onnx_node_float (const HeddleOnnxNode *self, const char *name, double otherwise);
/* Returns a text of the node's attributes, which owns it, or @otherwise. */
const char *heddle_onnx_node_text (const HeddleOnnxNode *self, const char *name, const char *otherwise);
const GArray *heddle_onnx_node_ints (const HeddleOnnxNode *self, const char *name); /* or NULL */
/* The same for nodes of the same operator whose attributes are written alike. Newly allocated. */
char *heddle_onnx_node_likeness (const HeddleOnnxNode *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxNode, heddle_onnx_node_free)

G_END_DECLS
