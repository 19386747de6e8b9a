/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include <glib.h>

/* From the graph to places, in this order, each pass near-linear in what is drawn:
 *
 *   graph    operations become nodes in stages; each use of a value becomes a member: a bundle of wires from column to column
 *   weave    stage by stage, which wire of an operand goes on as which of the result; each straight run of a wire is a line
 *   rows     a height for every line: no two closer than they may be at any column, as few bends as can be
 *   columns  where data types and operations stand from left to right
 *   shapes   the boxes of nodes, and where each wire begins and ends
 *
 * Stage t: data column t (labels), a crossing where an operand's wires change places, the operations, the bends to column t + 1. */

/* Diagrams of more columns than this are long: inputs begin where they are read, bundles are drawn together now and then. */
#define HEDDLE_MANY_COLUMNS 16

/* Of a long wire all axes are named again at each such column. */
#define HEDDLE_LABELS_REPEAT 6

#define HEDDLE_PITCH 20. /* wires of one array */
#define HEDDLE_TUPLE_PITCH 30. /* members of a tuple */

typedef enum
{
  HEDDLE_START_INPUT,
  HEDDLE_START_OPERATION,
  HEDDLE_START_COPY, /* at a dot on the wires of the value's first member */
  HEDDLE_START_LOAD, /* far from where it was made: named, not wired */
} HeddleStart;

typedef enum
{
  HEDDLE_END_OPERATION,
  HEDDLE_END_OUTPUT,
  HEDDLE_END_DROP, /* nobody reads it: its wires end in dots */
  HEDDLE_END_SAVE, /* all who read it are far: see LOAD */
} HeddleEnd;

typedef struct
{
  double x, y;
} HeddlePoint;

/* A strand is a wire of a member. Its lines are numbers into the layout's. */
typedef struct
{
  const char *axis; /* NULL: the arrow of a scalar */
  const char *value; /* of a node's result: which of what it makes */
  int source; /* the line on which it comes: from the operation, or of the wire copied */
  int line; /* the line on which it passes the data columns */
  int target; /* the line on which it enters the operation that reads it */
  int join; /* the line that it joins within that operation, or -1 */
  guint hole; /* how many wires have ended between it and the one above it */
  gboolean core; /* the operation that reads it acts along it */
  gboolean fresh; /* it begins at the operation that makes it, and is no continuation of an operand's */
  gboolean begins_named, ends_named; /* where the member begins, and before the operation: see naming.h */
  int named; /* the data column at which the wire that it goes on from was named last */
  double drop; /* COPY: where it runs up or down in a ribbon, or 0: it bends there all the way; see ribbons */
  HeddlePoint start, end; /* at the operations: see shapes */
} HeddleStrand;

typedef struct
{
  const char *value;
  HeddleStart start;
  HeddleEnd end;
  int producer, reader; /* nodes, or -1 */
  guint slot; /* operand of the reader */
  guint key; /* order from top to bottom, the same at every column */
  int from, to; /* data columns */
  int first; /* COPY: the member that it is copied from */
  gboolean crosses; /* wires change places before the operation */
  gboolean labelled; /* at column `from`, all wires are labelled */
  gboolean carded; /* LOAD and SAVE: the name stands on a card */
  gboolean named_always; /* its axes are named at all columns: see naming.h */
  int chain; /* of the separator above it */
  double leave; /* COPY: from the left end of the zone of bends to the dots */
  double bend_from, bend_to; /* where wires change from `source` to `line`; COPY: dots at the beginning */
  GArray *strands; /* of HeddleStrand, from the top at the data columns */
  GArray *order; /* of guint: strands from the top as they enter the operation */
} HeddleMember;

