/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/equations/private.h"

/* The place in the text of something in the diagram. */
typedef struct
{
  HeddleEqLine *line;
  guint column;
  gboolean declared; /* an axis of a declaration: its size may be given later */
} HeddleEqPlace;

typedef struct _HeddleEqDefinition HeddleEqDefinition;

/* A text: the main diagram's statements and those of each definition. */
typedef struct
{
  HeddleEqArena *arena;
  HeddleEqReport report;
  HeddleSnapshot *snapshot; /* the main diagram, then the definitions */
  GPtrArray *definitions; /* of HeddleEqDefinition, in the order of the text */
  GHashTable *named; /* full name -> HeddleEqDefinition */
  /* full name -> HeddleDiagram; NULL while its first line has not been read, or where that is wrong */
  GHashTable *callees;
  guint n_statements, depth;
} HeddleEqDocument;

typedef struct
{
  HeddleEqDocument *document;
  HeddleEqDefinition *definition; /* NULL: the main diagram */
  HeddleEqArena *arena;
  HeddleEqReport *report;
  GPtrArray *statements; /* of HeddleEqStatement */
  GString *pending; /* comment lines that wait for a statement, each ended by a newline */
  HeddleDiagram *diagram; /* of the document's snapshot */
  HeddleEqNames names;
  GHashTable *arrays; /* name -> the statement that declares or computes it first */
  GHashTable *computed; /* name -> where the last statement that computes it stands in the list */
  GHashTable *declared; /* name -> the declaration of a value that is computed later */
  GHashTable *places; /* object id -> HeddleEqPlace */
  gboolean has_outputs;
} HeddleEqReader;

typedef enum
{
  HEDDLE_EQ_UNREAD,
  HEDDLE_EQ_READING,
  HEDDLE_EQ_DONE,
} HeddleEqState;

/* A definition: def NAME (formals; arguments) -> outputs: */
struct _HeddleEqDefinition
{
  HeddleEqLine line;
  const char *name; /* in full */
  HeddleEqDefinition *parent; /* that it stands within, or NULL */
  guint column, depth; /* how many it stands within */
  gsize indent; /* spaces before it: lines with more belong to it */
  GPtrArray *outputs; /* of HeddleEqStatement: what it gives, with its axes */
  GArray *arguments; /* of HeddleEqSlot: what follows the semicolon */
  HeddleEqReader reader; /* begins with the formals, as declarations */
  HeddleEqState state;
  gboolean broken; /* something is wrong with it, as has been said */
};

/* Prepares a reader for the statements of one diagram of @document; heddle_eq_reader_clear () frees what it
 * holds. */
void heddle_eq_reader_init (HeddleEqReader *self, HeddleEqDocument *document, HeddleDiagram *diagram);

/* Frees the statements and tables of a reader, but not what it borrows from its document. */
void heddle_eq_reader_clear (HeddleEqReader *self);
