/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/canvas/canvas.h"
#include "app/canvas/scene-index.h"
#include "figure/scene/lettering.h"

G_BEGIN_DECLS

typedef enum
{
  HEDDLE_HIT_NOTHING,
  HEDDLE_HIT_OPERATION,
  HEDDLE_HIT_WIRE,
  HEDDLE_HIT_AXIS_LABEL,
  HEDDLE_HIT_VALUE_LABEL,
  HEDDLE_HIT_NOTE, /* or a block: `operation` is its id */
} HeddleHitKind;

/* What is under the pointer. All ids interned, so that a hit outlives the scene. */
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

/* A part of the scene as pixels at one zoom. */
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

  double zoom, pan_x, pan_y; /* widget = scene * zoom + pan */
  gboolean fitting; /* keeps all in view */
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
  GtkWidget *menu; /* or NULL */
  double menu_x, menu_y; /* where it was opened, widget */

  GPtrArray *access; /* of GtkWidget: invisible children for assistive technology */
  guint access_meaning; /* of the diagram that they are of; 0: of none */
  gboolean refused; /* a refusal is drawn */
};

/* canvas.c */
void heddle_canvas_invalidate (HeddleCanvas *self);
void heddle_canvas_ensure_scene (HeddleCanvas *self);
/* The scene is there: all that follows from it. Both are taken. */
void heddle_canvas_take_scene (HeddleCanvas *self, HeddleScene *scene, HeddleSceneIndex *index);
/* The figure to be drawn now. @schedule: what it holds of its own, to be freed. */
void heddle_canvas_get_figure (HeddleCanvas *self, HeddleFigure *figure, HeddleSchedule **schedule);

/* canvas-compose.c: large diagrams are laid out by a worker thread, while the scene before is shown. FALSE: it is to be made at once. */
gboolean heddle_canvas_compose_later (HeddleCanvas *self);
/* Has a worker thread begin with the first scene of a large diagram, while the rest of the window is made. */
void heddle_canvas_compose_ahead (HeddleCanvas *self);
/* Takes what was begun ahead, when it is there. FALSE: nothing that is still right was begun. */
gboolean heddle_canvas_compose_await (HeddleCanvas *self);
void heddle_canvas_compose_stop (HeddleCanvas *self);
gboolean heddle_canvas_is_composing (HeddleCanvas *self);

/* canvas-view.c */
void heddle_canvas_view_init (HeddleCanvas *self);
void heddle_canvas_to_scene (HeddleCanvas *self, double widget_x, double widget_y, double *x, double *y);
void heddle_canvas_zoom_at (HeddleCanvas *self, double zoom, double widget_x, double widget_y);
void heddle_canvas_pan_by (HeddleCanvas *self, double dx, double dy);
void heddle_canvas_refit (HeddleCanvas *self);
void heddle_canvas_update_crowded (HeddleCanvas *self);
/* Says so, but not in the midst of an allocation or of drawing. */
void heddle_canvas_tell_view (HeddleCanvas *self);

/* canvas-pick.c */
void heddle_canvas_pick_init (HeddleCanvas *self);
HeddleHit heddle_canvas_pick (HeddleCanvas *self, double widget_x, double widget_y);
gboolean heddle_hit_equal (const HeddleHit *a, const HeddleHit *b);
/* Selects what is there, as a click does; what is selected stays so where it is there. */
void heddle_canvas_select_at (HeddleCanvas *self, double widget_x, double widget_y);
/* What the scene that is there covers. */
void heddle_canvas_get_extent (HeddleCanvas *self, double *x, double *y, double *width, double *height);

gboolean heddle_canvas_object_bounds (
    HeddleCanvas *self, const char *id, graphene_rect_t *bounds); /* scene */
/* Adds to @ids the operations that the rectangle (widget) touches. */
void heddle_canvas_pick_rectangle (HeddleCanvas *self, const graphene_rect_t *rectangle, GArray *ids);

/* canvas-drag.c, canvas-drop.c, canvas-keys.c */
void heddle_canvas_drag_init (HeddleCanvas *self);
/* Puts back what is being dragged; FALSE: nothing is. */
gboolean heddle_canvas_cancel_drag (HeddleCanvas *self);
void heddle_canvas_drop_init (HeddleCanvas *self);

/* canvas-unify.c */
/* Asks whether axis @from is @into; @reason: why they do not contract. */
void heddle_canvas_offer_to_unify (
    HeddleCanvas *self, const char *from, const char *into, const char *reason);
