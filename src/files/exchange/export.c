/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/module/reference.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/ornament.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/flatten.h"
#include "diagram/flatten/steps.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/page/paginate.h"
#include "figure/page/print-check.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "files/equations/write.h"
#include "files/exchange/export-chart.h"
#include "files/exchange/export-kernels.h"
#include "files/exchange/export-steps.h"
#include "files/exchange/export.h"
#include "files/ncd/write.h"
#include "files/picture/picture.h"
#include "files/picture/private.h"
#include "files/picture/svg.h"
#include "files/picture/tikz.h"
#include "files/picture/venue.h"

#define PAGE_MARGINS 4. /* px, on two sides of a picture */
#define OVERLAY_TAIL "_tex" /* of the name of words over a picture, behind the picture's */
#define BELOW_GAP 56. /* px between a diagram and what stands below it */

/* One export at work. */
typedef struct
{
  const HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  const HeddleExportOptions *options;
  GCancellable *cancellable;
  const char *path;
  const char *suffix; /* ".svg" */
} Export;

static const char *
suffix_of (const char *path)
{
  const char *dot = strrchr (path, '.');

  return dot && strchr (dot, '/') == NULL ? dot : "";
}

static GBytes *
bytes_of_text (char *text)
{
  return text ? g_bytes_new_take (text, strlen (text)) : NULL;
}

/* --- documents --- */

static GBytes *
export_ncd (Export *self, GError **error)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_copy (self->snapshot);
  gsize length;

  if (self->options->wrap_pt != 0.)
    heddle_snapshot_get_presentation (snapshot, self->diagram)->wrap
        = MAX (self->options->wrap_pt / HEDDLE_POINTS_PER_PX, 0.);
  char *text = heddle_ncd_write (snapshot, &length, error);

  return text ? g_bytes_new_take (text, length) : NULL;
}

static GBytes *
export_equations (Export *self, GError **error)
{
  return bytes_of_text (heddle_equations_write_snapshot (self->snapshot, self->diagram));
}

/* --- figures --- */

/* Returns the derivation whose prices are shown above a figure; the diagram's sizes must be known. */
static HeddleDerivation *
derive_figure (Export *self, const HeddleSchedule *schedule, const HeddleSizes *sizes, GError **error)
{
  g_autoptr (HeddleMachine) machine
      = heddle_machine_find (heddle_export_machine_name (self->options, schedule), 0, error);
  HeddleDeriveOptions options = { .machine = machine,
    .dtype = self->options->dtype,
    .stages = 1,
    .product_shares = heddle_plan_product_shares };

  if (machine == NULL)
    return NULL;
  if (options.dtype == HEDDLE_DTYPE_UNSET && schedule != NULL)
    options.dtype = schedule->dtype;
  return heddle_derive (self->diagram, schedule, sizes, &options, self->cancellable, error);
}

/* Returns whether the lines of the figure may be chosen here: nobody said how it is wrapped, and no note
 * stands at a fixed place, where a line could come to lie on it. */
static gboolean
may_be_wrapped (const HeddleFigure *figure)
{
  const HeddlePresentation *presentation = figure->presentation;

  if (figure->wrap != 0. || (presentation != NULL && presentation->wrap > 0.))
    return FALSE;
  for (guint i = 0; presentation != NULL && i < presentation->annotations->len; i++)
    if (((const HeddleAnnotation *) presentation->annotations->pdata[i])->target == NULL)
      return FALSE;
  return TRUE;
}

/* Composes a figure. One that is to have a certain width, and would have to be made smaller for it, is
 * wrapped into lines of that width instead. */
static HeddleScene *
compose_to_fit (const Export *self, HeddleFigure *figure)
{
  HeddleScene *scene = heddle_figure_compose (self->snapshot, figure);
  const double most = (self->options->width_pt - heddle_venue_measure (0.)) / HEDDLE_POINTS_PER_PX;
  double x, y, width, height, wrapped_width;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  if (!(most > 0.) || width <= most || !may_be_wrapped (figure))
    return scene;
  figure->wrap = most;
  HeddleScene *wrapped = heddle_figure_compose (self->snapshot, figure);
  heddle_scene_get_bounds (wrapped, &x, &y, &wrapped_width, &height);
  heddle_scene_unref (wrapped_width < width ? scene : wrapped);
  return wrapped_width < width ? wrapped : scene;
}

