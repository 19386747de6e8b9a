/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/figure-theme.h"
#include "figure/scene/scene.h"
#include "files/base/error.h"

#define HEDDLE_FILES_ERROR (heddle_files_error_quark ())
typedef enum
{
  HEDDLE_FILES_ERROR_PARSE, /* see the problems for places */
  HEDDLE_FILES_ERROR_FORMAT, /* not a file of this kind, or an unsupported variant */
  HEDDLE_FILES_ERROR_LIMIT, /* too large, too deep, too many */
  HEDDLE_FILES_ERROR_READ_ONLY,
} HeddleFilesError;

#define HEDDLE_NCD_NAMESPACE "https://heddle.github.io/ns/ncd"

/* what changed, in words */
typedef struct
{
  const char *
      kind; /* axis, size, value, operation, dtype, output, comment, diagram, region, label, place, target, title, nudge, fill, annotation, block, bundle, skip, look, panel */
  const char *diagram; /* the name of the diagram, in the second document; or NULL */
  char *object; /* what it is about, or NULL */
  char *text;
} HeddleDifference;

/* , picture.c, tikz.c: a scene as a file's bytes */
typedef struct
{
  double width_pt; /* 0: natural (1 px = 0.5 pt) */
  double dpi; /* PNG; 0: 192 */
  gboolean outlines; /* text as paths */
  gboolean standalone; /* TikZ: a whole document, with heddle.sty in it */
  gboolean wordless; /* PDF: without what TeX sets over it */
  const char *art; /* TikZ: the name of such a PDF, over which the words alone are set; NULL: all is drawn */
  const HeddleSnapshot *source; /* embedded in SVG, PDF and TikZ; NULL: none */
  const HeddleColor *paper; /* painted below the drawing; NULL: none, of a PNG white */
} HeddlePictureOptions;

typedef enum
{
  HEDDLE_EXPORT_DIAGRAM,
  HEDDLE_EXPORT_ROOFLINE, /* of the derivation: the file's labels, or the best where it has none */
  HEDDLE_EXPORT_COSTS, /* its table */
  HEDDLE_EXPORT_EXPANDED, /* its loop programs, column by column */
  HEDDLE_EXPORT_STEPS, /* the steps that lead to it, a figure each */
} HeddleExportPicture;

/* by the suffix of @path, as the command line and the editor both do it */
typedef struct
{
  const char *diagram; /* name or NULL */
  const char *gpu; /* NULL: the schedule's, else h100-sxm */
  const char *const *more_gpus; /* of .py, .so and .fatbin: NULL, or others that the file is for as well */
  HeddleDtype dtype;
  HeddleFamily family; /* of kernels */
  GHashTable *sizes; /* overrides: axis name -> gint64 *, or NULL */
  const char *
      library; /* of .py: reference code for it in the place of kernels (heddle_codegen_reference ()); or NULL */
  gboolean suggest; /* complete labels: kernels always do */
  gboolean no_verify;
  gboolean no_source;
  gboolean outlines;
  gboolean overlay; /* .pdf: without its words, which the .pdf_tex beside it sets over it */
  gboolean standalone; /* .tex: a document that compiles as it is */
  double width_pt, dpi;
  guint page; /* of a figure that is higher than a page: the one that is made of it; 0: all in one */
  gboolean pages; /* of a .pdf: what is higher than a page of a venue becomes several pages */
  double most_pt; /* the width there is, for the checks; 0: any */
  HeddleTheme theme; /* of figures */
  HeddleExportPicture picture; /* what a figure is of */
  HeddleShow show;
  gboolean show_given;
  gboolean definitions; /* each definition used, as a box "=" what it stands for */
  gboolean legend; /* the signs that are drawn and what they say, below the figure */
  double wrap_pt; /* the longest line of a figure; 0: as the document says; less: one line */
  const GPtrArray
      *measured; /* of HeddleBenchResult, for rooflines: those of the machine and type are drawn; or NULL */
  guint64 seed;
} HeddleExportOptions;

/* A figure before it is printed: what heddle_export () draws with the same options, what of it is shown, px,
 * how large that is, pt, and what stands against printing it: of HeddleProblem, warnings. */
typedef struct
{
  HeddleScene *scene;
  double x, y, width, height;
  double width_pt, height_pt;
  GPtrArray *problems;
} HeddleProof;
