/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/model.h"

G_BEGIN_DECLS

/* More would take more memory than a diagram that anyone looks at. */
#define HEDDLE_ONNX_MAX_OBJECTS 400000

/* What parts of a model are read with: how many were met. */
typedef struct
{
  guint n_objects;
  const char *node; /* the name of the node that is being read, for messages; or NULL */
} HeddleOnnxReading;

gboolean heddle_onnx_count (
    HeddleOnnxReading *self, const HeddleWire *wire, const HeddleWireField *field, GError **error);
HeddleOnnxGraph *heddle_onnx_graph_parse (HeddleOnnxReading *self, const HeddleWire *message, GError **error);
void heddle_onnx_graph_free (HeddleOnnxGraph *self);
HeddleOnnxNode *heddle_onnx_node_parse (
    HeddleOnnxReading *self, const HeddleWire *message, gsize place, GError **error);
void heddle_onnx_node_free (HeddleOnnxNode *self);
HeddleOnnxInfo *heddle_onnx_info_parse (HeddleOnnxReading *self, const HeddleWire *message, GError **error);
void heddle_onnx_info_free (HeddleOnnxInfo *self);
/* What follows an equals sign in one of the two texts that say where external data is. */
gboolean heddle_onnx_tensor_external (
    HeddleOnnxTensor *self, const char *key, const char *value, GError **error);
/* external.c: the file @location, a plain one within @folder and reached by no link, mapped. */
GMappedFile *heddle_onnx_external_open (const char *folder, const char *location, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxGraph, heddle_onnx_graph_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxNode, heddle_onnx_node_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxInfo, heddle_onnx_info_free)

G_END_DECLS
