/* SPDX-License-Identifier: MIT */
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"
#include "files/base/files.h"
#include "files/equations/document.h"
#include "files/ncd/write.h"
#include "files/picture/pdf-read.h"
#include "files/picture/pdf-whole.h"
#include "files/picture/picture.h"
#include "files/picture/svg.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <string.h>

static const char text[] = "Q : f16[y=4096, k=128]\n"
                           "K : f16[x=4096, k]\n"
                           "S[y,x] = Q[y,k] K[x,k] * k^-0.5\n"
                           "P[y,x] = softmax[x](S[y,x])\n";

static HeddleSnapshot *
read_snapshot (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  HeddleSnapshot *snapshot = heddle_equations_read (text, -1, "svg", problems);

  g_assert_nonnull (snapshot);
  return snapshot;
}

static HeddleScene *
render (const HeddleSnapshot *snapshot)
{
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };

  return heddle_figure_render (&figure);
}

static GBytes *
write_svg (const HeddleScene *scene, const HeddlePictureOptions *options)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = heddle_svg_write (scene, options, &error);

  g_assert_no_error (error);
  return bytes;
}

static xmlXPathContextPtr
open_svg (GBytes *bytes)
{
  xmlDocPtr document = xmlReadMemory (
      g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "figure.svg", NULL, XML_PARSE_NONET);
  g_assert_nonnull (document);
  xmlXPathContextPtr context = xmlXPathNewContext (document);
  xmlXPathRegisterNs (context, (const xmlChar *) "s", (const xmlChar *) "http://www.w3.org/2000/svg");
  xmlXPathRegisterNs (context, (const xmlChar *) "h", (const xmlChar *) HEDDLE_NCD_NAMESPACE);
  return context;
}

static void
close_svg (xmlXPathContextPtr context)
{
  xmlDocPtr document = context->doc;

  xmlXPathFreeContext (context);
  xmlFreeDoc (document);
}

static char *
evaluate (xmlXPathContextPtr context, const char *path)
{
  xmlXPathObjectPtr result = xmlXPathEvalExpression ((const xmlChar *) path, context);
  xmlChar *value = xmlXPathCastToString (result);
  char *copy = g_strdup ((const char *) value);

  xmlFree (value);
  xmlXPathFreeObject (result);
  return copy;
}

static void
assert_xpath (xmlXPathContextPtr context, const char *path, const char *expected)
{
  g_autofree char *value = evaluate (context, path);

  g_assert_cmpstr (value, ==, expected);
}

static void
test_structure (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  g_autoptr (GBytes) bytes = write_svg (scene, NULL);
  xmlXPathContextPtr context = open_svg (bytes);

  assert_xpath (context, "count(//s:path[ancestor-or-self::*[@class='glyph']][@data-object='o.P'])", "1");
  assert_xpath (context, "count(//s:filter)", "1");
  assert_xpath (context, "count(//s:rect[@class='shadow'][@filter='url(#heddle-shadow)'])", "4");
  assert_xpath (context, "count(//s:text[ancestor-or-self::*[@class='value']][.='Q'])", "1");
  assert_xpath (context, "count(//s:text[@data-axis='a.k']) > 1", "true");
  assert_xpath (context, "count(//s:metadata)", "0");
  assert_xpath (context, "count(//s:style)", "0");
  assert_xpath (context, "contains(/s:svg/@font-family, 'TeX Gyre Pagella')", "true");
  assert_xpath (context, "count(//s:text[ancestor-or-self::*[@font-style='italic']][.='Q'])", "1");
  assert_xpath (context, "count(//s:text[ancestor-or-self::*[@font-style]][.='SoftMax'])", "0");
  close_svg (context);
}

