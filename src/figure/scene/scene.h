/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include <glib-object.h>
#include <glib.h>
#include "figure/scene/meaning.h"
#include "figure/scene/private.h"

/* A scene is a display list. One scene gives the screen, SVG, PDF and PNG. Units: px at 100 % (in print 1
 * px = 0.5 pt). y grows downwards. */

typedef struct
{
  double r, g, b, a;
} HeddleColor;

typedef enum
{
  HEDDLE_FONT_MATH, /* Palatino-like italic: TeX Gyre Pagella */
  HEDDLE_FONT_ROMAN, /* the same, upright */
  HEDDLE_FONT_BOLD, /* the same, bold upright */
  HEDDLE_FONT_SANS, /* prose: Latin Modern Sans */
  HEDDLE_FONT_SANS_BOLD,
  HEDDLE_FONT_MONO, /* listings: DejaVu Sans Mono */
} HeddleFont;

typedef enum
{
  HEDDLE_SEGMENT_MOVE, /* x1 y1 */
  HEDDLE_SEGMENT_LINE, /* x1 y1 */
  HEDDLE_SEGMENT_CURVE, /* cubic: x1 y1 x2 y2 x3 y3 */
  HEDDLE_SEGMENT_CLOSE,
} HeddleSegmentKind;

typedef struct
{
  HeddleSegmentKind kind;
  double x1, y1, x2, y2, x3, y3;
} HeddleSegment;

/* Segments one after the other, with no more room than they are likely to need: a large diagram has a hundred thousand paths. */
typedef struct
{
  guint len, room;
  HeddleSegment data[];
} HeddlePath;

typedef enum
{
  HEDDLE_ITEM_PATH,
  HEDDLE_ITEM_TEXT, /* one run of one font; a label is several of them and rules */
  HEDDLE_ITEM_SHADOW, /* a soft shadow of a rectangle: sigma, no offset */
} HeddleItemKind;

/* A part is the kind of thing that an item belongs to: for hit testing, for styles, and for SVG class
 * names. */
typedef enum
{
  HEDDLE_PART_BACKGROUND, /* region tint, backdrop */
  HEDDLE_PART_BOX,
  HEDDLE_PART_SEPARATOR,
  HEDDLE_PART_WIRE,
  HEDDLE_PART_GLYPH, /* of an operation */
  HEDDLE_PART_AXIS_LABEL,
  HEDDLE_PART_VALUE_LABEL,
  HEDDLE_PART_TAG, /* level label: the hexagon g_y = 128 */
  HEDDLE_PART_COLUMN, /* the H and M table above */
  HEDDLE_PART_ANNOTATION,
} HeddlePart;

/* Signs of the notation that whoever sets the scene again, as TeX does, draws by one name. */
typedef enum
{
  HEDDLE_SIGN_NONE,
  HEDDLE_SIGN_DOT, /* of a copy or a join: a disc */
  HEDDLE_SIGN_ARROW, /* the head of an arrow that points right; its path begins at the tip */
  HEDDLE_SIGN_CUP, /* the bow of a contraction */
  HEDDLE_SIGN_SOFTMAX, /* its triangle */
  HEDDLE_SIGN_NORM, /* its circle */
} HeddleSign;

/* A formula is what a picture of glyphs says: a label as it is spelt in its source, for those who set it
 * again in fonts of their own. */
typedef struct
{
  char *source; /* as heddle_math_layout () takes it */
  HeddleFont font;
  double size; /* px */
  double dx, dy; /* px from the item's (x, y) to the start of the baseline */
  double width; /* px */
} HeddleFormula;

typedef struct
{
  HeddleItemKind kind : 8;
  HeddlePart part : 8;
  HeddleFont font : 8; /* TEXT */
  HeddleSign sign : 8; /* PATH */
  guint fill : 1, stroke : 1, round_caps : 1; /* PATH */
  guint script : 1; /* TEXT: below or above another, and so smaller */
  guint n_dashes : 4; /* PATH */
  HeddleMeaning meaning : 8; /* of the sign that it is a part of */
  guint label; /* runs and rules of one label have the same number */
  HeddleFormula *formula; /* of the first item of a label; else NULL */
  const char *object; /* id of what it stands for (operation, value, axis …), or NULL */
  const char *axis; /* wires, axis labels, tags: the axis id */
  const char *value; /* wires, labels: the value id */
  /* PATH */
  HeddlePath *path; /* grows by the functions below */
  HeddleColor fill_color, stroke_color;
  double line_width;
  double *dash; /* lengths of dashes and gaps: heddle_item_set_dash() */
  double dash_offset;
  /* TEXT */
  char *text;
  double size; /* px */
  double x, y; /* baseline start; SHADOW: top left */
  double width, height; /* TEXT: advance and line height; SHADOW: size */
  double radius, sigma; /* SHADOW */
} HeddleItem;