void heddle_canvas_drop_clear (HeddleCanvas *self);
void heddle_canvas_keys_init (HeddleCanvas *self);

/* canvas-move.c: what is selected moves with the pointer */
gboolean heddle_canvas_is_moving (HeddleCanvas *self);
void heddle_canvas_move_begin (HeddleCanvas *self);
void heddle_canvas_move_to (HeddleCanvas *self, double dx, double dy, gboolean freely);
void heddle_canvas_move_end (HeddleCanvas *self);
void heddle_canvas_move_cancel (HeddleCanvas *self);
/* Whether the item is drawn moved_x and moved_y from where the scene has it. */
gboolean heddle_canvas_is_carried (HeddleCanvas *self, const HeddleItem *item);

/* Whether the diagram is laid out within a fraction of a frame. */
gboolean heddle_canvas_is_quick (HeddleCanvas *self);

/* canvas-tidy.c */
void heddle_canvas_glide_end (HeddleCanvas *self);

/* canvas-snap.c: it falls into line with others */
void heddle_canvas_snap_begin (HeddleCanvas *self);
void heddle_canvas_snap_end (HeddleCanvas *self);
void heddle_canvas_snap (HeddleCanvas *self, double *dx, double *dy, gboolean freely);
void heddle_canvas_draw_guides (HeddleCanvas *self, cairo_t *cr);

/* canvas-wrap.c: the edge that lines are wrapped at */
gboolean heddle_canvas_is_on_wrap (HeddleCanvas *self, double x);
void heddle_canvas_drag_wrap (HeddleCanvas *self, double x);
void heddle_canvas_draw_wrap (HeddleCanvas *self, GtkSnapshot *snapshot);

/* canvas-refusal.c: the card that says why a label cannot be */
void heddle_canvas_refusal_set_editor (HeddleCanvas *self);
void heddle_canvas_refusal_update (HeddleCanvas *self);

/* canvas-menu.c */
void heddle_canvas_menu_init (HeddleCanvas *self);
gboolean heddle_canvas_open_menu (HeddleCanvas *self);

/* canvas-placing.c: what the menu says of the array that is selected */
void heddle_canvas_append_placing (HeddleCanvas *self, GMenu *menu);

/* canvas-sheet.c: the scene as pixels, which a pan only shows elsewhere */
void heddle_canvas_drop_sheets (HeddleCanvas *self);
/* Draws what of the scene is in view and not there yet, and shows it; @snapshot is already translated by the pan. */
void heddle_canvas_append_sheet (HeddleCanvas *self, GtkSnapshot *snapshot, HeddleSheetKind kind);

/* canvas-render.c, canvas-overlay.c */
void heddle_canvas_snapshot_scene (HeddleCanvas *self, GtkSnapshot *snapshot);
gboolean heddle_item_is_ink (const HeddleItem *item);
void heddle_canvas_draw_under (HeddleCanvas *self, GtkSnapshot *snapshot); /* below the wires: bands */
void heddle_canvas_draw_over (
    HeddleCanvas *self, GtkSnapshot *snapshot); /* outlines, badges, the rubber band */
gboolean heddle_item_is_wire_of (
    const HeddleItem *item, const char *value, const char *axis); /* either may be NULL */

/* canvas-edit.c */
gboolean heddle_canvas_edit_label (HeddleCanvas *self, const char *id, const char *value);
void heddle_canvas_edit_cancel (HeddleCanvas *self);
/* Keeps what was typed, where it is valid, if the focus has left it. */
void heddle_canvas_edit_finish (HeddleCanvas *self);
void heddle_canvas_edit_allocate (HeddleCanvas *self);

/* canvas-access.c */
void heddle_canvas_access_update (HeddleCanvas *self);
void heddle_canvas_access_select (HeddleCanvas *self);
void heddle_canvas_access_allocate (HeddleCanvas *self);

/* canvas-walk.c: selects what comes @step after what is selected, an axis or a thing. FALSE: there is none. */
gboolean heddle_canvas_walk (HeddleCanvas *self, gboolean axes, int step);

/* canvas-paint.c: a level held over a place of the canvas; and let go */
void heddle_canvas_paint_over (HeddleCanvas *self, double x, double y);
gboolean heddle_canvas_paint (HeddleCanvas *self, const GArray *painted, const char *level);

G_END_DECLS