/* With Pagella absent another font stands in: a run of several letters says how long it is, so that it cannot run into the next. */
static void
test_lengths (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  const HeddleColor black = { 0., 0., 0., 1. };

  heddle_math_layout (
      scene, HEDDLE_PART_ANNOTATION, NULL, "Up_{scale}", HEDDLE_FONT_SANS, 20., black, 0., 0., NULL, NULL);
  heddle_math_layout (
      scene, HEDDLE_PART_ANNOTATION, NULL, "Block", HEDDLE_FONT_SANS, 20., black, 60., 0., NULL, NULL);
  heddle_math_layout (
      scene, HEDDLE_PART_ANNOTATION, NULL, "x", HEDDLE_FONT_MATH, 20., black, 90., 0., NULL, NULL);
  g_autoptr (GBytes) bytes = write_svg (scene, NULL);
  xmlXPathContextPtr context = open_svg (bytes);
  assert_xpath (context, "count(//*[@textLength][@lengthAdjust='spacingAndGlyphs'])", "3");
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      g_autofree char *path = g_strdup_printf (
          "//*[not(*)][.='%s'][@textLength - %.3f < 0.01 and %.3f - @textLength < 0.01]/text()", item->text,
          item->width, item->width);
      if (strlen (item->text) > 1)
        assert_xpath (context, path, item->text);
    }
  assert_xpath (context, "count(//s:text[.='Upscale'])", "1"); /* found and copied as one */
  close_svg (context);
}

/* One px is half a point, so that strokes of 1 px print as 0.5 pt. */
static void
test_size (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  const HeddlePictureOptions wide = { .width_pt = 234. };
  g_autoptr (GBytes) natural = write_svg (scene, NULL), column = write_svg (scene, &wide);
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  xmlXPathContextPtr context = open_svg (natural);
  g_autofree char *across = evaluate (context, "string(/s:svg/@width)");
  g_assert_true (g_str_has_suffix (across, "pt"));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (across, NULL), (width + 4.) / 2., 0.001);
  close_svg (context);
  context = open_svg (column);
  assert_xpath (context, "string(/s:svg/@width)", "234pt");
  close_svg (context);
}

static void
test_source (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  const HeddlePictureOptions options = { .source = snapshot };
  g_autoptr (GBytes) bytes = write_svg (scene, &options), again = write_svg (scene, &options);
  g_autofree char *ncd = heddle_ncd_write (snapshot, NULL, NULL);
  xmlXPathContextPtr context = open_svg (bytes);

  g_assert_true (g_bytes_equal (bytes, again));
  g_autofree char *embedded = evaluate (context, "string(//s:metadata/h:source)");
  g_autofree char *hash = evaluate (context, "string(//s:metadata/h:source/@sha256)");
  g_assert_cmpstr (embedded, ==, ncd);
  g_assert_cmpuint (strlen (hash), ==, 64); /* what it is of: see the reader's tests */
  close_svg (context);
}

static void
test_outlines (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  const HeddlePictureOptions options = { .outlines = TRUE };
  g_autoptr (GBytes) bytes = write_svg (scene, &options), again = write_svg (scene, &options);
  xmlXPathContextPtr context = open_svg (bytes);

  g_assert_true (g_bytes_equal (bytes, again));
  assert_xpath (context, "count(//s:text)", "0");
  assert_xpath (context, "count(//s:style)", "0");
  assert_xpath (context, "count(//s:path[@aria-label='Q'])", "1");
  close_svg (context);
}

/* No number has more than three decimals, whatever the locale. */
static void
test_numbers (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  HeddleItem *item = heddle_scene_add (scene, HEDDLE_ITEM_PATH, HEDDLE_PART_WIRE, "v.1");

  item->stroke = TRUE;
  item->line_width = 1. / 3.;
  heddle_item_move_to (item, -1e-9, 2. / 3.);
  heddle_item_line_to (item, 10., 1234567.5);
  g_autoptr (GBytes) bytes = write_svg (scene, NULL);
  g_assert_nonnull (
      g_strstr_len (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "d=\"M0 0.667L10 1234567.5\""));
  g_assert_nonnull (
      g_strstr_len (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "stroke-width=\"0.333\""));
}

