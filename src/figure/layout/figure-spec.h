/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/figure-theme.h"

/* A specification of one figure: what is drawn and how. It borrows everything, and its diagram must outlive the
 * layout, but not the scene. */

typedef enum
{
  HEDDLE_SHOW_LABELS = 1 << 0, /* level colours, tags, region tint with "load" and "save" */
  HEDDLE_SHOW_COLUMNS = 1 << 1, /* the H and M table above the diagram */
  /* Exports also have what stands below the diagram. */
  HEDDLE_SHOW_ROOFLINE = 1 << 2,
  HEDDLE_SHOW_STEPS = 1 << 3, /* the steps that lead to the derivation, a small figure each */
} HeddleShow;

/* A figure is what is drawn. Only @diagram is needed. */
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
  gboolean unnamed; /* a figure before it has named what comes in and goes out */
  gboolean definitions; /* of heddle_figure_compose (): what is called is drawn too */
  gboolean legend; /* of heddle_figure_compose (): what the signs say stands below */
  gboolean
      slim; /* one of several in a strip: axes are named on one side of a kernel's edge, and a kernel of several
                    operations is seen without labels too */
} HeddleFigure;
