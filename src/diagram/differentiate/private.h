/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* A mark of where a value may stand for reads outside an array: see evaluate/private.h. The evaluator leaves
 * such terms out of a reduction over an axis of the read, so a derivative has to as well. Sizes and values
 * are not known here, so the mark says where it is possible. */
typedef struct
{
  GArray *read_axes; /* ids */
  char *
      condition; /* the text of the read's indices that may be outside; two marks of equal text are the same; "": several */
  const char *read; /* of the one read outside wherever the value is; NULL: several */
  gboolean direct; /* a read and nothing more: its cotangent outside goes nowhere */
  gboolean vanishes; /* the value is 0 there */
  HeddleExpr *
      inside; /* the predicate, over indices, that the value is inside; NULL if it is not known, as where a choice or several reads made it */
} HeddleReadMark;

/* The state of reversing a diagram. */
typedef struct
{
  const HeddleDiagram *forward;
  HeddleDiagram *backward; /* a copy of it, with the operations of the backward pass added */
  HeddleSizes *sizes; /* NULL: not all are given */
  GHashTable *active; /* ids of the values that depend on what is differentiated by */
  GHashTable *contributions; /* value id -> GArray of cotangents' ids, to be added up */
  GHashTable
      *fresh; /* id of a cotangent made for one value, which may give it its name -> id of that value … */
  GHashTable *shared; /* … unless they are among these, which turned out to be another one's too */
  guint first; /* the operation of @backward with which the rule at work began */
  GHashTable *names; /* taken */
  GHashTable *marks; /* value id -> HeddleReadMark; absent: none */
  GError *error; /* the first one */
} HeddleReverse;
