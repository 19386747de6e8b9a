/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/array.h"
#include "files/onnx/wire.h"

G_BEGIN_DECLS

/* A model of ONNX as its file says it: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. Arrays of numbers stay in the file. */

/* TensorProto.DataType */
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

/* Ours for theirs; UNSET: there is none. */
HeddleDtype heddle_onnx_dtype (int type);
/* "float", "int8" … */
const char *heddle_onnx_type_name (int type);

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

HeddleOnnxTensor *heddle_onnx_tensor_parse (const HeddleWire *message, GError **error);
void heddle_onnx_tensor_free (HeddleOnnxTensor *self);
/* A number of single precision as a person would have written it. */
double heddle_onnx_as_written (float number);
gint64 heddle_onnx_tensor_count (const HeddleOnnxTensor *self);
/* Its numbers. @folder: of the model, for external data; NULL: there can be none. */
HeddleArray *heddle_onnx_tensor_read (const HeddleOnnxTensor *self, const char *folder, GError **error);

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

/* A model's file, mapped. Errors: of GFile, %HEDDLE_FILES_ERROR_FORMAT with the place in bytes and the node, or _LIMIT. */
HeddleOnnxModel *heddle_onnx_model_load (const char *path, GError **error);
HeddleOnnxModel *heddle_onnx_model_parse (GBytes *bytes, const char *folder, GError **error);
void heddle_onnx_model_free (HeddleOnnxModel *self);

/* Of one node. The numbers and texts that are not given are those given here. */
const HeddleOnnxAttribute *heddle_onnx_node_attribute (const HeddleOnnxNode *self, const char *name);
gint64 heddle_onnx_node_int (const HeddleOnnxNode *self, const char *name, gint64 otherwise);
double heddle_onnx_node_float (const HeddleOnnxNode *self, const char *name, double otherwise);
const char *heddle_onnx_node_text (const HeddleOnnxNode *self, const char *name, const char *otherwise);
const GArray *heddle_onnx_node_ints (const HeddleOnnxNode *self, const char *name); /* or NULL */
/* The same for nodes of the same operator whose attributes are written alike. Newly allocated. */
char *heddle_onnx_node_likeness (const HeddleOnnxNode *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxModel, heddle_onnx_model_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOnnxTensor, heddle_onnx_tensor_free)

G_END_DECLS