typedef struct _HeddleScene HeddleScene;

/* Returns an empty display list with one reference, which the caller owns. */
HeddleScene *heddle_scene_new (void);
/* Takes one more reference and returns the same scene. Any thread may call it. */
HeddleScene *heddle_scene_ref (HeddleScene *self);
/* Drops a reference; the last one frees the scene with its items. Any thread may call it. */
void heddle_scene_unref (HeddleScene *self);
/* Adds an item on top of all others, to be filled in, and returns it; the scene owns it and must have no other
 * readers yet. @object is interned and may be NULL. */
HeddleItem *heddle_scene_add (HeddleScene *self, HeddleItemKind kind, HeddlePart part, const char *object);
/* Moves the items from number @from on, which are on top of all others, down to number @to. Nobody else may
 * read the scene yet. */
void heddle_scene_lower (HeddleScene *self, guint from, guint to);
/* Returns how many items the scene has. */
guint heddle_scene_get_n_items (const HeddleScene *self);
/* Returns item @i, counted from the bottom; the scene owns it. @i must be less than the number of items. */
const HeddleItem *heddle_scene_get_item (const HeddleScene *self, guint i);
/* Moves all items of @from here, by (@dx, @dy) px, on top. They stand for nothing here: their ids are of their own
 * diagram. */
void heddle_scene_take (HeddleScene *self, HeddleScene *from, double dx, double dy);
/* Takes the items of @from below all that is here, with @gap px between, about the same middle. */
void heddle_scene_stack (HeddleScene *self, HeddleScene *from, double gap);
/* Gives the rectangle in px that the drawing covers, lines' widths and shadows included. An empty scene
 * covers nothing, at the origin. */
void heddle_scene_get_bounds (const HeddleScene *self, double *x, double *y, double *width, double *height);
/* Gives the rectangle in px that the item covers: the line's width and the shadow's spread are included, and curves
 * count by their control points. An empty path covers nothing, at the origin. */
void heddle_item_get_bounds (const HeddleItem *item, double *x, double *y, double *width, double *height);

/* Says what is in the table that the whole scene shows; the scene takes it with all that is in it. */
void heddle_scene_set_table (HeddleScene *self, const HeddleSceneTable *table);
/* Returns what is in the table that the whole scene shows; the scene owns it. NULL means that it is no table. */
const HeddleSceneTable *heddle_scene_get_table (const HeddleScene *self);

/* Returns the items of an object, of const HeddleItem *; the caller owns the array, the scene its items. */
GPtrArray *heddle_scene_get_object_items (const HeddleScene *self, const char *object);

/* Gives the line of @item its dashes and gaps, in px. @n is at most 15; 0 makes a solid line. */
void heddle_item_set_dash (HeddleItem *item, const double *dash, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleScene, heddle_scene_unref)

/* Takes the items out of a scene that nobody else reads yet whose middle lies from height @top, px, to above @bottom.
 * Returns a scene of them, which the caller owns, with the titles of the whole. */
HeddleScene *heddle_scene_take_band (HeddleScene *self, double top, double bottom);
/* Says that the items from number @from on are one label, that of @formula (which is copied), whose baseline begins at
 * (@x, @y). The first of them keeps it, wherever they are moved. */
void heddle_scene_set_formula (
    HeddleScene *self, guint from, const HeddleFormula *formula, double x, double y);
/* Frees an item with its path, dashes, text and formula. */
void heddle_item_free (HeddleItem *item);
/* Returns a new item that is drawn like @item, without a path of its own yet; the caller owns it. */
HeddleItem *heddle_item_copy_style (const HeddleItem *item);
/* Returns whether an item is a part of a text: a run of letters, or a rule of a formula. */
gboolean heddle_item_is_lettering (const HeddleItem *item);
/* Moves an item, its text and its whole path by (@dx, @dy) px. */
void heddle_item_move (HeddleItem *item, double dx, double dy);

/* Picking finds the item at a point by a grid, which the scene makes when it is first asked and owns. */

/* Returns the numbers, guint, of the items whose bounds are in the area or near it, in px, ascending, without shadows; the
 * caller owns the array. It is found by the same grid. */
GArray *heddle_scene_find_in (const HeddleScene *self, double left, double top, double right, double bottom);
/* Returns whether the point (@x, @y), in px, lies in the fill of the path @item. */
gboolean heddle_item_covers (const HeddleItem *item, double x, double y);
/* Returns the topmost item at (@x, @y) within @tolerance px that stands for something; the scene owns it,
 * and %NULL means that nothing is there. Glyphs, tags and labels win over boxes, boxes over wires, wires
 * over what lies behind; but a wire that is hit wins over a label or a box that is only near, and a note
 * over the labels that it hides. Any thread may call it once the scene is complete. */
const HeddleItem *heddle_scene_pick (const HeddleScene *self, double x, double y, double tolerance);
