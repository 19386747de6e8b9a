/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "figure/scene/scene.h"

/* Diagrams of every construct, as equations. */
typedef struct
{
  const char *name, *text;
} FigureCase;

extern const FigureCase figure_cases[]; /* ends at name == NULL */

const FigureCase *figure_case_find (const char *name);
HeddleSnapshot *figure_case_read (const FigureCase *figure_case);
HeddleScene *figure_case_render (const FigureCase *figure_case);
