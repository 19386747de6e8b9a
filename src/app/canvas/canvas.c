/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/canvas/access.h"
#include "app/canvas/canvas.h"
#include "app/canvas/compose.h"
#include "app/canvas/drag.h"
#include "app/canvas/drop.h"
#include "app/canvas/edit.h"
#include "app/canvas/hover-card.h"
#include "app/canvas/keys.h"
#include "app/canvas/menu.h"
#include "app/canvas/move.h"
#include "app/canvas/overlay.h"
#include "app/canvas/pick.h"
#include "app/canvas/private.h"
#include "app/canvas/refusal.h"
#include "app/canvas/render.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/sheet.h"
#include "app/canvas/tidy.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/edits/definitions.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/draw.h"
#include "figure/scene/scene.h"

G_DEFINE_FINAL_TYPE (HeddleCanvas, heddle_canvas, GTK_TYPE_WIDGET)

enum
{
  PROP_ZOOM = 1,
  PROP_CROWDED,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

static void
drop_scene (HeddleCanvas *self)
{
  heddle_canvas_drop_sheets (self);
  g_clear_pointer (&self->visible, g_array_unref);
  heddle_scene_let_go (g_steal_pointer (&self->scene), g_steal_pointer (&self->index));
}

void
heddle_canvas_invalidate (HeddleCanvas *self)
{
  if (!heddle_canvas_compose_later (self))
    {
      heddle_canvas_compose_stop (self);
      drop_scene (self);
      heddle_canvas_compose_ahead (self);
    }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
has_labels (const HeddleSchedule *schedule)
{
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    if (((const HeddleRegion *) g_ptr_array_index (schedule->regions, i))->labels->len > 0)
      return TRUE;
  return FALSE;
}

/* The colours, tags and costs of a schedule appear with the first label. */
static HeddleShow
shown_parts (const HeddleFigure *figure)
{
  if (has_labels (figure->schedule))
    return HEDDLE_SHOW_LABELS | (figure->derivation != NULL ? HEDDLE_SHOW_COLUMNS : 0);
  return figure->schedule != NULL ? HEDDLE_SHOW_LABELS : 0;
}

void
heddle_canvas_get_figure (HeddleCanvas *self, HeddleFigure *figure, HeddleSchedule **schedule)
{
  *figure = (HeddleFigure){ .diagram = heddle_editor_get_diagram (self->editor) };
  figure->schedule = *schedule = heddle_editor_dup_canvas_schedule (self->editor);
  figure->presentation = self->live;
  if (self->live == NULL)
    figure->presentation
        = heddle_snapshot_find_presentation (heddle_editor_get_snapshot (self->editor), figure->diagram);
  /* What a call costs is no column of the diagram that calls. */
  if (!heddle_diagram_has_calls (figure->diagram))
    figure->derivation = heddle_editor_get_shown_derivation (self->editor);
  figure->sizes = heddle_editor_get_sizes (self->editor, NULL);
  figure->theme = self->dark ? HEDDLE_THEME_DARK : self->contrast ? HEDDLE_THEME_CONTRAST : self->theme;
  figure->show = shown_parts (figure);
}

void
heddle_canvas_take_scene (HeddleCanvas *self, HeddleScene *scene, HeddleSceneIndex *index)
{
  drop_scene (self);
  self->scene = scene;
  self->index = index;
  self->extent = index->extent;
  self->scene_diagram = heddle_editor_get_diagram (self->editor)->id;
  if (self->landed)
    heddle_canvas_move_cancel (self);
  if (self->fitting)
    heddle_canvas_refit (self);
  if (self->revealing != NULL)
    heddle_canvas_reveal (self, self->revealing);
  heddle_canvas_tell_view (self);
}

void
heddle_canvas_ensure_scene (HeddleCanvas *self)
{
  HeddleFigure figure;
  HeddleSchedule *schedule = NULL;
  HeddleScene *scene = NULL;

  if (self->scene != NULL || self->editor == NULL || heddle_editor_get_diagram (self->editor) == NULL)
    return;
  if (heddle_canvas_compose_await (self))
    return;
  heddle_canvas_get_figure (self, &figure, &schedule);
  scene = heddle_figure_compose (heddle_editor_get_snapshot (self->editor), &figure);
  heddle_canvas_take_scene (self, scene, heddle_scene_index_new (scene));
  g_clear_pointer (&schedule, heddle_schedule_free);
}

static void
heddle_canvas_measure (
    GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *a, int *b)
{
  *minimum = 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 400;
}

static void
heddle_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  HeddleCanvas *self = HEDDLE_CANVAS (widget);

  heddle_canvas_ensure_scene (self);
  if (self->fitting)
    heddle_canvas_refit (self);
  heddle_canvas_update_crowded (self);
  heddle_canvas_tell_view (self);
  heddle_canvas_edit_allocate (self);
  heddle_canvas_access_allocate (self);
  heddle_canvas_hover_card_allocate (self);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child))
      gtk_popover_present (GTK_POPOVER (child));
}

