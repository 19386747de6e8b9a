/* SPDX-License-Identifier: MIT */
#include "cli/json.h"
#include "cli/output.h"
#include "files/base/json.h"

void
heddle_json_print (JsonBuilder *self)
{
  g_autofree char *text = heddle_json_to_text (self);

  heddle_output_print (text);
  heddle_output_print ("\n");
}
