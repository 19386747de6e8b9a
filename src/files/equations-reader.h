/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/equations-private.h"

G_BEGIN_DECLS

/* Where something of the diagram stands in the text. */
typedef struct
{
  HeddleEqLine *line;
  guint column;
  gboolean declared; /* an axis of a declaration: its size may be given later */
} HeddleEqPlace;

typedef struct
{
  HeddleEqArena *arena;
  HeddleEqReport report;
  GPtrArray *statements; /* of HeddleEqStatement */
  GString *pending; /* comment lines that wait for a statement, each ended by a newline */
  HeddleDiagram *diagram;
  HeddleEqNames names;
  GHashTable *arrays; /* name -> the statement that declares or computes it first */
  GHashTable *computed; /* name -> where the last statement that computes it stands in the list */
  GHashTable *declared; /* name -> the declaration of a value that is computed later */
  GHashTable *places; /* object id -> HeddleEqPlace */
  gboolean has_outputs;
} HeddleEqReader;

/* --- equations-text.c: text -> statements --- */
void heddle_eq_read_statements (HeddleEqReader *self, const char *text, gsize length);

/* --- equations-axes.c: what axes there are and how large they are --- */
void heddle_eq_read_axes (HeddleEqReader *self);
/* Adds the axes that the reads of an expression name for the first time. */
void heddle_eq_add_indices (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
gboolean heddle_eq_check_renames (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
void heddle_eq_set_place (
    HeddleEqReader *self, const char *id, HeddleEqLine *line, guint column, gboolean declared);

G_END_DECLS
