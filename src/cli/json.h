/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

/* Prints the object that was built on the output, and a newline. */
void heddle_json_print (JsonBuilder *self);
