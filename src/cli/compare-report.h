/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/input.h"

/* Prints the comparisons (of HeddleComparison) of the diagram of @input as one JSON object on the standard
 * output. */
void heddle_comparisons_print_json (GPtrArray *comparisons, const HeddleInput *input);
/* Prints one row for each comparison on the standard output, then
 * what bounds each and what would change that. */
void heddle_comparisons_print_table (GPtrArray *comparisons, const HeddleInput *input);