static HeddleScene *
render_diagram (Export *self, GError **error)
{
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (self->snapshot, self->diagram);
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_autoptr (HeddleSizes) sizes = NULL;
  HeddleFigure figure = { .diagram = self->diagram,
    .schedule = schedule,
    .presentation = heddle_snapshot_find_presentation (self->snapshot, self->diagram),
    .theme = self->options->theme };

  if (self->options->show_given)
    figure.show = self->options->show & (HEDDLE_SHOW_LABELS | HEDDLE_SHOW_COLUMNS);
  else
    figure.show = heddle_export_has_labels (schedule) ? HEDDLE_SHOW_LABELS : 0;
  if (heddle_diagram_has_calls (self->diagram))
    figure.show = 0; /* what is derived is what the calls stand for, which is not drawn here */
  if (figure.show != 0)
    {
      sizes = heddle_sizes_new (self->diagram, self->options->sizes, error);
      if (sizes == NULL)
        return NULL;
      derivation = derive_figure (self, schedule, sizes, error);
      if (derivation == NULL)
        return NULL;
    }
  figure.wrap = self->options->wrap_pt / HEDDLE_POINTS_PER_PX;
  figure.sizes = sizes;
  figure.derivation = derivation;
  figure.definitions = self->options->definitions;
  figure.legend = self->options->legend;
  return compose_to_fit (self, &figure);
}

/* Adds a picture of the derivation below what is there already. */
static gboolean
add_below (Export *self, HeddleScene *scene, HeddleExportPicture picture, GError **error)
{
  HeddleExportOptions options = *self->options;
  g_autoptr (HeddleScene) below = NULL;

  options.picture = picture;
  below = heddle_export_chart (self->snapshot, self->diagram, &options, self->cancellable, error);
  if (below == NULL)
    return FALSE;
  heddle_scene_stack (scene, below, BELOW_GAP);
  return TRUE;
}

/* Returns how wide the whole figure is printed: one that would be higher than a venue's page only because it is
 * enlarged to its width is enlarged less. */
static double
width_on_page (const Export *self, const HeddlePage *whole)
{
  const HeddleExportOptions *options = self->options;
  const double fits = HEDDLE_PAGE_PT / whole->height;

  if (options->most_pt > 0. && options->width_pt == options->most_pt && whole->height_pt > HEDDLE_PAGE_PT
      && fits >= HEDDLE_POINTS_PER_PX)
    return whole->width * fits;
  return options->width_pt;
}

/* Returns where pages of the figure begin, and where the last ends. */
static GArray *
find_pages (const HeddleScene *scene, const HeddlePage *whole)
{
  const double scale = whole->width_pt / whole->width;

  return heddle_scene_paginate (scene, whole->y, whole->height, HEDDLE_PAGE_PT / scale - PAGE_MARGINS);
}

/* Takes one page, which begins at cut number @n, out of a figure that is @whole. @width_pt receives its width at the same
 * size of letters. */
static HeddleScene *
take_page (const Export *self, HeddleScene *scene, const GArray *cuts, guint n, const HeddlePage *whole,
    double *width_pt)
{
  HeddleScene *page
      = heddle_scene_take_band (scene, g_array_index (cuts, double, n), g_array_index (cuts, double, n + 1));
  double x, y, width, height;

  heddle_scene_get_bounds (page, &x, &y, &width, &height);
  *width_pt = self->options->width_pt * (width + PAGE_MARGINS) / whole->width;
  return page;
}