typedef enum
{
  HEDDLE_SHAPE_CUP,
  HEDDLE_SHAPE_LINEAR,
  HEDDLE_SHAPE_FLOAT, /* elementwise, of one operand: floats above the wires */
  HEDDLE_SHAPE_JOIN, /* elementwise, of several: wires join in dots */
  HEDDLE_SHAPE_MASK,
  HEDDLE_SHAPE_REDUCE,
  HEDDLE_SHAPE_NORMALISE,
  HEDDLE_SHAPE_REINDEX,
  HEDDLE_SHAPE_COMBINE, /* a concatenation, scan, selection or gather: see combine.h */
  HEDDLE_SHAPE_SOURCE, /* a constant or a unit: see source.h */
  HEDDLE_SHAPE_BOX, /* its name in a box, or a letter: see box.h */
  HEDDLE_SHAPE_CROSS, /* a permutation: the crossing is all */
} HeddleShape;

/* Wires that one glyph of a reindexing takes, and those it makes. */
typedef struct
{
  GArray *inputs; /* of guint: strands of the operand's order */
  GArray *outputs; /* of const char *: axes of the node's results */
  GArray *operand_axes; /* of guint: which indices of the operation */
  gboolean bar; /* a view: drawn as a thick bar */
} HeddleReindexGroup;

typedef struct
{
  const HeddleOperation *operation;
  const HeddleOperation
      *attached; /* the scale drawn with a contraction, or the bias with a linear map; or NULL */
  const HeddleOperation *over; /* LINEAR: the map drawn over it because somebody would have it so; or NULL */
  HeddleShape shape;
  const char *result; /* value id: of what is drawn last with it */
  int stage;
  guint products; /* contractions on the longest way to it, itself included */
  GArray *members; /* of guint: the operands drawn as wires */
  GArray *results; /* of HeddleStrand: `line` and `target` unused */
  GPtrArray *groups; /* REINDEX: of HeddleReindexGroup */
  const char *turns; /* JOIN: the axis of the pairs that a rotary embedding turns; or NULL */
  int region; /* index of the region displayed, or -1 */
  char *title; /* of the box or above the wires, as a label's source; or NULL */
  char *attached_title; /* of a map that is drawn with it because somebody would have it so; or NULL */
  double above, below; /* px kept free over its top wire and under its lowest */
  double
      reach; /* CUP: from where its wires end to the apex of the widest bow; REDUCE: from its left side to its dots */
  double lead; /* JOIN: px at its left for the names of its operands */
  double inset; /* REINDEX, REDUCE, CUP: from its sides to its glyph, where wires end and begin */
  double half; /* BOX: of the height that its name needs */
  double width, attached_width, title_width;
  double tail; /* JOIN: px after the dots; the title stands there where wires come from above */
  double x, dx, dy;
  double top, bottom; /* of its box, or of its wires, after the nudge */
  double low, high; /* wires between these heights are moved by the nudge */
  gboolean edge_above, edge_below; /* a block's edge lies there */
  gboolean boxed;
  gboolean bare; /* somebody took its ground away */
  gboolean triangle; /* NORMALISE: it is drawn as a triangle, or another glyph as high; not as a circle */
  gboolean
      cups; /* CUP: some axis is contracted between operands; else it is an outer product, or wires that join */
} HeddleFigureNode;

/* A line is a straight run of a wire. */
typedef struct
{
  double y;
  int prefer; /* a line beside which it would be, or -1 */
  int or_between; /* …or another, midway to which it would be; or -1 */
  double offset; /* …so far below it */
  double
      close; /* how far the next wire of its array may lie below it at the least, as it ends before that is named; 0: a pitch */
  int above; /* the line last known to be directly above, and at which distance */
  double gap;
} HeddleLine;

typedef struct
{
  int above, below;
  double gap;
} HeddleConstraint;

/* A kernel that is shown: its wires have its level's colour. */
typedef struct
{
  const char *id;
  char *level; /* or NULL: without labels nothing is coloured */
  const GPtrArray *labels; /* of HeddleLabel, held by the figure */
  const HeddleKernel *kernel; /* or NULL */
  GHashTable *carriers; /* ids of the operations that carry state from step to step */
  int first, last; /* stages */
  double x1, x2, y1, y2;
} HeddleShownRegion;

