/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "cli/command.h"

/* Lets g_print () and g_printerr () print for a terminal: in its charset, with nothing that it obeys. */
void heddle_output_begin (void);
/* Prints a text for programs as it is, in UTF-8 whatever the locale is. Where that fails heddle_output_end () tells. */
void heddle_output_print (const char *text);
/* Says so where what was printed did not arrive, as on a full disk. Returns the status to end with, @status
 * unless it would be HEDDLE_EXIT_DONE then. */
HeddleExit heddle_output_end (HeddleExit status);
