/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/input.h"

G_BEGIN_DECLS

void heddle_comparisons_print_json (GPtrArray *comparisons, const HeddleInput *input);
void heddle_comparisons_print_table (GPtrArray *comparisons, const HeddleInput *input);

G_END_DECLS
