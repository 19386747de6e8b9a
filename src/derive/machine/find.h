/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "derive/machine/machine.h"

/* The machines that are known by name: files of the data directories, the person's own and those that come with
 * Heddle. */

/* Returns a new array of HeddleMachine, which it owns: those of the data directory, then the user's
 * (~/.local/share/heddle/hardware). Each wrong file adds a message to @problems, an array of char *. */
GPtrArray *heddle_machines_load (GPtrArray *problems);

/* Returns what finds the machine again: its name, or the file it was asked for by. The text is owned by
 * @self. */
const char *heddle_machine_reference (const HeddleMachine *self);

/* Returns a new machine by its name, alias or file (FILE.machine). Of "two-level", the abstract machine, the
 * lower level has @memory_elements (0: as many as its file says). Returns %NULL with
 * %HEDDLE_DERIVE_ERROR_MACHINE if there is none. */
HeddleMachine *heddle_machine_find (const char *name, gint64 memory_elements, GError **error);

/* Returns the directory of the shipped data, which is static: $HEDDLE_DATADIR, else the installed one
 * beside the program, else the source tree's where it was built and not installed. */
const char *heddle_data_directory (void);
