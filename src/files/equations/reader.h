/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/equations/private.h"

G_BEGIN_DECLS

/* Where something of the diagram stands in the text. */
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

/* def NAME (formals; arguments) -> outputs: */
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

/* --- equations-text.c: text -> statements --- */
void heddle_eq_read_text (HeddleEqReader *self, const char *text, gsize length);

/* --- equations-read.c: statements -> diagram --- */
void heddle_eq_read_meaning (HeddleEqReader *self);

/* --- equations-document.c: all of a text --- */
void heddle_eq_reader_init (HeddleEqReader *self, HeddleEqDocument *document, HeddleDiagram *diagram);
void heddle_eq_reader_clear (HeddleEqReader *self);

/* --- equations-define.c: definitions --- */
/* Learns the name that a line defines within @within (or NULL), if it is the first of a definition; its full name, or NULL. */
const char *heddle_eq_note_definition (
    HeddleEqDocument *self, const HeddleEqLine *line, GArray *tokens, const char *within);
gboolean heddle_eq_begins_definition (const GArray *tokens);
/* The first line of a definition within @parent (or NULL); one that is wrong is there all the same, and its lines are passed over. @above,
 * @trailing: comments */
HeddleEqDefinition *heddle_eq_add_definition (HeddleEqDocument *self, HeddleEqDefinition *parent,
    HeddleEqLine *line, const GArray *tokens, const char *above, const char *trailing);
void heddle_eq_definition_free (HeddleEqDefinition *self);
/* Reads those that an expression calls, if that has not been done. %FALSE: one of them cannot be called. */
gboolean heddle_eq_need_definitions (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
void heddle_eq_read_definition (HeddleEqDefinition *self);

/* --- equations-axes.c: what axes there are and how large they are --- */
void heddle_eq_read_axes (HeddleEqReader *self);
/* Adds the axes that the reads of an expression name for the first time. */
void heddle_eq_add_indices (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
gboolean heddle_eq_check_renames (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
void heddle_eq_set_place (
    HeddleEqReader *self, const char *id, HeddleEqLine *line, guint column, gboolean declared);

G_END_DECLS