/* Returns the page that is asked for, or all of @scene, which is taken. */
static HeddleScene *
choose_page (const Export *self, HeddleScene *scene, double *width_pt, GError **error)
{
  const guint page = self->options->page;
  const HeddlePage whole
      = heddle_page_for (scene, &(HeddlePictureOptions){ .width_pt = self->options->width_pt });
  g_autoptr (HeddleScene) taken = scene;

  if (page == 0)
    {
      *width_pt = width_on_page (self, &whole);
      return g_steal_pointer (&taken);
    }
  g_autoptr (GArray) cuts = find_pages (scene, &whole);
  if (page >= cuts->len)
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
          _ ("there is no page %u: the last is %u"), page, cuts->len - 1);
      return NULL;
    }
  return take_page (self, scene, cuts, page - 1, &whole, width_pt);
}

/* Renders the picture. @width_pt receives the width that it is to have in print, or 0. */
static HeddleScene *
render (Export *self, double *width_pt, GError **error)
{
  const HeddleShow show = self->options->show_given ? self->options->show : 0;
  const gboolean diagram = self->options->picture == HEDDLE_EXPORT_DIAGRAM;
  g_autoptr (HeddleScene) scene = NULL;

  if (!diagram)
    scene = heddle_export_chart (self->snapshot, self->diagram, self->options, self->cancellable, error);
  else
    scene = render_diagram (self, error);
  if (scene == NULL
      || (diagram && show & HEDDLE_SHOW_ROOFLINE && !add_below (self, scene, HEDDLE_EXPORT_ROOFLINE, error))
      || (diagram && show & HEDDLE_SHOW_STEPS && !add_below (self, scene, HEDDLE_EXPORT_STEPS, error)))
    return NULL;
  return choose_page (self, g_steal_pointer (&scene), width_pt, error);
}

typedef GBytes *(*PictureWriter) (
    const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);

/* Returns how a picture of this width is written; @paper is kept for it. */
static HeddlePictureOptions
picture_options (const Export *self, double width_pt, HeddleColor *paper)
{
  *paper = heddle_theme_paper (self->options->theme);
  return (HeddlePictureOptions){ .width_pt = width_pt,
    .dpi = self->options->dpi,
    .outlines = self->options->outlines && !self->options->overlay,
    .wordless = self->options->overlay,
    .standalone = self->options->standalone,
    .paper = self->options->theme == HEDDLE_THEME_DARK ? paper : NULL,
    .source = self->options->no_source ? NULL : self->snapshot };
}

static GBytes *
export_picture (Export *self, PictureWriter write, GError **error)
{
  double width_pt;
  g_autoptr (HeddleScene) scene = render (self, &width_pt, error);
  HeddleColor paper;
  const HeddlePictureOptions options = picture_options (self, width_pt, &paper);

  return scene ? write (scene, &options, error) : NULL;
}

/* Returns how many pages the figure becomes at this width. */
static guint
count_pages (const Export *self, const HeddleScene *scene, double width_pt)
{
  const HeddlePage whole = heddle_page_for (scene, &(HeddlePictureOptions){ .width_pt = width_pt });

  if (!self->options->pages || self->options->overlay || self->options->page > 0
      || !(self->options->most_pt > 0.) || whole.height_pt <= HEDDLE_PAGE_PT + HEDDLE_PRINT_SLACK)
    return 1;
  g_autoptr (GArray) cuts = find_pages (scene, &whole);
  return cuts->len - 1;
}

/* Writes the pages of a figure that is higher than a page, which are taken out of @scene. */
static GBytes *
export_pages (const Export *self, HeddleScene *scene, GError **error)
{
  const HeddlePage whole
      = heddle_page_for (scene, &(HeddlePictureOptions){ .width_pt = self->options->width_pt });
  g_autoptr (GArray) cuts = find_pages (scene, &whole);
  g_autoptr (GPtrArray) pages = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_scene_unref);
  g_autofree double *widths = g_new0 (double, cuts->len);
  HeddleColor paper;
  const HeddlePictureOptions how = picture_options (self, 0., &paper);

  for (guint i = 0; i + 1 < cuts->len; i++)
    g_ptr_array_add (pages, take_page (self, scene, cuts, i, &whole, &widths[i]));
  return heddle_pdf_write_pages (pages, widths, &how, error);
}

static GBytes *
export_svg (Export *self, GError **error)
{
  return export_picture (self, heddle_svg_write, error);
}

