/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/derivation.h"

G_BEGIN_DECLS

void heddle_derived_print_json (
    const HeddleDerived *self, const HeddleInput *input, const GPtrArray *accountings);
void heddle_derived_print_table (const HeddleDerived *self, const HeddleInput *input);

G_END_DECLS
