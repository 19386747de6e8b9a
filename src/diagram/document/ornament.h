/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The ornaments of a figure: blocks, bundles, notes … that it has beside the diagram itself. A table has one
 * row for each kind, which says what fields it has; copying, reading, writing, checking and comparing all go
 * by it. */

typedef enum
{
  HEDDLE_FRAME_SHADE, /* a backdrop with a soft shadow */
  HEDDLE_FRAME_DOTS, /* a dotted outline */
  HEDDLE_FRAME_NONE,
} HeddleFrame;

typedef enum
{
  HEDDLE_PLACE_ABOVE, /* the title is over what it is about */
  HEDDLE_PLACE_BELOW,
} HeddlePlace;

/* A block: operations that are shown as one thing, with a backdrop behind them; with `first`, `last` or
 * `times` they stand in large parentheses. */
typedef struct
{
  const char *id;
  char *title; /* or NULL */
  char *fill; /* a class of the palette or "#RRGGBB"; NULL: that of a head */
  GArray *operations; /* of const char * */
  int frame; /* HeddleFrame */
  int place; /* HeddlePlace, of the title */
  double size; /* px, of the title's text; 0: as usual */
  char *first, *last,
      *times; /* at the corners of the parentheses: "\\lambda = 1" below, "\\lambda = 4" above on the left, "\\times 6" on the right */
} HeddleBlock;

/* A bundle of axes that are drawn as one wire. */
typedef struct
{
  const char *id;
  char *name; /* "\\bar{\\mathbf{x}}" */
  GArray *axes; /* of const char *, from the top */
} HeddleBundle;

/* A value that is named where it is made and where it is read, with no wire between them. With itself as the
 * reader it is an input or an output that is named where it enters or leaves the diagram. */
typedef struct
{
  const char *value;
  const char *reader; /* the operation whose wire is cut; NULL: all */
} HeddleSkip;

typedef enum
{
  HEDDLE_LOOK_USUAL,
  HEDDLE_LOOK_SOLID, /* a box seen from the side, as a definition's */
  HEDDLE_LOOK_BOX,
  HEDDLE_LOOK_LETTER, /* its name between its wires */
  HEDDLE_LOOK_WINDOW, /* of a read of windows or a pooling: a trapezoid with a star, as a convolution's */
  HEDDLE_LOOK_ATTACHED, /* of a map: beside what makes its operand, with no wires between */
} HeddleLookKind;

/* The look of an operation that is not drawn as usual. */
typedef struct
{
  const char *object;
  int look; /* HeddleLookKind */
  char *label; /* instead of its own; or NULL */
  GArray *over; /* of const char *: axes whose wires pass over a box untouched */
} HeddleLook;

typedef enum
{
  HEDDLE_PANEL_BESIDE,
  HEDDLE_PANEL_BELOW,
} HeddlePanelPlace;

typedef enum
{
  HEDDLE_PANEL_APART,
  HEDDLE_PANEL_ON, /* the wires that leave the panel before continue in this one: they end and begin in curved arrows, without names */
} HeddlePanelWires;

/* Another diagram of the document in the same figure, after a sign. */
typedef struct
{
  const char *diagram; /* id */
  char *sign; /* "=", "\\overset{def}{=}"; or NULL */
  int place; /* HeddlePanelPlace, in relation to the panel before it */
  double dx, dy; /* px: by how much it and its sign are moved from there */
  int wires; /* HeddlePanelWires */
} HeddlePanel;

