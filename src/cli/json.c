/* SPDX-License-Identifier: MIT */
#include "cli/json.h"
#include "files/base/json.h"

void
heddle_json_print (JsonBuilder *self)
{
  g_autofree char *text = heddle_json_to_text (self);

  g_print ("%s\n", text);
}