static void
heddle_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  HeddleCanvas *self = HEDDLE_CANVAS (widget);
  graphene_rect_t area
      = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget));

  heddle_canvas_ensure_scene (self);
  gtk_snapshot_push_clip (snapshot, &area);
  if (self->theme != HEDDLE_THEME_LIGHT)
    gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 1, 1, 1, 1 }, &area); /* paper, in the dark style too */
  heddle_canvas_snapshot_scene (self, snapshot);
  heddle_canvas_draw_over (self, snapshot);
  if (self->entry != NULL)
    gtk_widget_snapshot_child (widget, self->entry, snapshot);
  heddle_canvas_hover_card_snapshot (self, snapshot);
  gtk_snapshot_pop (snapshot);
}

/* What is held is not let go of here any more: it is as it was. */
static void
heddle_canvas_unmap (GtkWidget *widget)
{
  heddle_canvas_cancel_drag (HEDDLE_CANVAS (widget));
  GTK_WIDGET_CLASS (heddle_canvas_parent_class)->unmap (widget);
}

static void
read_style (HeddleCanvas *self)
{
  self->dark
      = self->theme == HEDDLE_THEME_LIGHT && adw_style_manager_get_dark (adw_style_manager_get_default ());
  self->contrast = self->theme == HEDDLE_THEME_LIGHT
                   && adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
}

static void
on_style_changed (HeddleCanvas *self)
{
  read_style (self);
  heddle_canvas_invalidate (self);
}

void
heddle_canvas_set_theme (HeddleCanvas *self, const char *name)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  self->theme = g_strcmp0 (name, "paper") == 0      ? HEDDLE_THEME_PAPER
                : g_strcmp0 (name, "contrast") == 0 ? HEDDLE_THEME_CONTRAST
                                                    : HEDDLE_THEME_LIGHT;
  on_style_changed (self);
}

static void
on_document_changed (HeddleCanvas *self)
{
  self->hover = (HeddleHit){ 0 };
  heddle_canvas_hover_card_hide (self);
  heddle_canvas_glide_end (self);
  heddle_canvas_cancel_drag (self); /* what it held may be gone */
  heddle_canvas_drop_clear (self);
  heddle_canvas_edit_cancel (self);
  heddle_canvas_invalidate (self);
  heddle_canvas_access_update (self);
}

/* What is drawn of a derivation is what kernels with labels cost. */
static void
on_derivation_changed (HeddleCanvas *self)
{
  HeddleSchedule *schedule = heddle_editor_dup_canvas_schedule (self->editor);
  const gboolean labelled = has_labels (schedule);

  g_clear_pointer (&schedule, heddle_schedule_free);
  if (labelled)
    heddle_canvas_invalidate (self);
}

/* The picture of a large diagram stays until a worker has the next one. */
static void
on_preview_changed (HeddleCanvas *self)
{
  const gboolean refused = heddle_editor_get_refusal (self->editor) != NULL;

  if (refused || self->refused || !heddle_canvas_compose_later (self))
    heddle_canvas_invalidate (self);
  self->refused = refused;
}

