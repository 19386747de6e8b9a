/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

/* HeddleApplication is the one process of the editor; files open in windows of it. */
#define HEDDLE_TYPE_APPLICATION (heddle_application_get_type ())
G_DECLARE_FINAL_TYPE (HeddleApplication, heddle_application, HEDDLE, APPLICATION, AdwApplication)

/* Returns a new application with the program's id, owned by the caller; it also prepares the return of freed
 * memory, so it has to be made before the first thread starts. */
HeddleApplication *heddle_application_new (GApplicationFlags flags);
/* Runs the editor until its last window is closed; returns the program's exit status. */
int heddle_application_main (int argc, char **argv);
