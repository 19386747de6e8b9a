/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include <glib.h>

/* One reader that is fed with anything. The program that holds them all is one target at a time: the one that its own name tells
 * behind "fuzz-", or $HEDDLE_FUZZ_TARGET. */
typedef struct
{
  const char *name;
  const char *suffix; /* of the file that the input is written to; NULL: the reader takes bytes */
  /* Reads the input: @data with a 0 after its @length bytes, and @path where there is a file. Whatever it is, nothing may crash, hang or
   * break a promise; a broken promise calls target_fail (). */
  void (*run) (const char *data, gsize length, const char *path);
} FuzzTarget;

/* Targets by what is read; each table ends with a name of NULL. */
extern const FuzzTarget targets_document[], targets_model[], targets_table[], targets_ptx[];

/* Ends the program since @promise was broken, showing the texts that show it; each may be NULL. */
G_NORETURN void target_fail (const char *promise, const char *first, const char *second);
/* The target called so; NULL: there is none. */
const FuzzTarget *target_find (const char *name);
/* The target that this program is, from its own path or the environment; an unknown one ends it with a list. */
const FuzzTarget *target_choose (const char *program);

/* The two doors of libFuzzer, which the driver without it (drive.c) uses as well. */
int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
