/* SPDX-License-Identifier: MIT */

#include "app/widgets/wrap-box.h"

struct _HeddleWrapBox
{
  GtkWidget parent_instance;
  int spacing;
  int width; /* that it was given; 0: none yet */
  guint resize_source;
};

/* The height of as many rows is kept free where the height is asked for before the width is known. */
#define MOST_ROWS_KEPT 2

G_DEFINE_FINAL_TYPE (HeddleWrapBox, heddle_wrap_box, GTK_TYPE_WIDGET)

static GtkWidget *
next_visible (GtkWidget *child)
{
  while (child != NULL && !gtk_widget_should_layout (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkWidget *
first_child (HeddleWrapBox *self)
{
  return next_visible (gtk_widget_get_first_child (GTK_WIDGET (self)));
}

static GtkWidget *
after (GtkWidget *child)
{
  return next_visible (gtk_widget_get_next_sibling (child));
}

/* Returns what the child takes of a row this wide: one that expands is content with little, and one that
 * does not has a row of its own before it is squeezed. */
static int
own_width (GtkWidget *child, int width)
{
  int least, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
  return gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL) ? least
                                                                       : MAX (least, MIN (natural, width));
}

/* A row is some children from @first on. */
typedef struct
{
  GtkWidget *first, *end; /* @end is the first that is on the next row; NULL: none */
  int spare; /* width that none needs */
  guint n_expand;
} Row;

static Row
find_row (HeddleWrapBox *self, GtkWidget *first, int width)
{
  Row row = { .first = first, .spare = width - own_width (first, width) };

  row.n_expand = gtk_widget_compute_expand (first, GTK_ORIENTATION_HORIZONTAL);
  for (row.end = after (first); row.end != NULL; row.end = after (row.end))
    {
      const int more = self->spacing + own_width (row.end, width);

      if (more > row.spare)
        break;
      row.spare -= more;
      row.n_expand += gtk_widget_compute_expand (row.end, GTK_ORIENTATION_HORIZONTAL);
    }
  row.spare = MAX (0, row.spare);
  return row;
}

/* Shares what is left over among those that expand. */
static GArray *
share_widths (Row row, int width)
{
  GArray *widths = g_array_new (FALSE, TRUE, sizeof (int));

  for (GtkWidget *child = row.first; child != row.end; child = after (child))
    {
      int own = own_width (child, width);

      if (gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL))
        {
          const int more = row.spare / (int) row.n_expand--;

          row.spare -= more;
          own += more;
        }
      g_array_append_val (widths, own);
    }
  return widths;
}

static int
row_height (const Row *row, const GArray *widths)
{
  guint i = 0;
  int height = 0;

  for (GtkWidget *child = row->first; child != row->end; child = after (child))
    {
      int natural;

      gtk_widget_measure (
          child, GTK_ORIENTATION_VERTICAL, g_array_index (widths, int, i++), NULL, &natural, NULL, NULL);
      height = MAX (height, natural);
    }
  return height;
}

/* --- the widget --- */

static GtkSizeRequestMode
heddle_wrap_box_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure_width (HeddleWrapBox *self, int *minimum, int *natural)
{
  for (GtkWidget *child = first_child (self); child != NULL; child = after (child))
    {
      int least, wanted;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
      *minimum = MAX (*minimum, least);
      *natural += wanted + (*natural > 0 ? self->spacing : 0);
    }
}

/* Returns the height of the first @most rows, or of all where there are fewer, of a box of that width. */
static int
height_for (HeddleWrapBox *self, int width, guint most)
{
  int height = 0;

  for (GtkWidget *child = first_child (self); child != NULL && most > 0; most--)
    {
      const Row row = find_row (self, child, width);
      g_autoptr (GArray) widths = share_widths (row, width);

      height += row_height (&row, widths) + (height > 0 ? self->spacing : 0);
      child = row.end;
    }
  return height;
}

static int
height_without_width (HeddleWrapBox *self)
{
  return height_for (self, self->width > 0 ? self->width : G_MAXINT / 2, MOST_ROWS_KEPT);
}

static void
heddle_wrap_box_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
    int *natural, int *minimum_baseline, int *natural_baseline)
{
  HeddleWrapBox *self = HEDDLE_WRAP_BOX (widget);

  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      measure_width (self, minimum, natural);
      return;
    }
  if (for_size >= 0)
    *minimum = height_for (self, for_size, G_MAXUINT);
  else
    *minimum = height_without_width (self);
  *natural = *minimum;
}

static void
allocate_row (HeddleWrapBox *self, const Row *row, const GArray *widths, int y, int width, int height)
{
  const gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  const gboolean centred = gtk_widget_get_halign (GTK_WIDGET (self)) == GTK_ALIGN_CENTER;
  guint i = 0;
  int x = centred && row->n_expand == 0 ? row->spare / 2 : 0;

  for (GtkWidget *child = row->first; child != row->end; child = after (child))
    {
      const int own = g_array_index (widths, int, i++);

      gtk_widget_size_allocate (
          child, &(GtkAllocation){ mirrored ? width - x - own : x, y, own, height }, -1);
      x += own + self->spacing;
    }
}

static void
ask_for_room (gpointer data)
{
  HeddleWrapBox *self = data;

  self->resize_source = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* Remembers the width, since a scrolled window asks for the height without one. */
static void
remember_width (HeddleWrapBox *self, int width)
{
  const int before = height_without_width (self);

  self->width = width;
  if (height_without_width (self) != before && self->resize_source == 0)
    self->resize_source = g_idle_add_once (ask_for_room, self);
}

static void
heddle_wrap_box_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  HeddleWrapBox *self = HEDDLE_WRAP_BOX (widget);
  int y = 0;

  remember_width (self, width);
  for (GtkWidget *child = first_child (self); child != NULL;)
    {
      const Row row = find_row (self, child, width);
      g_autoptr (GArray) widths = share_widths (row, width);
      const int own = row_height (&row, widths);

      allocate_row (self, &row, widths, y, width, own);
      y += own + self->spacing;
      child = row.end;
    }
}

static void
heddle_wrap_box_dispose (GObject *object)
{
  GtkWidget *child;

  g_clear_handle_id (&HEDDLE_WRAP_BOX (object)->resize_source, g_source_remove);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (heddle_wrap_box_parent_class)->dispose (object);
}

/* "spacing" is the only property, for templates. */
static void
heddle_wrap_box_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HEDDLE_WRAP_BOX (object)->spacing = g_value_get_int (value);
}

static void
heddle_wrap_box_class_init (HeddleWrapBoxClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->set_property = heddle_wrap_box_set_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), 1,
      g_param_spec_int ("spacing", NULL, NULL, 0, G_MAXINT, 0,
          G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
  G_OBJECT_CLASS (klass)->dispose = heddle_wrap_box_dispose;
  widget_class->get_request_mode = heddle_wrap_box_get_request_mode;
  widget_class->measure = heddle_wrap_box_measure;
  widget_class->size_allocate = heddle_wrap_box_size_allocate;
}

static void
heddle_wrap_box_init (HeddleWrapBox *self)
{
}

GtkWidget *
heddle_wrap_box_new (int spacing)
{
  return g_object_new (HEDDLE_TYPE_WRAP_BOX, "spacing", spacing, NULL);
}

void
heddle_wrap_box_append (HeddleWrapBox *self, GtkWidget *child)
{
  g_return_if_fail (HEDDLE_IS_WRAP_BOX (self));

  gtk_widget_insert_before (child, GTK_WIDGET (self), NULL);
}