/* The figure and its objects are named for who cannot see them, a label is one text, and ids are there once. */
static void
test_names (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  const HeddleColor black = { 0., 0., 0., 1. };

  heddle_math_layout (
      scene, HEDDLE_PART_ANNOTATION, "n.1", "c_{i+1}", HEDDLE_FONT_MATH, 16., black, 0., 0., NULL, NULL);
  heddle_math_layout (
      scene, HEDDLE_PART_ANNOTATION, "n.2", "\\alpha", HEDDLE_FONT_MATH, 16., black, 0., 9., NULL, NULL);
  g_autoptr (GBytes) bytes = write_svg (scene, NULL);
  xmlXPathContextPtr context = open_svg (bytes);
  assert_xpath (context, "string(/s:svg/s:title)", "svg");
  assert_xpath (context, "string(/s:svg/s:desc)", "inputs Q, K; outputs P");
  assert_xpath (context, "string(//*[@id='o.o.P']/s:title)", "Softmax: P from S");
  assert_xpath (context, "string(//*[@id='o.a.y']/s:title)", "y = 4096");
  assert_xpath (context, "string(//*[@id='o.v.Q']/s:title)", "Q : f16[y, k]");
  assert_xpath (context, "count(//*[@id and @id = preceding::*/@id])", "0");
  assert_xpath (context, "string(//s:text[@id='o.n.1'])", "ci+1");
  assert_xpath (context, "string(//s:path[@id='o.n.2']/s:title)", "\360\235\233\274");
  close_svg (context);
}

/* Names are text, not markup. */
static void
test_hostile (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  const HeddleColor black = { 0., 0., 0., 1. };

  heddle_math_layout (scene, HEDDLE_PART_AXIS_LABEL, "a.\"><script>", "<script>alert(1)</script>&\001\377",
      HEDDLE_FONT_SANS, 16., black, 0., 0., NULL, NULL);
  g_autoptr (GBytes) bytes = write_svg (scene, NULL);
  xmlXPathContextPtr context = open_svg (bytes);
  assert_xpath (context, "count(//s:script)", "0");
  assert_xpath (context, "string(//s:text/@data-object)", "a.\"><script>");
  assert_xpath (context, "starts-with(//s:text, '<script>')", "true");
  close_svg (context);
}

static void
test_empty (void)
{
  g_autoptr (HeddleScene) scene = heddle_scene_new ();
  g_autoptr (GBytes) svg = write_svg (scene, NULL);
  g_autoptr (GBytes) pdf = heddle_pdf_write (scene, NULL, NULL), png = heddle_png_write (scene, NULL, NULL);

  close_svg (open_svg (svg));
  g_assert_nonnull (pdf);
  g_assert_nonnull (png);
}

static void
test_pdf (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  const HeddlePictureOptions options = { .source = snapshot };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = heddle_pdf_write (scene, &options, &error);
  g_autoptr (GBytes) again = heddle_pdf_write (scene, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), 5, "%PDF-", 5);
  g_assert_true (g_bytes_equal (bytes, again));
}

/* A PDF opens again as what it was made of, in both ways in which a string can stand in it. */
static void
test_pdf_source (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  const HeddlePictureOptions options = { .source = snapshot };
  g_autoptr (GBytes) bytes = heddle_pdf_write (scene, &options, NULL),
                     bare = heddle_pdf_write (scene, NULL, NULL);
  g_autofree char *wanted = heddle_ncd_write (snapshot, NULL, NULL);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  g_assert_true (heddle_pdf_is (data, length));
  g_autoptr (HeddleSnapshot) again = heddle_pdf_read (data, length, "figure.pdf", problems);
  g_assert_nonnull (again);
  g_autofree char *found = heddle_ncd_write (again, NULL, NULL);
  g_assert_cmpstr (found, ==, wanted);
  g_auto (GStrv) parts = g_strsplit (wanted, "(", -1);
  g_autofree char *escaped = g_strjoinv ("\\050", parts),
                  *literal = g_strdup_printf ("%%PDF-1.5\n<< /Keywords (%s) >>\n", escaped);
  g_auto (GStrv) closes = g_strsplit (literal, ")", -1);
  const guint n = g_strv_length (closes);
  g_autoptr (GString) written = g_string_new (closes[0]);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (written, "%s%s", i + 1 < n ? "\\)" : ")", closes[i]);
  g_autoptr (HeddleSnapshot) from_literal = heddle_pdf_read (written->str, written->len, "l.pdf", problems);
  g_assert_nonnull (from_literal);
  g_autofree char *found_literal = heddle_ncd_write (from_literal, NULL, NULL);
  g_assert_cmpstr (found_literal, ==, wanted);
  g_assert_cmpuint (problems->len, ==, 0);
  data = g_bytes_get_data (bare, &length);
  g_assert_null (heddle_pdf_read (data, length, "bare.pdf", problems));
  g_assert_cmpuint (problems->len, ==, 1);
}

