/* SPDX-License-Identifier: MIT */
#pragma once

/* One of several modules that are numbered: "layers.3". */
typedef struct
{
  guint number;
  GPtrArray *operations; /* of HeddleOperation, in order */
  GHashTable *members; /* the same as a set */
  const char *output; /* the one value that others read; NULL: there is not one alone */
} HeddleSibling;

/* Siblings that do the same, each on what the one before it makes. */
typedef struct
{
  char *path; /* all before the number: "encoder/layers." */
  GPtrArray *siblings; /* of HeddleSibling */
  const char *carried; /* the value that goes round, as the first of them reads it */
  GArray *constant; /* value ids: what all of them read */
  GArray *own; /* value ids: parameters of the first that the others have too */
  GPtrArray *maps; /* of GHashTable: value of the first -> value of the second, the third … */
} HeddleRun;
