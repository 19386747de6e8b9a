/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* A figure for TeX begins with one of these. */
#define HEDDLE_TIKZ_FIGURE "% A figure for \\input"
#define HEDDLE_TIKZ_DOCUMENT "\\documentclass{article}"
/* The source that it carries begins with this, and all before it is the drawing; each line of it is a comment. */
#define HEDDLE_TIKZ_SOURCE_START "%% Heddle opens this figure again as the diagram below; sha256="
#define HEDDLE_TIKZ_SOURCE_LINE "%|"
