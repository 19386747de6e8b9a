/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/problem.h"
#include "figure/scene/draw.h"
#include "files/ncd/write.h"
#include "files/picture/pdf-whole.h"
#include "files/picture/picture.h"

#include <cairo-pdf.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define DEFAULT_DPI 192.
/* A shadow of a PDF: how many frames, and how far they reach, in sigmas. */
#define SHADOW_FRAMES 12
#define SHADOW_REACH 2.6
#define MOST_PIXELS 32000. /* a side; Cairo's own limit is 32767 */
#define MOST_AREA 4e8
#define MOST_UNCOVERED 10000 /* items of a PDF page that Cairo is left to add up */

/* Returns the part of a scene that is shown, with a little margin, and its width in print. */
HeddlePage
heddle_page_for (const HeddleScene *scene, const HeddlePictureOptions *options)
{
  HeddlePage page;

  heddle_scene_get_bounds (scene, &page.x, &page.y, &page.width, &page.height);
  page.x -= HEDDLE_PAGE_MARGIN;
  page.y -= HEDDLE_PAGE_MARGIN;
  page.width += 2. * HEDDLE_PAGE_MARGIN;
  page.height += 2. * HEDDLE_PAGE_MARGIN;
  page.width_pt = options->width_pt > 0. ? options->width_pt : page.width * HEDDLE_POINTS_PER_PX;
  page.height_pt = page.height * page.width_pt / page.width;
  return page;
}

void
heddle_picture_append_number (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE + 320];

  g_ascii_formatd (buffer, sizeof buffer, "%.3f", value);
  gsize length = strlen (buffer);
  while (buffer[length - 1] == '0')
    length--;
  if (buffer[length - 1] == '.')
    length--;
  buffer[length] = '\0';
  g_string_append (text, g_str_equal (buffer, "-0") ? "0" : buffer);
}

char *
heddle_picture_hash (const char *drawing, gsize length, const char *source)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) drawing, length);
  g_checksum_update (checksum, (const guchar *) source, strlen (source));
  return g_strdup (g_checksum_get_string (checksum));
}

static void
report (GPtrArray *problems, HeddleSeverity severity, const char *file_name, const char *message)
{
  HeddleProblem *problem = heddle_problem_new (severity, NULL, "%s", message);

  problem->file = g_strdup (file_name);
  g_ptr_array_add (problems, problem);
}

void
heddle_picture_report_bare (GPtrArray *problems, const char *file_name)
{
  report (problems, HEDDLE_SEVERITY_ERROR, file_name,
      "the picture holds no diagram: it was exported without its source, or not by Heddle");
}

void
heddle_picture_report_stale (GPtrArray *problems, const char *file_name)
{
  report (problems, HEDDLE_SEVERITY_WARNING, file_name,
      "the picture was changed after it was exported; what opens is the diagram it was exported from");
}

static cairo_status_t
append_to_array (gpointer data, const guchar *bytes, guint length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static gboolean
succeeded (cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT, _ ("The picture cannot be made: %s"),
      cairo_status_to_string (status));
  return FALSE;
}

static void
paint_paper (cairo_surface_t *surface, const HeddleColor *paper)
{
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, paper->r, paper->g, paper->b);
  cairo_paint (cr);
  cairo_destroy (cr);
}

static void
fill_with (cairo_t *cr, const HeddleColor *color, double alpha)
{
  cairo_set_source_rgba (cr, color->r, color->g, color->b, alpha);
  cairo_fill (cr);
}

static void
trace_frame (cairo_t *cr, const HeddleItem *shadow, double out)
{
  const double x = shadow->x - out, y = shadow->y - out, width = shadow->width + 2. * out,
               height = shadow->height + 2. * out;
  const double r = MIN (shadow->radius + out, MIN (width, height) / 2.);

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI_2, 0.);
  cairo_arc (cr, x + width - r, y + height - r, r, 0., G_PI_2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

/* Draws a shadow without pixels. A blurred edge has at a distance outside the rectangle its colour times the
 * share of a Gaussian beyond that. Frames one inside the other are laid on one another until they have it;
 * what is further inside is under the box itself. */
static void
draw_frames (cairo_t *cr, const HeddleItem *shadow)
{
  double laid = 0.;

  if (!(shadow->sigma > 0.))
    return;
  for (int i = SHADOW_FRAMES - 1; i >= 0; i--)
    {
      const double out = (i + 0.5) * SHADOW_REACH / SHADOW_FRAMES;
      const double wanted = shadow->fill_color.a * 0.5 * erfc (out / G_SQRT2);

      trace_frame (cr, shadow, out * shadow->sigma);
      fill_with (cr, &shadow->fill_color, (wanted - laid) / (1. - laid));
      laid = wanted;
    }
}

/* Draws an item as @how says; of a page of @vectors no part is made of dots. */
static void
draw_item (cairo_t *cr, const HeddleItem *item, const HeddlePictureOptions *how, gboolean vectors)
{
  if (how->wordless && heddle_item_is_lettering (item))
    return;
  if (item->kind == HEDDLE_ITEM_SHADOW && vectors)
    draw_frames (cr, item);
  else if (item->kind == HEDDLE_ITEM_TEXT && how->outlines)
    {
      heddle_item_text_path (item, cr);
      fill_with (cr, &item->fill_color, item->fill_color.a);
    }
  else
    heddle_item_draw (item, cr);
}

/* A path around the whole page that fills nothing, as it goes around twice. Cairo adds up the areas that a PDF page covers, which takes it the square of
 * their number unless the first of them has all others in it. */
static void
cover_page (cairo_t *cr, const HeddlePage *page)
{
  cairo_rectangle (cr, page->x, page->y, page->width, page->height);
  cairo_rectangle (cr, page->x, page->y, page->width, page->height);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_fill (cr);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_WINDING);
}

