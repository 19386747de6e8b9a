/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "cli/options.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* The input of a command. */
typedef struct
{
  const char *path;
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram; /* the one asked for */
  GHashTable *overrides; /* axis name -> gint64 *, of --set */
  HeddleSizes *sizes; /* NULL until heddle_input_resolve () */
  GPtrArray *spelling; /* of HeddleProblem, with their places: commands in the file that no label can set */
} HeddleInput;

/* Loads the file and finds the diagram. Returns %FALSE after printing the problems; @status receives the exit
 * status. */
gboolean heddle_input_open (
    HeddleInput *self, const HeddleOptions *options, const char *path, HeddleExit *status);
/* Replaces the calls by what is called, for commands that compute. */
gboolean heddle_input_flatten (HeddleInput *self, HeddleExit *status);
/* Takes calls apart and resolves sizes, after anything more was put into the overrides. */
gboolean heddle_input_resolve (HeddleInput *self, HeddleExit *status);
/* Drops what @self owns, the snapshot with its diagrams, the overrides and the sizes; @self itself is the
 * caller's. */
void heddle_input_clear (HeddleInput *self);
/* Prints `path: error: …` and returns the status; what is missing on this machine has one of its own. */
HeddleExit heddle_input_failed (const char *path, const GError *error);
/* Prints the error of a file that is itself at fault, and returns the status: the message is one line,
 * whatever names it contains. */
HeddleExit heddle_input_unread (const char *path, const GError *error);
/* Prints problems to the error stream: all errors, and warnings about the text. */
void heddle_input_print_problems (GPtrArray *problems, gboolean all);
/* Returns the sentence about a document of a newer major version. */
const char *heddle_input_newer (void);
/* Writes a file whole, or prints why not. */
HeddleExit heddle_output_save (const char *path, const char *data, gsize length);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleInput, heddle_input_clear)
