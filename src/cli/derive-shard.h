/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>
#include "cli/derivation.h"

/* Prints how the diagram is spread over several GPUs; it prints nothing if all runs on one. */
void heddle_derived_print_shards (const HeddleDerived *self);
/* Adds the key "sharding" to the object begun; it adds nothing if all runs on one GPU. */
void heddle_derived_shards_json (JsonBuilder *json, const HeddleDerived *self);
