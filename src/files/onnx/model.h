/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/model-private.h"
#include "files/onnx/wire.h"
#include <glib.h>

/* A model of ONNX as its file says it: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. Arrays of
 * numbers stay in the file. */

/* The values of TensorProto.DataType. */
typedef enum
{
  HEDDLE_ONNX_UNDEFINED,
  HEDDLE_ONNX_FLOAT,
  HEDDLE_ONNX_UINT8,
  HEDDLE_ONNX_INT8,
  HEDDLE_ONNX_UINT16,
  HEDDLE_ONNX_INT16,
  HEDDLE_ONNX_INT32,
  HEDDLE_ONNX_INT64,
  HEDDLE_ONNX_STRING,
  HEDDLE_ONNX_BOOL,
  HEDDLE_ONNX_FLOAT16,
  HEDDLE_ONNX_DOUBLE,
  HEDDLE_ONNX_UINT32,
  HEDDLE_ONNX_UINT64,
  HEDDLE_ONNX_COMPLEX64,
  HEDDLE_ONNX_COMPLEX128,
  HEDDLE_ONNX_BFLOAT16,
  HEDDLE_ONNX_E4M3,
  HEDDLE_ONNX_E4M3_UZ,
  HEDDLE_ONNX_E5M2,
} HeddleOnnxType;

#define HEDDLE_ONNX_MAX_RANK 32

/* One TensorProto: the message as it lies in the file, and what its head says. */
typedef struct
{
  char *name;
  int type;
  guint rank;
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  HeddleWire message;
  gboolean external;
  char *location; /* of external data: within the model's folder */
  guint64 offset, length; /* length 0: as long as the shape says */
} HeddleOnnxTensor;

typedef struct
{
  char *name; /* NULL: not given */
  gint64 size; /* -1: not given */
} HeddleOnnxDim;

typedef struct
{
  char *name;
  int type; /* UNDEFINED: no array, or nothing said */
  const char *other; /* "sequence" … where it is no array; or NULL */
  GArray *dims; /* of HeddleOnnxDim; NULL: the shape is not given */
} HeddleOnnxInfo;

typedef struct _HeddleOnnxGraph HeddleOnnxGraph;

typedef struct
{
  char *name;
  char *ref; /* within a function: the attribute of its call that this is; or NULL */
  int type; /* AttributeProto.AttributeType */
  double f;
  gint64 i;
  char *s; /* NULL where it is no text */
  HeddleOnnxTensor *tensor;
  HeddleOnnxGraph *graph;
  GArray *floats; /* of double */
  GArray *ints; /* of gint64 */
  GPtrArray *strings;
  const guint8 *data; /* as it stands in the model's bytes */
  gsize length;
} HeddleOnnxAttribute;

typedef struct
{
  char *name, *op, *domain;
  GPtrArray *inputs, *outputs; /* of char *; "": left out */
  GPtrArray *attributes; /* of HeddleOnnxAttribute */
  gsize place; /* in the file, in bytes */
  char
      *source; /* the first line of what is said of it, such as where it stands in a program; NULL: nothing */
} HeddleOnnxNode;

struct _HeddleOnnxGraph
{
  char *name;
  GPtrArray *nodes, *initializers; /* of HeddleOnnxNode, HeddleOnnxTensor */
  GPtrArray *inputs, *outputs, *infos; /* of HeddleOnnxInfo */
  guint n_sparse;
};

typedef struct
{
  GBytes *bytes;
  char *folder; /* NULL: of no file */
  gint64 ir_version;
  GHashTable *opsets; /* domain -> gint64 * */
  HeddleOnnxGraph *graph;
  GHashTable *functions; /* "domain/name" -> HeddleOnnxGraph, whose inputs and outputs have but names */
} HeddleOnnxModel;

/* Returns the model of a file, which is mapped. Fails with the errors of GFile, with
 * %HEDDLE_FILES_ERROR_FORMAT and the place in bytes and the node, or with _LIMIT. */
HeddleOnnxModel *heddle_onnx_model_load (const char *path, GError **error);
/* Frees a model with its graphs and its reference to the bytes. */
void heddle_onnx_model_free (HeddleOnnxModel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxModel, heddle_onnx_model_free)

/* Frees a graph with its nodes and arrays. */
void heddle_onnx_graph_free (HeddleOnnxGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxGraph, heddle_onnx_graph_free)

/* Frees what a model says of a value. */
void heddle_onnx_info_free (HeddleOnnxInfo *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxInfo, heddle_onnx_info_free)

/* Frees a node with its attributes. */
void heddle_onnx_node_free (HeddleOnnxNode *self);
/* Returns the attribute of that name, owned by the node; NULL if it is not given. */
const HeddleOnnxAttribute *heddle_onnx_node_attribute (const HeddleOnnxNode *self, const char *name);
/* Returns a whole number of the node's attributes, or @otherwise. */
gint64 heddle_onnx_node_int (const HeddleOnnxNode *self, const char *name, gint64 otherwise);
/* Returns a number of the node's attributes, or @otherwise. */
double heddle_onnx_node_float (const HeddleOnnxNode *self, const char *name, double otherwise);
/* Returns a text of the node's attributes, which owns it, or @otherwise. */
const char *heddle_onnx_node_text (const HeddleOnnxNode *self, const char *name, const char *otherwise);
const GArray *heddle_onnx_node_ints (const HeddleOnnxNode *self, const char *name); /* or NULL */
/* Returns a text that is the same for nodes of the same operator whose attributes are equal. Newly
 * allocated. */
char *heddle_onnx_node_likeness (const HeddleOnnxNode *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxNode, heddle_onnx_node_free)
