/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/scene/scene.h"

/* Appends a label, spelt as heddle_math_layout () takes it, as one formula of TeX in the paper's own font
 * (`$\bar{x}_{5-\lambda}$`), or as text where it is nothing else. Only commands and characters of fixed lists
 * come out, whatever comes in. FALSE means that a character is on no list, or that braces nest too deeply;
 * nothing is appended then. */
gboolean heddle_tikz_append_formula (GString *tex, const char *source, HeddleFont font);
