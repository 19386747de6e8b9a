/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>
#include "cli/derivation.h"
#include "cli/input.h"
#include "diagram/graph/diagram.h"

/* Adds the labels of the values that are expanded. */
void heddle_derived_values_json (
    JsonBuilder *json, const char *member, const HeddleDiagram *diagram, const GArray *values);
/* Prints a derivation as JSON. */
void heddle_derived_print_json (
    const HeddleDerived *self, const HeddleInput *input, const GPtrArray *accountings);