static void
on_selection_changed (HeddleCanvas *self)
{
  heddle_canvas_access_select (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
heddle_canvas_set_editor (HeddleCanvas *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  if (self->editor == editor)
    return;
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  self->scene_diagram = NULL; /* what is shown is no other document's */
  self->access_meaning = 0;
  self->refused = FALSE;
  g_set_object (&self->editor, editor);
  heddle_canvas_refusal_set_editor (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "here", NULL); /* what the menu was of */
  /* Without a document there is nothing to point at, also while the page fades out. */
  gtk_widget_set_sensitive (GTK_WIDGET (self), editor != NULL);
  if (editor == NULL)
    {
      heddle_canvas_invalidate (self);
      return;
    }
  g_signal_connect_object (editor, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      editor, "derivation-changed", G_CALLBACK (on_derivation_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      editor, "preview-changed", G_CALLBACK (on_preview_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      editor, "preview-changed", G_CALLBACK (heddle_canvas_refusal_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      editor, "selection-changed", G_CALLBACK (on_selection_changed), self, G_CONNECT_SWAPPED);
  self->fitting = TRUE;
  on_document_changed (self);
}

HeddleScene *
heddle_canvas_get_scene (HeddleCanvas *self)
{
  g_return_val_if_fail (HEDDLE_IS_CANVAS (self), NULL);

  heddle_canvas_ensure_scene (self);
  return self->scene;
}

static void
heddle_canvas_dispose (GObject *object)
{
  HeddleCanvas *self = HEDDLE_CANVAS (object);

  heddle_canvas_edit_cancel (self);
  heddle_canvas_hover_card_hide (self);
  self->hover_card = NULL; /* unparented with the other children */
  heddle_canvas_glide_end (self);
  g_clear_handle_id (&self->telling_view, g_source_remove);
  heddle_canvas_compose_stop (self);
  heddle_canvas_move_cancel (self);
  heddle_canvas_drop_clear (self);
  g_clear_pointer (&self->access, g_ptr_array_unref);
  drop_scene (self);
  g_clear_pointer (&self->lettering, heddle_lettering_free);
  heddle_canvas_set_editor (self, NULL);
  while (gtk_widget_get_first_child (GTK_WIDGET (self)) != NULL)
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (self)));
  G_OBJECT_CLASS (heddle_canvas_parent_class)->dispose (object);
}

static void
heddle_canvas_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ZOOM)
    g_value_set_double (value, HEDDLE_CANVAS (object)->zoom);
  else
    g_value_set_boolean (value, HEDDLE_CANVAS (object)->crowded);
}

static void
heddle_canvas_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  heddle_canvas_set_zoom (HEDDLE_CANVAS (object), g_value_get_double (value));
}

static void
heddle_canvas_class_init (HeddleCanvasClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = heddle_canvas_dispose;
  object_class->get_property = heddle_canvas_get_property;
  object_class->set_property = heddle_canvas_set_property;
  widget_class->measure = heddle_canvas_measure;
  widget_class->unmap = heddle_canvas_unmap;
  widget_class->size_allocate = heddle_canvas_size_allocate;
  widget_class->snapshot = heddle_canvas_snapshot;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST_BOX);

  properties[PROP_ZOOM] = g_param_spec_double (
      "zoom", NULL, NULL, 0.01, 100, 1, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_CROWDED] = g_param_spec_boolean (
      "crowded", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  g_signal_new ("view-changed", HEDDLE_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new (
      "insert-requested", HEDDLE_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_canvas_init (HeddleCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->zoom = 1;
  self->fitting = TRUE;
  self->theme = HEDDLE_THEME_LIGHT;
  self->access = g_ptr_array_new_with_free_func ((GDestroyNotify) gtk_widget_unparent);
  read_style (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
      G_CALLBACK (on_style_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_style_changed),
      self, G_CONNECT_SWAPPED);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_direction (
      widget, GTK_TEXT_DIR_LTR); /* a diagram reads from left to right in every language */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Diagram"),
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      _ ("Brackets go from thing to thing, braces from axis to axis; the outline lists everything"),
      GTK_ACCESSIBLE_PROPERTY_MULTI_SELECTABLE, TRUE, -1);
  heddle_canvas_view_init (self);
  heddle_canvas_pick_init (self);
  heddle_canvas_drag_init (self);
  heddle_canvas_drop_init (self);
  heddle_canvas_keys_init (self);
  heddle_canvas_menu_init (self);
}

GtkWidget *
heddle_canvas_new (void)
{
  return g_object_new (HEDDLE_TYPE_CANVAS, NULL);
}
