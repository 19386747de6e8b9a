/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "diagram/base/dtype.h"

/* The options that all commands have, and what is left of the arguments: files. */
typedef struct
{
  const char *command;
  char **files;
  char *diagram;
  char **set; /* axis=size */
  char **dtype_names; /* the last counts, except where a command takes several */
  HeddleDtype dtype; /* UNSET: not given */
  gboolean json;
} HeddleOptions;

/* Reads the common options and those of @own (ended by an empty entry; may be NULL), whose whole numbers are
 * at least 1. @parameters is the usage, such as "FILE". Returns %FALSE if the error or the help was printed;
 * @status receives the exit status. */
gboolean heddle_options_parse (HeddleOptions *self, const char *parameters, const char *summary,
    const GOptionEntry *own, int argc, char **argv, HeddleExit *status);
/* Frees the texts of the options; @self itself is the caller's. */
void heddle_options_clear (HeddleOptions *self);
/* Returns the one file; NULL after printing the error if there is none or are several. */
const char *heddle_options_get_file (const HeddleOptions *self);
/* Prints `heddle COMMAND: error: …` and how to get help. Returns the status. */
HeddleExit heddle_options_misused (const HeddleOptions *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Splits `NAME=rest`: returns the name, newly allocated, and sets @rest to where the rest begins. Returns
 * NULL if it has no such form. */
char *heddle_options_split (const char *argument, const char **rest);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleOptions, heddle_options_clear)
