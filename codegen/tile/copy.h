/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The ways in which elements get from one memory to another: a row for each. */
typedef enum
{
  HEDDLE_COPY_PIECES, /* global -> shared, 16 bytes at a time, asynchronously */
  HEDDLE_COPY_ELEMENTS, /* the same one by one */
  HEDDLE_COPY_ODD_ROWS, /* the same by eight elements of 16 bits, where rows are known not to be aligned */
  HEDDLE_COPY_DEALT_PIECES, /* rows of any places of the array */
  HEDDLE_COPY_DEALT_ELEMENTS,
  HEDDLE_COPY_WINDOW_PIECES, /* a box that windows are of */
  HEDDLE_COPY_WINDOW_ELEMENTS,
  HEDDLE_COPY_WIDEN_PIECES, /* elements of 8 bits, which have 16 then */
  HEDDLE_COPY_WIDEN_ELEMENTS,
  HEDDLE_COPY_BOX, /* by the copy hardware */
  HEDDLE_COPY_BRING_ELEMENTS, /* in its place where rows are not aligned */
  HEDDLE_COPY_MATRIX, /* shared -> fragment */
  HEDDLE_COPY_MATRIX_EXCHANGED, /* … with rows and columns exchanged */
  HEDDLE_COPY_LEFT_WORDS, /* … of 32-bit elements, for which no exchanged matrices are there */
  HEDDLE_COPY_RIGHT_WORDS,
  HEDDLE_COPY_ROWS_OF_PAIRS,
  HEDDLE_COPY_COLUMNS_OF_PAIRS,
  HEDDLE_COPY_TWO, /* fragment -> global, side by side */
  HEDDLE_COPY_EIGHTS, /* … by four lanes, 16 bytes each */
} HeddleCopyKind;

typedef struct
{
  HeddleCopyKind kind;
  const char *function; /* of the prelude */
  const char
      *sections[5]; /* that it needs; with the type or the number of axes behind it where it has several */
  const char *lane; /* fragments: the lane's own part of an address */
  const char *instruction; /* PTX */
  guint bytes; /* that a thread, or the hardware, copies with one */
  guint alignment; /* bytes that rows of the array are aligned to; 0: to their elements */
  guint least_arch; /* 80, 90 */
} HeddleCopyAtom;

/* The limits of the copy hardware: boxes of so many axes, each of at most this length. */
#define HEDDLE_COPY_BOX_AXES 5
#define HEDDLE_COPY_BOX_LENGTH 256

/* Returns the row of a way to copy, which is static. */
const HeddleCopyAtom *heddle_copy_atom (HeddleCopyKind kind);