/* A PDF in which an object does not stand where the table says is told from a whole one. */
static void
test_pdf_whole (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  g_autoptr (GBytes) bytes = heddle_pdf_write (scene, NULL, NULL);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  const char *table = data;

  g_assert_true (heddle_pdf_is_whole (data, length));
  while (memcmp (table, "\nxref\n", 6) != 0)
    g_assert_cmpint (++table - data, <, length - 6);
  for (const char *row = table; (row = g_strstr_len (row, data + length - row, " n \n")) != NULL; row++)
    {
      g_autofree char *wrong = g_memdup2 (data, length);

      wrong[row - data - 7]++; /* the last digit of the place */
      g_assert_false (heddle_pdf_is_whole (wrong, length));
    }
  for (gsize i = 0; i < length; i++)
    {
      g_autofree char *cut = g_memdup2 (data, i);

      g_assert_false (heddle_pdf_is_whole (cut, i));
    }
}

/* What a stranger may send: cut at any place, it is an error and no more. */
static void
test_pdf_hostile (void)
{
  static const char hostile[] = "%PDF-1.5 /Keywords <FEFFD800> /Keywords (\\9\\777\\(((a\\";

  for (gsize length = 0; length <= strlen (hostile); length++)
    {
      g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
      g_autofree char *exact = g_memdup2 (hostile, length + 1);

      g_assert_null (heddle_pdf_read (exact, length, "hostile.pdf", problems));
      g_assert_cmpuint (problems->len, ==, 1);
    }
}

/* No picture of dots is in it, in whatever size it is printed. */
static void
test_pdf_shadows (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  g_autoptr (GBytes) bytes = heddle_pdf_write (scene, NULL, NULL);

  g_assert_null (g_strstr_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), "/Image"));
}

static guint
png_width (GBytes *bytes)
{
  const guchar *data = g_bytes_get_data (bytes, NULL);

  g_assert_cmpmem (data, 4, "\211PNG", 4);
  return data[16] << 24 | data[17] << 16 | data[18] << 8 | data[19];
}

static void
test_png (void)
{
  g_autoptr (HeddleSnapshot) snapshot = read_snapshot ();
  g_autoptr (HeddleScene) scene = render (snapshot);
  const HeddlePictureOptions inch = { .width_pt = 72., .dpi = 300. }, huge = { .dpi = 1e6 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = heddle_png_write (scene, &inch, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (png_width (bytes), ==, 300);
  g_assert_null (heddle_png_write (scene, &huge, &error));
  g_assert_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/svg/structure", test_structure);
  g_test_add_func ("/svg/size", test_size);
  g_test_add_func ("/svg/lengths", test_lengths);
  g_test_add_func ("/svg/source", test_source);
  g_test_add_func ("/svg/outlines", test_outlines);
  g_test_add_func ("/svg/numbers", test_numbers);
  g_test_add_func ("/svg/hostile", test_hostile);
  g_test_add_func ("/svg/names", test_names);
  g_test_add_func ("/svg/empty", test_empty);
  g_test_add_func ("/picture/pdf", test_pdf);
  g_test_add_func ("/picture/pdf/source", test_pdf_source);
  g_test_add_func ("/picture/pdf/whole", test_pdf_whole);
  g_test_add_func ("/picture/pdf/hostile", test_pdf_hostile);
  g_test_add_func ("/picture/pdf/shadows", test_pdf_shadows);
  g_test_add_func ("/picture/png", test_png);
  return g_test_run ();
}
