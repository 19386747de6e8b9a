/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/canvas/private.h"
#include "figure/scene/figure-theme.h"

G_DEFINE_FINAL_TYPE (HeddleCanvas, heddle_canvas, GTK_TYPE_WIDGET)

enum
{
  PROP_ZOOM = 1,
  PROP_CROWDED,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

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
  g_signal_emit_by_name (widget, "allocate");
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child))
      gtk_popover_present (GTK_POPOVER (child));
}

static void
heddle_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  graphene_rect_t area
      = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget));

  gtk_snapshot_push_clip (snapshot, &area);
  if (HEDDLE_CANVAS (widget)->theme != HEDDLE_THEME_LIGHT)
    gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 1, 1, 1, 1 }, &area); /* paper, in the dark style too */
  g_signal_emit_by_name (widget, "draw", snapshot);
  gtk_snapshot_pop (snapshot);
}

static void
on_document_changed (HeddleCanvas *self)
{
  g_signal_emit_by_name (self, "let-go");
  g_signal_emit_by_name (self, "document-changed");
}

void
heddle_canvas_set_editor (HeddleCanvas *self, HeddleEditor *editor)
{
  g_return_if_fail (HEDDLE_IS_CANVAS (self));

  if (self->editor == editor)
    return;
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_set_object (&self->editor, editor);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "here", NULL); /* what the menu was of */
  /* Without a document there is nothing to point at, also while the page fades out. */
  gtk_widget_set_sensitive (GTK_WIDGET (self), editor != NULL);
  g_signal_emit_by_name (self, "editor-changed");
  if (editor == NULL)
    return;
  g_signal_connect_object (editor, "changed", G_CALLBACK (on_document_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      editor, "selection-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (
      editor, "warmth-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  self->fitting = TRUE;
  on_document_changed (self);
}

static void
heddle_canvas_dispose (GObject *object)
{
  HeddleCanvas *self = HEDDLE_CANVAS (object);

  g_signal_emit_by_name (self, "let-go");
  g_signal_emit_by_name (self, "closing");
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
heddle_canvas_class_init (HeddleCanvasClass *class)
{
  static const char *const signals[] = { "editor-changed", "let-go", "document-changed", "scene-taken",
    "scene-dropped", "allocate", "closing", "view-changed", "insert-requested" };
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = heddle_canvas_dispose;
  object_class->get_property = heddle_canvas_get_property;
  widget_class->measure = heddle_canvas_measure;
  widget_class->size_allocate = heddle_canvas_size_allocate;
  widget_class->snapshot = heddle_canvas_snapshot;
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST_BOX);

  properties[PROP_ZOOM] = g_param_spec_double (
      "zoom", NULL, NULL, 0.01, 100, 1, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_CROWDED] = g_param_spec_boolean (
      "crowded", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_new (signals[i], HEDDLE_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new (
      "draw", HEDDLE_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, GTK_TYPE_SNAPSHOT);
}

static void
heddle_canvas_init (HeddleCanvas *self)
{
  self->zoom = 1;
  self->fitting = TRUE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_direction (
      GTK_WIDGET (self), GTK_TEXT_DIR_LTR); /* a diagram reads from left to right in every language */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Diagram"),
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
      _ ("Bracket keys move between objects, brace keys between axes; the outline lists everything"),
      GTK_ACCESSIBLE_PROPERTY_MULTI_SELECTABLE, TRUE, -1);
}
