/* SPDX-License-Identifier: MIT */
#pragma once

/* The limit of objects: more would take more memory than a diagram that anyone looks at. */
#define HEDDLE_ONNX_MAX_OBJECTS 400000

/* The state of reading the parts of a model: how many were met. */
typedef struct
{
  guint n_objects;
  const char *node; /* the name of the node that is being read, for messages; or NULL */
} HeddleOnnxReading;
