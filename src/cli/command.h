/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The exit statuses that a shell reads from a command. */
typedef enum
{
  HEDDLE_EXIT_DONE = 0,
  HEDDLE_EXIT_WRONG = 1, /* the input is wrong, or a check failed */
  HEDDLE_EXIT_USAGE = 2,
  HEDDLE_EXIT_MISSING = 3, /* something is not on this machine */
} HeddleExit;

typedef struct
{
  const char *name;
  const char *summary; /* N_() for `heddle --help` */
  /* @argv[0] is the name. */
  HeddleExit (*run) (int argc, char **argv);
} HeddleCommand;

extern const HeddleCommand heddle_command_accuracy;
extern const HeddleCommand heddle_command_bench;
extern const HeddleCommand heddle_command_check;
extern const HeddleCommand heddle_command_compare;
extern const HeddleCommand heddle_command_compile;
extern const HeddleCommand heddle_command_derive;
extern const HeddleCommand heddle_command_differentiate;
extern const HeddleCommand heddle_command_diff;
extern const HeddleCommand heddle_command_equations;
extern const HeddleCommand heddle_command_evaluate;
extern const HeddleCommand heddle_command_export;
extern const HeddleCommand heddle_command_gpus;
extern const HeddleCommand heddle_command_import;
extern const HeddleCommand heddle_command_measure;
extern const HeddleCommand heddle_command_optimise;
extern const HeddleCommand heddle_command_pseudocode;
extern const HeddleCommand heddle_command_rewrite;
extern const HeddleCommand heddle_command_thumbnail;
extern const HeddleCommand heddle_command_verify;
