/* SPDX-License-Identifier: MIT */
#pragma once

/* The lookup tables of one diagram, shared by its copies until one of them changes. The maps of the first
 * group are updated by every addition; those of the second are built on demand, under a lock, because
 * committed diagrams are read from several threads. */
typedef struct _HeddleDiagramIndex
{
  gatomicrefcount ref_count;
  GHashTable *axes, *values, *operations; /* id -> object */
  GHashTable *producers; /* value id -> operation */
  GHashTable *suffixes; /* stem -> every suffix below this number is taken */

  gint names_valid; /* atomic, as all below */
  GHashTable *axis_names, *value_names; /* name -> object */
  GHashTable *readers; /* value id -> GPtrArray of operations */
  GHashTable *positions; /* operation id -> position */
  GHashTable *after_reads; /* set of value ids: what array reads make, and what is made of that */
  GHashTable *labels; /* unnamed value id -> its label */
  GHashTable *dtypes; /* value id -> inferred type, see diagram-index.c */
  GHashTable *statements; /* operation id -> value id */
} HeddleDiagramIndex;