static GBytes *
export_pdf (Export *self, GError **error)
{
  double width_pt;
  g_autoptr (HeddleScene) scene = render (self, &width_pt, error);
  HeddleColor paper;

  if (scene == NULL)
    return NULL;
  if (count_pages (self, scene, width_pt) > 1)
    return export_pages (self, scene, error);
  const HeddlePictureOptions options = picture_options (self, width_pt, &paper);
  return heddle_pdf_write (scene, &options, error);
}

static GBytes *
export_png (Export *self, GError **error)
{
  return export_picture (self, heddle_png_write, error);
}

static GBytes *
export_tikz (Export *self, GError **error)
{
  return export_picture (self, heddle_tikz_write, error);
}

/* Returns the name by which TeX includes the picture of the overlay at @path, which stands beside it; NULL: its letters
 * mean something else to TeX. */
static char *
name_art (const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);

  name[strlen (name) - strlen (OVERLAY_TAIL)] = '\0';
  for (const char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at) && strchr ("._+-@= ", *at) == NULL)
      {
        g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
            _ ("TeX would not find “%s”: name it with letters, digits and the signs . _ + - @ ="), name);
        return NULL;
      }
  return g_steal_pointer (&name);
}

/* Writes what TeX sets over the picture without words that the same options make of the .pdf. */
static GBytes *
export_overlay (Export *self, GError **error)
{
  double width_pt;
  g_autofree char *art = name_art (self->path, error);
  g_autoptr (HeddleScene) scene = art != NULL ? render (self, &width_pt, error) : NULL;
  HeddleColor paper;

  if (scene == NULL)
    return NULL;
  HeddlePictureOptions options = picture_options (self, width_pt, &paper);
  options.art = art;
  options.source = NULL; /* the picture has it */
  options.standalone = FALSE;
  return heddle_tikz_write (scene, &options, error);
}

/* --- kernels --- */

static GBytes *
export_kernels (Export *self, GError **error)
{
  return heddle_export_kernels (
      self->snapshot, self->diagram, self->suffix, self->options, self->cancellable, error);
}

/* Exports the same operations as plain code of a library. */
static GBytes *
export_reference (Export *self, GError **error)
{
  g_autofree char *equations = heddle_equations_write_snapshot (self->snapshot, self->diagram);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (self->diagram, self->options->sizes, error);

  return sizes != NULL ? bytes_of_text (heddle_codegen_reference (
             self->snapshot, self->diagram, sizes, self->options->library, equations, error))
                       : NULL;
}

static GBytes *
export_python (Export *self, GError **error)
{
  return self->options->library != NULL ? export_reference (self, error) : export_kernels (self, error);
}

static const struct
{
  const char *suffix;
  GBytes *(*write) (Export *self, GError **error);
  gboolean flat; /* works on what is called in the place of the calls */
} writers[] = {
  { ".ncd", export_ncd },
  { ".eq", export_equations },
  { ".svg", export_svg },
  { ".pdf", export_pdf },
  { ".png", export_png },
  { ".tex", export_tikz },
  { ".pdf_tex", export_overlay },
  { ".cu", export_kernels, TRUE },
  { ".h", export_kernels, TRUE },
  { ".py", export_python, TRUE },
  { ".ptx", export_kernels, TRUE },
  { ".cubin", export_kernels, TRUE },
  { ".fatbin", export_kernels, TRUE },
  { ".so", export_kernels, TRUE },
};

static Export
begin (const HeddleSnapshot *snapshot, const HeddleExportOptions *options, GCancellable *cancellable,
    GError **error)
{
  Export self = { snapshot, heddle_snapshot_get_diagram (snapshot, options->diagram), options, cancellable };

  if (self.diagram == NULL)
    g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("there is no diagram “%s”"),
        options->diagram ? options->diagram : "");
  return self;
}

