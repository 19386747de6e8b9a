/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns whether `heddle NAME` is a command, rather than a file to open in a window. */
gboolean heddle_cli_is_command (const char *name);
/* Runs the command of @argv[1]. Returns the exit status: 0 done, 1 wrong input, 2 usage, 3 something is
 * missing here. */
int heddle_cli_main (int argc, char **argv);
