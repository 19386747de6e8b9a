/* SPDX-License-Identifier: MIT */
#pragma once

/* This file imports models of ONNX as diagrams. */

typedef struct
{
  char *node, *op; /* the node's name (or its first output's), its type */
  char *why;
} HeddleOnnxOpaque;

typedef struct
{
  guint n_operators, n_understood; /* nodes of the graph */
  GPtrArray *opaque; /* of HeddleOnnxOpaque: the others */
  GPtrArray *wanted; /* of char *: inputs that must be known (--constant) for some of them */
  GPtrArray *assumed; /* of char *: "batch = 2": sizes that the model leaves open and nobody gave */
  GPtrArray *unused; /* of char *: sizes that were given, and are none that the model leaves open */
} HeddleOnnxReport;
