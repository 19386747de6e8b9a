/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"

/* The labels of one region at one level, checked. */
typedef struct
{
  const char *axis;
  gint64 size;
} HeddleTile;

/* A value that an operation reads again, instead of its being held until then. */
typedef struct
{
  const char *value, *operation; /* ids */
  int depth; /* number of the level it is read from again; -1: global memory */
} HeddleReread;

typedef struct
{
  GArray *groups; /* of HeddleTile, outermost first */
  const char *stream; /* axis id or NULL */
  gint64 chunk;
  const char *level;
  guint stages;
  HeddleDtype dtype; /* of values whose own is unset */
  const GPtrArray *
      inner; /* of HeddleTiling: the levels below, outermost first; NULL: none. Their stream is this one's where that has one */
  const GArray *rereads; /* of HeddleReread, in the order of their operations; NULL: none */
} HeddleTiling;

/* A band, and the statements in it. */
typedef struct
{
  const HeddleNode *band;
  int parent; /* -1: none */
  guint first, end;
} HeddleScope;

/* The lifetimes of all buffers: statements in the order they run, the body of a loop once. */
typedef struct
{
  const HeddleNode *node;
  int scope; /* the band it is in */
} HeddleStatement;

typedef struct
{
  GArray *statements; /* of HeddleStatement */
  GArray *scopes; /* of HeddleScope */
  guint *birth, *death; /* per buffer: the statement from which on it is held, the last at which it is */
  gboolean *in_stream; /* per buffer: born in a step */
  int *dies_with; /* per buffer: the loop (scope) at whose end it goes; -1: right after the statement */
} HeddleLiveness;