typedef enum
{
  HEDDLE_NOTE_CARD, /* prose on a card; with a target a call-out */
  HEDDLE_NOTE_TEXT, /* prose on nothing */
  HEDDLE_NOTE_LEGEND, /* a card with a title over a rule */
  HEDDLE_NOTE_ARRAY, /* cells: "rows columns", then marked ones, a line each: "row 2", "column 1", "cell 1 2"; "arrow 2": a broad
                        * arrow along that row; "beside 4 1 broadcast": a side of four rows, of which this is the second; the colour of a
                        * side: "rows broadcast", "columns #8C14FC" */
  HEDDLE_NOTE_ARROW, /* a bent arrow across its width and height */
  HEDDLE_NOTE_BANNER, /* an arrow wide enough for its text */
  HEDDLE_NOTE_LISTING, /* lines of a program, its words in colours; \\fill{class}{} marks some of them */
} HeddleNoteKind;

typedef enum
{
  HEDDLE_LAYER_OVER,
  HEDDLE_LAYER_UNDER, /* below all diagrams of the figure: a ground that holds several things */
} HeddleLayer;

typedef struct
{
  const char *id;
  double x, y; /* px at 100 %, from the drawing's origin, or with a target from the middle of that */
  char *text; /* prose with $mathematics$; lines are broken at '\n' and at the width */
  int kind; /* HeddleNoteKind */
  const char *target; /* the target: an id of the diagram or of a block; or NULL */
  char *title; /* of a legend; or NULL */
  char *fill; /* NULL: by its kind */
  double width, height; /* px; 0: as its text needs */
  double size; /* px, of its text; 0: as usual */
  int layer; /* HeddleLayer */
} HeddleAnnotation;

typedef enum
{
  HEDDLE_FIELD_ID, /* const char *: its own */
  HEDDLE_FIELD_OBJECT, /* const char *: an axis, value, operation or block; NULL: none */
  HEDDLE_FIELD_DIAGRAM, /* const char *: a diagram of the document */
  HEDDLE_FIELD_OPERATIONS, /* GArray of const char * */
  HEDDLE_FIELD_AXES, /* GArray of const char * */
  HEDDLE_FIELD_TEXT, /* char *; NULL: none */
  HEDDLE_FIELD_NUMBER, /* double; 0 is not written unless required */
  HEDDLE_FIELD_WORD, /* int: one of the words; the first is not written */
} HeddleFieldKind;

typedef struct
{
  const char *name; /* as in files; NULL ends a list */
  HeddleFieldKind kind;
  gsize offset;
  gboolean required;
  const char *words[8];
} HeddleField;

/* A kind of ornament: a list of structures in a presentation. */
typedef struct
{
  const char *element; /* its name in files */
  gsize list; /* offset of the GPtrArray * in HeddlePresentation */
  gsize size;
  GDestroyNotify free; /* one of them: of the list */
  HeddleField fields[13];
} HeddleOrnamentKind;

/* Returns the kinds in the order in which files have them; an element that is NULL ends them. */
const HeddleOrnamentKind *heddle_ornament_kinds (void);
/* Returns the row of the ornament called @element in files, which is static, or NULL. */
const HeddleOrnamentKind *heddle_ornament_kind (const char *element);
/* Makes an ornament of @kind->size bytes with empty lists and all else 0. heddle_ornament_free() frees it. */
gpointer heddle_ornament_new (const HeddleOrnamentKind *kind);
/* Returns a deep copy of an ornament of that kind, to be freed with heddle_ornament_free(). */
gpointer heddle_ornament_copy (const HeddleOrnamentKind *kind, gconstpointer ornament);
/* Frees an ornament of that kind with its texts and lists. */
void heddle_ornament_free (const HeddleOrnamentKind *kind, gpointer ornament);
/* The number of ids that a list must have for the ornament to be about something. */
#define heddle_field_least(field) (!(field)->required ? 0u : (field)->kind == HEDDLE_FIELD_AXES ? 2u : 1u)
/* The ornaments of a kind. */
#define heddle_ornament_list(kind, presentation)                                                             \
  (G_STRUCT_MEMBER (GPtrArray *, (gpointer) (presentation), (kind)->list))
#define heddle_field_at(field, ornament, type)                                                               \
  (*(type *) G_STRUCT_MEMBER_P ((gpointer) (ornament), (field)->offset))
