/* SPDX-License-Identifier: MIT */
#pragma once

/* Every sign of the notation means one thing. Items carry what they mean, so that a legend lists what a scene really draws and
 * the pointer is told of what it is on. */

typedef enum
{
  HEDDLE_MEANING_NONE,
  /* arrays */
  HEDDLE_MEANING_AXIS,
  HEDDLE_MEANING_BUNDLE,
  HEDDLE_MEANING_SCALAR,
  HEDDLE_MEANING_WHOLE,
  HEDDLE_MEANING_SEPARATOR,
  HEDDLE_MEANING_COPY,
  HEDDLE_MEANING_NAMED,
  HEDDLE_MEANING_UNREAD,
  HEDDLE_MEANING_CAST,
  /* operations */
  HEDDLE_MEANING_CONTRACTION,
  HEDDLE_MEANING_SCALE,
  HEDDLE_MEANING_LINEAR,
  HEDDLE_MEANING_MAP,
  HEDDLE_MEANING_JOIN,
  HEDDLE_MEANING_MASK,
  HEDDLE_MEANING_SOFTMAX,
  HEDDLE_MEANING_LENGTH,
  HEDDLE_MEANING_RMS,
  HEDDLE_MEANING_VARIANCE,
  HEDDLE_MEANING_BATCH,
  HEDDLE_MEANING_REDUCTION,
  HEDDLE_MEANING_SCAN,
  HEDDLE_MEANING_TRANSPOSE,
  HEDDLE_MEANING_READING,
  HEDDLE_MEANING_INDEX,
  HEDDLE_MEANING_VIEW,
  HEDDLE_MEANING_WINDOW,
  HEDDLE_MEANING_REPEAT,
  HEDDLE_MEANING_CONSTANT,
  HEDDLE_MEANING_UNIT,
  HEDDLE_MEANING_CONCAT,
  HEDDLE_MEANING_SELECT,
  HEDDLE_MEANING_GATHER,
  HEDDLE_MEANING_ROTARY,
  HEDDLE_MEANING_BOX,
  HEDDLE_MEANING_CALL,
  HEDDLE_MEANING_REPETITION,
  HEDDLE_MEANING_LOOP,
  /* derivation */
  HEDDLE_MEANING_KERNEL,
  HEDDLE_MEANING_GROUP,
  HEDDLE_MEANING_STREAM,
  HEDDLE_MEANING_INACTIVE,
  HEDDLE_MEANING_CARRIED,
  HEDDLE_MEANING_COSTS,
  HEDDLE_MEANING_GMEM,
  HEDDLE_MEANING_L2,
  HEDDLE_MEANING_SMEM,
  HEDDLE_MEANING_REGISTERS,
  HEDDLE_MEANING_TENSOR,
  HEDDLE_N_MEANINGS
} HeddleMeaning;

/* Returns what a sign says, as a short sentence in the reader's language without its full stop; the program owns it. NULL means that
 * @meaning is none. */
const char *heddle_meaning_sentence (HeddleMeaning meaning);
/* Returns the name ("smem") of the memory level whose line means @meaning, which the program owns; NULL means that it is no level's. */
const char *heddle_meaning_level (HeddleMeaning meaning);
