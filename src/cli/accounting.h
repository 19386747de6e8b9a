/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>
#include "cli/command.h"
#include "cli/derivation.h"
#include "cli/input.h"
#include "cli/options.h"

/* Evaluates the accountings asked for by name or path, with what is to be counted otherwise ("NAME=NUMBER"),
 * for the first kernel in which everything that they count is known. Returns %FALSE after printing the
 * error. */
gboolean heddle_accountings_new (GPtrArray **accountings, char **names, char **counts,
    const HeddleOptions *options, const HeddleDerived *derived, const HeddleInput *input, HeddleExit *status);
/* Adds the key "accountings". */
void heddle_accountings_json (JsonBuilder *json, const GPtrArray *accountings);
/* Prints the accountings for a person on the standard output: title, quantities, note and source of each. */
void heddle_accountings_print (const GPtrArray *accountings);