static cairo_status_t
draw_page (cairo_surface_t *surface, const HeddleScene *scene, const HeddlePage *page, double scale,
    const HeddlePictureOptions *how, gboolean vectors)
{
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -page->x, -page->y);
  if (vectors && heddle_scene_get_n_items (scene) > MOST_UNCOVERED)
    cover_page (cr, page);
  if (!how->outlines && !vectors) /* at once is faster */
    heddle_scene_draw (scene, cr);
  for (guint i = 0; (how->outlines || vectors) && i < heddle_scene_get_n_items (scene); i++)
    draw_item (cr, heddle_scene_get_item (scene, i), how, vectors);
  const cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

/* Puts the document as text into the keywords, where it is found again. The date is fixed, so that the same
 * scene gives the same bytes. */
static gboolean
describe_pdf (cairo_surface_t *surface, const HeddlePictureOptions *options, GError **error)
{
  gsize length;

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Heddle");
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  if (options->source == NULL)
    return TRUE;
  g_autofree char *source = heddle_ncd_write (options->source, &length, error);
  if (source == NULL)
    return FALSE;
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, HEDDLE_NCD_NAMESPACE);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_KEYWORDS, source);
  return TRUE;
}

/* Draws page number @i of @scenes, as wide as it is to be. */
static gboolean
add_page (cairo_surface_t *surface, const GPtrArray *scenes, guint i, double width_pt,
    const HeddlePictureOptions *options, GError **error)
{
  const HeddleScene *scene = scenes->pdata[i];
  const HeddlePage page = heddle_page_for (scene, &(HeddlePictureOptions){ .width_pt = width_pt });

  if (i > 0)
    cairo_surface_show_page (surface);
  cairo_pdf_surface_set_size (surface, page.width_pt, page.height_pt);
  if (options->paper != NULL)
    paint_paper (surface, options->paper);
  return succeeded (draw_page (surface, scene, &page, page.width_pt / page.width, options, TRUE), error);
}

GBytes *
heddle_pdf_write_pages (
    const GPtrArray *scenes, const double *widths_pt, const HeddlePictureOptions *options, GError **error)
{
  g_return_val_if_fail (scenes != NULL && scenes->len > 0 && options != NULL, NULL);

  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append_to_array, bytes, 1., 1.);
  gboolean good = describe_pdf (surface, options, error);
  for (guint i = 0; good && i < scenes->len; i++)
    good = add_page (surface, scenes, i, widths_pt[i], options, error);
  cairo_surface_finish (surface);
  if (good)
    good = succeeded (cairo_surface_status (surface), error);
  cairo_surface_destroy (surface);
  /* Cairo leaves out a font for which it finds no memory, and says that all is well. */
  if (good && !heddle_pdf_is_whole ((const char *) bytes->data, bytes->len))
    good = succeeded (CAIRO_STATUS_NO_MEMORY, error);
  return good ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}

GBytes *
heddle_pdf_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error)
{
  g_return_val_if_fail (scene != NULL, NULL);

  const HeddlePictureOptions plain = { 0 };
  gpointer only = (gpointer) scene;
  const GPtrArray scenes = { .pdata = &only, .len = 1 };

  options = options != NULL ? options : &plain;
  return heddle_pdf_write_pages (&scenes, &options->width_pt, options, error);
}

GBytes *
heddle_png_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error)
{
  g_return_val_if_fail (scene != NULL, NULL);

  const HeddlePictureOptions plain = { 0 };
  const HeddleColor white = { 1., 1., 1., 1. };
  options = options != NULL ? options : &plain;
  const HeddlePage page = heddle_page_for (scene, options);
  const double dots = (options->dpi > 0. ? options->dpi : DEFAULT_DPI) / 72.;
  const double width = ceil (page.width_pt * dots), height = ceil (page.height_pt * dots);
  if (!(width <= MOST_PIXELS) || !(height <= MOST_PIXELS) || !(width * height <= MOST_AREA))
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT,
          _ ("The picture would be %.0f × %.0f dots; choose fewer dots an inch, or SVG or PDF"), width,
          height);
      return NULL;
    }
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);
  /* The picture is shown on any background. */
  paint_paper (surface, options->paper != NULL ? options->paper : &white);
  gboolean good = succeeded (
      draw_page (surface, scene, &page, page.width_pt * dots / page.width, options, FALSE), error);
  if (good)
    good = succeeded (cairo_surface_write_to_png_stream (surface, append_to_array, bytes), error);
  cairo_surface_destroy (surface);
  return good ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}