typedef struct
{
  double x; /* left end */
  double labels; /* where axis labels are centred */
  double outer; /* with regions that begin here: labels before they do, else G_MAXDOUBLE */
  double tags; /* where labels stand before the names, or G_MAXDOUBLE: they stand in the place of names */
  double after; /* with regions that end here: labels inside them, else G_MAXDOUBLE */
  double load, save; /* the edges of those regions */
  gboolean breaks; /* the line ends here: all that is before goes on in the line below */
  double turn, wrap; /* breaks: where axis labels are centred before the line's end, and that end */
  double wrapped; /* half of what axis labels take here once a line ends here */
  double half; /* …and of what they take */
  double over_left,
      over_right; /* how much of that elementwise functions take that stand over them, from the left and
                                   from the right: if a line ended here they would need it elsewhere */
  double crossing; /* how wide the zone is in which wires change places, or 0 */
  double cross, operations, bends; /* left ends of the zones that follow */
} HeddleColumn;

typedef struct
{
  const HeddleFigure *figure;
  const HeddleDiagram *diagram;
  GPtrArray *nodes; /* of HeddleFigureNode */
  GHashTable *node_of; /* operation id -> index + 1 */
  GPtrArray *stages; /* of GPtrArray of HeddleFigureNode */
  GPtrArray *members; /* of HeddleMember, by the value they are of */
  GHashTable *outputs; /* value ids */
  GHashTable *region_of; /* operation id -> index + 1 in regions */
  GHashTable *named_inputs; /* ids of inputs whose names are shown, so that they can be named once more */
  GHashTable *inlined; /* value ids that are drawn by name within their reader */
  GPtrArray *live; /* of GPtrArray of HeddleMember: per data column, from the top */
  int n_stages; /* data columns 0 … n_stages */
  GArray *lines; /* of HeddleLine */
  GArray *constraints; /* of HeddleConstraint */
  GArray *columns; /* of HeddleColumn, n_stages + 1 */
  GPtrArray *regions; /* of HeddleShownRegion */
  GHashTable *nudges; /* id -> HeddleNudge */
  GPtrArray *blocks; /* of HeddleShownBlock, innermost first: see blocks.h */
  double right; /* where outputs end */
} HeddleLayout;

#define heddle_layout_node(self, i) ((HeddleFigureNode *) (self)->nodes->pdata[i])
#define heddle_layout_member(self, i) ((HeddleMember *) (self)->members->pdata[i])
#define heddle_layout_line_is_close(self, i) (g_array_index ((self)->lines, HeddleLine, (i)).close > 0.)
#define heddle_layout_line_y(self, i) (g_array_index ((self)->lines, HeddleLine, (i)).y)
#define heddle_layout_column(self, t) (&g_array_index ((self)->columns, HeddleColumn, (t)))
#define heddle_strand(array, i) (&g_array_index ((array), HeddleStrand, (i)))
#define heddle_guint(array, i) (g_array_index ((array), guint, (i)))

/* Lays the figure out: graph, weave, rows, columns, shapes, in the order given above. The caller owns the result,
 * which reads @figure and its diagram as long as it lives. */
HeddleLayout *heddle_layout_new (const HeddleFigure *figure);
/* Frees the layout and all nodes, members and lines in it, but not the figure. */
void heddle_layout_free (HeddleLayout *self);