/* Writes the diagram with what it calls in the place of the calls; readable code keeps scans as loops. */
static GBytes *
write_flat (Export *self, GBytes *(*write) (Export *self, GError **error), GError **error)
{
  HeddleSnapshot *whole = (HeddleSnapshot *) self->snapshot;
  GHashTable *sizes = self->options->sizes;
  g_autoptr (HeddleSnapshot) flat = self->options->library != NULL
                                        ? heddle_snapshot_flatten_steps (whole, self->diagram, sizes, error)
                                        : heddle_snapshot_flatten (whole, self->diagram, sizes, NULL, error);
  Export other = *self;

  if (flat == NULL)
    return NULL;
  other.snapshot = flat;
  other.diagram = heddle_snapshot_get_diagram_by_id (flat, self->diagram->id);
  return write (&other, error);
}

/**
 * heddle_export:
 * @path: where it will go: its suffix says what is made (.ncd .eq .svg .pdf .png .tex .cu .h .py .ptx .cubin .fatbin .so)
 *
 * What a person takes away, as bytes. Nothing is written here: see heddle_file_save ().
 *
 * Returns: (transfer full): the bytes, or %NULL with %HEDDLE_FILES_ERROR_FORMAT for an unknown suffix, or the error of the room that
 * failed (%HEDDLE_CODEGEN_ERROR_MISSING where a compiler is not on this machine)
 */
GBytes *
heddle_export (const HeddleSnapshot *snapshot, const char *path, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error)
{
  Export self = begin (snapshot, options, cancellable, error);
  g_autofree char *suffix = g_ascii_strdown (suffix_of (path), -1);

  self.path = path;
  self.suffix = suffix;
  if (self.diagram == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    if (strcmp (writers[i].suffix, suffix) == 0)
      return writers[i].flat ? write_flat (&self, writers[i].write, error) : writers[i].write (&self, error);
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT,
      _ ("“%s” is not a kind of file that can be exported: .ncd .eq .svg .pdf .png .tex .cu .h .py .ptx "
         ".cubin .fatbin .so"),
      suffix);
  return NULL;
}

char *
heddle_export_overlay_path (const char *path, const HeddleExportOptions *options)
{
  g_autofree char *suffix = g_ascii_strdown (suffix_of (path), -1);

  return options->overlay && g_str_equal (suffix, ".pdf") ? g_strconcat (path, OVERLAY_TAIL, NULL) : NULL;
}

gboolean
heddle_export_is_figure (const char *path)
{
  static const char *const suffixes[] = { ".svg", ".pdf", ".png", ".tex", ".pdf_tex", NULL };
  g_autofree char *suffix = g_ascii_strdown (suffix_of (path), -1);

  return g_strv_contains (suffixes, suffix);
}

/**
 * heddle_export_proof:
 *
 * Returns: (transfer full): the figure as it will be, or %NULL with the error of the room that failed
 */
HeddleProof *
heddle_export_proof (const HeddleSnapshot *snapshot, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error)
{
  Export self = begin (snapshot, options, cancellable, error);
  HeddlePictureOptions size = { 0 };
  HeddleScene *scene = self.diagram != NULL ? render (&self, &size.width_pt, error) : NULL;
  HeddleProof *proof = NULL;

  if (scene == NULL)
    return NULL;
  const HeddlePage page = heddle_page_for (scene, &size);
  const double height_pt = count_pages (&self, scene, size.width_pt) > 1 ? HEDDLE_PAGE_PT : page.height_pt;
  const HeddlePrint print = { page.width_pt, height_pt, page.width_pt / page.width, options->most_pt,
    heddle_theme_paper (options->theme) };
  proof = g_new (HeddleProof, 1);
  *proof = (HeddleProof){ scene, page.x, page.y, page.width, page.height, page.width_pt, page.height_pt,
    heddle_scene_check_print (scene, &print) };
  return proof;
}

void
heddle_proof_free (HeddleProof *self)
{
  heddle_scene_unref (self->scene);
  g_ptr_array_unref (self->problems);
  g_free (self);
}

GPtrArray *
heddle_export_check (const HeddleSnapshot *snapshot, const HeddleExportOptions *options, GError **error)
{
  g_autoptr (HeddleProof) proof = heddle_export_proof (snapshot, options, NULL, error);

  return proof != NULL ? g_ptr_array_ref (proof->problems) : NULL;
}
