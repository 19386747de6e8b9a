/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/canvas/scene-index.h"
#include "app/editor/editor.h"
#include "diagram/document/schedule.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/draw.h"
#include "figure/scene/scene.h"

typedef enum
{
  HEDDLE_HIT_NOTHING,
  HEDDLE_HIT_OPERATION,
  HEDDLE_HIT_WIRE,
  HEDDLE_HIT_AXIS_LABEL,
  HEDDLE_HIT_VALUE_LABEL,
  HEDDLE_HIT_NOTE, /* or a block: `operation` is its id */
} HeddleHitKind;

/* A hit is what is under the pointer. All ids are interned, so that it outlives the scene. */
typedef struct
{
  HeddleHitKind kind;
  const char *operation;
  const char *axis, *value;
} HeddleHit;

typedef enum
{
  HEDDLE_DRAG_NONE,
  HEDDLE_DRAG_MOVE, /* operations are nudged */
  HEDDLE_DRAG_BAND, /* a rubber band selects */
  HEDDLE_DRAG_PAN,
  HEDDLE_DRAG_WRAP, /* the edge that lines are wrapped at */
} HeddleDragKind;

/* From the bottom. */
typedef enum
{
  HEDDLE_SHEET_PAPER, /* boxes, and whatever is below the first ink */
  HEDDLE_SHEET_INK, /* above the bands of what is selected */
  HEDDLE_SHEET_LIFTED, /* what is being moved, where it was */
  HEDDLE_N_SHEETS
} HeddleSheetKind;

/* A sheet is a part of the scene as pixels at one zoom. */
typedef struct
{
  GskRenderNode *node; /* NULL: nothing is drawn */
  cairo_surface_t *pixels; /* what it shows */
  cairo_rectangle_int_t area; /* what it covers, px of the widget from the scene's origin */
  double zoom;
  int factor; /* pixels of the screen in one of the widget */
} HeddleSheet;

struct _HeddleCanvas
{
  GtkWidget parent_instance;
  HeddleEditor *editor;

  HeddleScene *scene; /* NULL: to be made */
  const char *scene_diagram; /* the id of the diagram that it shows */
  guint composing; /* idle source: a worker thread is to make the next scene */
  GTask *composer; /* it is at it; or NULL */
  gboolean overtaken, wanted; /* what it makes is out of date; another is to follow */
  const char *revealing; /* what is to be brought into sight when the scene has it; or NULL */
  HeddleSceneIndex *index; /* of the scene; NULL with it */
  graphene_rect_t extent; /* what the last scene covered */
  GArray *visible; /* of guint, ascending: the items in view */
  HeddleSheet sheets[HEDDLE_N_SHEETS];
  GHashTable *lifted; /* what `moved` was when they were drawn; or NULL */
  HeddleLettering *lettering; /* NULL: not drawn yet */
  guint first_ink; /* the lowest item of the scene that is ink */
  gboolean dark, contrast; /* what is drawn is */
  HeddleTheme theme; /* LIGHT: as the window */

  guint hover_sign; /* number of the item under the pointer that means something, plus 1; 0: none */
  graphene_point_t hover_pan; /* of the view when the pointer came there; with it: */
  double hover_zoom;
  gboolean legend; /* what the signs say stands below the figure */
  const char *venue; /* whose page is shown as a frame, interned; NULL: none is */
  double zoom, pan_x, pan_y; /* widget = scene * zoom + pan */
  gboolean fitting; /* keeps all in view */
  gboolean held_fitting; /* did so before what is dragged was taken */
  const char *selected_before; /* the document changed; or NULL */
  guint following; /* idle source: what was made then is brought into view */
  gboolean crowded; /* the drawing reaches into the lower left corner */
  guint telling_view; /* idle source */
  double pinch_zoom; /* where the pinch began */

  HeddleHit hover;
  double pointer_x, pointer_y; /* widget */
  GdkRectangle insert_place; /* where a wire was dropped on nothing; else empty */
  gboolean space_held;

  HeddleDragKind drag;
  double drag_last_x, drag_last_y; /* offset of the drag that is already applied */
  double drag_start_x, drag_start_y;
  double drag_pan_x, drag_pan_y;
  GtkGesture *drag_gesture;
  guint drag_serial; /* makes each drag's merge key its own */
  gboolean drag_extends;
  gboolean alt_held; /* when the drag began */

  GHashTable *moved; /* ids of what is being moved; NULL: nothing is */
  double moved_x, moved_y; /* so far, scene */
  gboolean landed; /* it was let go, and stays there until the scene has it there */
  HeddlePresentation *live; /* the presentation with it moved, which is laid out; NULL: the document's is */
  GArray *snap_others; /* of graphene_rect_t, scene */
  graphene_rect_t snap_bounds; /* of what is moved, before */
  graphene_rect_t guide_x, guide_y; /* lines, scene */
  gboolean snapped_x, snapped_y; /* they are drawn */

  GArray *glide_from; /* of HeddleNudge: where what is being tidied was; or NULL */
  guint glide_tick;
  gint64 glide_start; /* frame time; 0: at the next */

  HeddleHit drop; /* the wire that a drop would go to */
  gboolean drop_legal;
  gboolean dropping; /* something is held over the canvas */
  GArray *drop_values; /* values whose wires would take what is held */
  gconstpointer drop_entry; /* what drop_values were found for */
  double paint_x, paint_y; /* widget: how far a level held was drawn */
  GArray *painted; /* of const char *: operations that the level held was drawn over; NULL: none is held */
  char *drop_reason;

  GtkWidget *entry; /* the label being edited, or NULL */
  const char *edited;
  double entry_x, entry_y; /* scene */
  GtkWidget *entry_error;
  guint leaving; /* idle source: the focus has left it */

  GtkWidget *refusal, *refusal_card; /* or NULL */
  GtkWidget *hover_card; /* what is under the pointer, in words; or NULL */
  guint hovering; /* source: it is to come */
  GtkWidget *menu; /* or NULL */
  double menu_x, menu_y; /* where it was opened, widget */

  GPtrArray *access; /* of GtkWidget: invisible children for assistive technology */
  guint access_meaning; /* of the diagram that they are of; 0: of none */
  gboolean refused; /* a refusal is drawn */
};