#define HEDDLE_TURN_TAIL 32. /* px after the dots of a rotary embedding, for its glyph */
#define HEDDLE_EDGE 34. /* px from the names of axes to the edge of a region */
/* Room in px at the columns at which the lines of a wrapped figure end. */
#define HEDDLE_LINE_TAIL 30. /* from the labels to a line's end: room for wires to turn down … */
#define HEDDLE_LINE_HEAD 36. /* … and in again, before the labels of the next */
/* The distance in px from the sides of a batch norm at which the wires that it acts along go into its circle and come out. */
#define HEDDLE_ROUND_SIDE 6.
/* The wires of one contracted axis that meet. A cup borrows them from the layout and owns only its arrays. */
typedef struct
{
  const char *axis;
  GArray *strands; /* of HeddleStrand *, from the top */
  GArray *members; /* of HeddleMember *, whose they are */
  double y1, y2; /* of the outermost of them */
  double radius, middle; /* of the semicircle in which they meet */
  double lead, length; /* from left to right: straight on, and nearer to one another, before that */
} HeddleCup;
/* The half of the span up to which wires meet in one semicircle; further apart they first come nearer, in the length that is left. */
#define HEDDLE_CUP_WIDEST 71.
#define HEDDLE_CROSSING                                                                                      \
  34. /* of the ground on which wires change places: they do within it, 2 px from its sides */
#define HEDDLE_TYPE_AFTER                                                                                    \
  15. /* px from the middle of an axis' name to the tip that tells a type without fractions */
#define HEDDLE_POOL_WIDTH 26. /* of the window of a pooling */
#define HEDDLE_POOL_END 8. /* from its dot to the end of what it is drawn in */
#define HEDDLE_POOL_GAP                                                                                      \
  2. /* beside the name of what is done, under the wire between the window and the dot */
#define HEDDLE_WINDOW_SIDE 2. /* of a reading, beside the window of a convolution */
#define HEDDLE_PORT_SIZE 12.5 /* px, of the name of an operand where it comes to an elementwise function */
#define HEDDLE_NAME_ROOM 22. /* beside the name of an array that begins on the way */
#define HEDDLE_SKIP_ROOM 44. /* beside the name of a value whose wire is cut: an arrow and the card's edges */
#define HEDDLE_CROSSING_BARE 26. /* …and without a ground */
#define HEDDLE_CUP_INSET 12.
#define HEDDLE_CUP_INSET_BARE 4.
#define HEDDLE_CUP_TAIL 17.
#define HEDDLE_CUP_TAIL_BARE 6.
#define HEDDLE_CUP_ARROW 6. /* where the arrow ends within the box */
#define HEDDLE_BOX_PAD 12.
#define HEDDLE_CUP_PAD_BARE 6. /* over and under the wires of a contraction without a ground */
#define heddle_cup_pad(node) ((node)->bare ? HEDDLE_CUP_PAD_BARE : HEDDLE_BOX_PAD)
/* Over and under the wires of a linear map: a bias stands at the foot of its letter. */
#define heddle_linear_pad(node) ((node)->attached != NULL ? 14. : HEDDLE_BOX_PAD)
/* …without a ground no more than the letter, which stands midway between the outermost of its wires, is higher than these. */
#define heddle_linear_pad_bare(span) MAX (9. - (span) / 2., 1.)
/* Under what has a title in its box: as much as a softmax' triangle needs, or a norm's circle, and off the next wire. */
#define heddle_titled_pad(node) ((node)->triangle ? 15.5 : 12.)
#define HEDDLE_ROUND_FOOT 7. /* …under a wire that turns up to the circle */
#define HEDDLE_FLOAT_ROOM 25. /* over the wires, for a map that floats there within the box of a norm */
#define HEDDLE_FLOAT_UNDER 20. /* under a box with which a map is drawn, and over a linear map */
#define HEDDLE_FLOAT_BEYOND 5. /* px by which a map over a linear map stands out on both sides */
#define HEDDLE_WIRE_REACH 6. /* over and under the wires of what has no box */
#define HEDDLE_JOIN_TAIL 18. /* after the dots of an elementwise function of several arrays, at least */
#define HEDDLE_ATTACHED_GAP 5.5
#define HEDDLE_SCALE_LEAD 5. /* from a cup to a scale that has no ground */
#define HEDDLE_SCALE_TIP 8. /* from the tip of the arrow under a scale to the scale's end */
#define HEDDLE_FLOAT_SIZE 15. /* px, of an elementwise function's name … */
#define HEDDLE_FLOAT_ARROWS 24. /* … and of its arrows on both sides */
