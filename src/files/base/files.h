/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/base/array.h"
#include "diagram/check/check.h"
#include "diagram/document/document.h"
#include "figure/page/figure.h"

G_BEGIN_DECLS

#define HEDDLE_FILES_ERROR (heddle_files_error_quark ())
GQuark heddle_files_error_quark (void);
typedef enum
{
  HEDDLE_FILES_ERROR_PARSE, /* see the problems for places */
  HEDDLE_FILES_ERROR_FORMAT, /* not a file of this kind, or an unsupported variant */
  HEDDLE_FILES_ERROR_LIMIT, /* too large, too deep, too many */
  HEDDLE_FILES_ERROR_READ_ONLY,
} HeddleFilesError;

/* --- equations.c --- */
/* Reads equations. @file_name for messages. All problems found go into @problems (of HeddleProblem, appended); NULL when any is an error. */
HeddleSnapshot *heddle_equations_read (
    const char *text, gssize length, const char *file_name, GPtrArray *problems);
/* The canonical text of a diagram, without the definitions that it calls, and with them. Newly allocated. */
char *heddle_equations_write (const HeddleDiagram *diagram);
char *heddle_equations_write_snapshot (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram);
/* The value that is called @name in that text, "t1" included; NULL: none. */
const HeddleValue *heddle_equations_find_value (const HeddleDiagram *diagram, const char *name);

/* --- ncd.c --- */
#define HEDDLE_NCD_NAMESPACE "https://heddle.github.io/ns/ncd"
HeddleSnapshot *heddle_ncd_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);
char *heddle_ncd_write (const HeddleSnapshot *snapshot, gsize *length, GError **error);

/* --- load.c: any of .ncd, .eq, .svg (embedded source), by content --- */
HeddleSnapshot *heddle_file_load (const char *path, GPtrArray *problems, GError **error);
/* Writes @data to a temporary file beside @path and renames: nothing half-written is left. */
gboolean heddle_file_save (const char *path, const char *data, gsize length, GError **error);

/* --- difference.c: what changed, in words --- */
typedef struct
{
  const char *
      kind; /* axis, size, value, operation, dtype, output, comment, diagram, region, label, place, target, title, nudge, fill, annotation, block, bundle, skip, look, panel */
  const char *diagram; /* the name of the diagram, in the second document; or NULL */
  char *object; /* what it is about, or NULL */
  char *text;
} HeddleDifference;

void heddle_difference_free (HeddleDifference *self);
GPtrArray *heddle_snapshot_difference (const HeddleSnapshot *a, const HeddleSnapshot *b, const char *diagram);

/* --- npy.c --- */
HeddleArray *heddle_npy_read (const char *path, GError **error);
gboolean heddle_npy_write (
    const char *path, const HeddleArray *array, GError **error); /* f64, C order, format 1.0 */

/* --- svg.c, picture.c, tikz.c: a scene as a file's bytes --- */
typedef struct
{
  double width_pt; /* 0: natural (1 px = 0.5 pt) */
  double dpi; /* PNG; 0: 192 */
  gboolean outlines; /* text as paths */
  const HeddleSnapshot *source; /* embedded in SVG and PDF metadata; NULL: none */
  const HeddleColor *paper; /* painted below the drawing; NULL: none, of a PNG white */
} HeddlePictureOptions;

GBytes *heddle_svg_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
GBytes *heddle_pdf_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
GBytes *heddle_png_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
GBytes *heddle_tikz_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);

typedef enum
{
  HEDDLE_EXPORT_DIAGRAM,
  HEDDLE_EXPORT_ROOFLINE, /* of the derivation: the file's labels, or the best where it has none */
  HEDDLE_EXPORT_COSTS, /* its table */
  HEDDLE_EXPORT_EXPANDED, /* its loop programs, column by column */
  HEDDLE_EXPORT_STEPS, /* the steps that lead to it, a figure each */
} HeddleExportPicture;

/* --- export.c: by the suffix of @path, as the command line and the editor both do it --- */
typedef struct
{
  const char *diagram; /* name or NULL */
  const char *gpu; /* NULL: the schedule's, else h100-sxm */
  const char *const *more_gpus; /* of .py, .so and .fatbin: NULL, or others that the file is for as well */
  HeddleDtype dtype;
  HeddleFamily family; /* of kernels */
  GHashTable *sizes; /* overrides: axis name -> gint64 *, or NULL */
  gboolean suggest; /* complete labels: kernels always do */
  gboolean no_verify;
  gboolean no_source;
  gboolean outlines;
  double width_pt, dpi;
  double most_pt; /* the width there is, for the checks; 0: any */
  HeddleTheme theme; /* of figures */
  HeddleExportPicture picture; /* what a figure is of */
  HeddleShow show;
  gboolean show_given;
  gboolean definitions; /* each definition used, as a box "=" what it stands for */
  double wrap_pt; /* the longest line of a figure; 0: as the document says; less: one line */
  const GPtrArray
      *measured; /* of HeddleBenchResult, for rooflines: those of the machine and type are drawn; or NULL */
  guint64 seed;
} HeddleExportOptions;

/* .svg .pdf .png .tex .ncd .eq .cu .h .py .ptx .cubin .fatbin .so. Errors of the rooms below are passed on (HEDDLE_CODEGEN_ERROR_MISSING: exit 3). */
GBytes *heddle_export (const HeddleSnapshot *snapshot, const char *path, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
/* A figure before it is printed: what heddle_export () draws with the same options, what of it is shown, px, how large that is, pt,
 * and what stands against printing it: of HeddleProblem, warnings. */
typedef struct
{
  HeddleScene *scene;
  double x, y, width, height;
  double width_pt, height_pt;
  GPtrArray *problems;
} HeddleProof;

HeddleProof *heddle_export_proof (const HeddleSnapshot *snapshot, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
void heddle_proof_free (HeddleProof *self);
/* What stands against printing the figure that heddle_export () makes with these options: of HeddleProblem, warnings; transfer full. */
GPtrArray *heddle_export_check (const HeddleSnapshot *snapshot, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
/* Whether @path is to be a figure, by its suffix. */
gboolean heddle_export_is_figure (const char *path);

/* --- bench-result.c: the results of `heddle bench --json` --- */
char *heddle_bench_write (const HeddlePlan *plan, const HeddleBench *bench); /* newly allocated */
HeddleBenchResult *heddle_bench_result_new (const HeddlePlan *plan, const HeddleBench *bench);
HeddleBenchResult *heddle_bench_result_read (const char *path, GError **error);

/* --- venue.c --- */
double heddle_venue_get_width (const char *name);
const char *heddle_venue_get_title (const char *name);
char *heddle_venue_list (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleProof, heddle_proof_free)

G_END_DECLS
