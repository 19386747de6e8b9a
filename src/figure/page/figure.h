/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/derivation/derive.h"
#include "diagram/document/document.h"
#include "figure/scene/scene.h"

G_BEGIN_DECLS

typedef enum
{
  HEDDLE_THEME_PAPER, /* exports; plain black until a schedule is shown */
  HEDDLE_THEME_LIGHT, /* the canvas */
  HEDDLE_THEME_DARK,
  HEDDLE_THEME_CONTRAST, /* black on white: outlines in place of fills and shadows */
} HeddleTheme;

typedef enum
{
  HEDDLE_SHOW_LABELS = 1 << 0, /* level colours, tags, region tint with "load" and "save" */
  HEDDLE_SHOW_COLUMNS = 1 << 1, /* the H and M table above the diagram */
  /* Of exports: what stands below the diagram. */
  HEDDLE_SHOW_ROOFLINE = 1 << 2,
  HEDDLE_SHOW_STEPS = 1 << 3, /* the steps that lead to the derivation, a small figure each */
} HeddleShow;

/* What is drawn. Only @diagram is needed. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule; /* or NULL */
  const HeddlePresentation *presentation; /* or NULL */
  const HeddleDerivation *derivation; /* or NULL: without it no columns */
  const HeddleSizes *sizes; /* or NULL */
  HeddleTheme theme;
  HeddleShow show;
  double
      wrap; /* px at 100 %: wrapped into lines no longer than this; 0: as the presentation says; less: one line */
  gboolean resumes,
      continues; /* its inputs come from what is drawn before, its outputs go on after it: arrows instead of names */
  gboolean definitions; /* of heddle_figure_compose (): what is called is drawn too */
} HeddleFigure;

/* Lays the diagram out and makes its scene. Deterministic; stable under small edits. Object ids in items are the diagram's own. */
HeddleScene *heddle_figure_render (const HeddleFigure *figure);

/* Typeset mathematics as items of @scene: names as spelt in the source ("\\bar x", "c_{i+1}", "k^{-1/2}", "\\alpha") with sub/superscripts, overbar,
 * bold and Greek. (x, y): start of the baseline. Returns the width. @scene NULL: only measures. @ascent, @descent may be NULL. */
double heddle_math_layout (HeddleScene *scene, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent, double *descent);
/* The same with what is in \\fill{class}{…} on a ground of that class. */
double heddle_math_layout_filled (HeddleScene *scene, HeddleTheme theme, HeddlePart part, const char *object,
    const char *source, HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent,
    double *descent);
/* An expression as such a source: `k^{-1/2}`, `\\sqrt{…}` as a power; axis sizes by axis name. Newly allocated. */
char *heddle_math_from_expr (const HeddleExpr *expr, const HeddleDiagram *diagram);

/* The drawing of a table row's glyph, centred in a box, for the palette. */
HeddleScene *heddle_figure_render_glyph (const HeddleOperationKind *kind, HeddleTheme theme);
HeddleScene *heddle_figure_render_linear_glyph (HeddleTheme theme);
HeddleScene *heddle_figure_render_join_glyph (const char *sign, HeddleTheme theme);
/* Colours and line styles of a memory level, by name ("smem"); %FALSE: not a level that is drawn. */
gboolean heddle_level_style (
    const char *level, HeddleTheme theme, HeddleColor *color, double *width, double dash[8], guint *n_dashes);

G_END_DECLS
