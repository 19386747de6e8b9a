/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/key-file.h"

#define HEDDLE_SUSTAINED_GROUP "Sustained"

/* The rates that a GPU reaches in practice, beside the peaks of its vendor. Each rate stands in the group
 * [Sustained] of a machine file as `Key=NUMBER;KIND;SOURCE`. */
typedef enum
{
  HEDDLE_SUSTAINED_TENSOR, /* share of the tensor cores' peak on random data: power lowers the clock (key TensorShare) */
  HEDDLE_SUSTAINED_TENSOR8, /* the same for types of one byte (Tensor8Share) */
  HEDDLE_SUSTAINED_MMA, /* share of that which mma.sync reaches where a newer instruction is faster (MmaShare) */
  HEDDLE_SUSTAINED_DRAM, /* bytes/s of global memory, read and written (DramBandwidth) */
  HEDDLE_SUSTAINED_L2, /* bytes/s from L2 to all SMs (L2Bandwidth) */
  HEDDLE_SUSTAINED_LATENCY, /* s from a load that misses all caches to its value (DramLatency) */
  HEDDLE_SUSTAINED_LAUNCH, /* s from a kernel's end to the next one's beginning in a stream (Launch) */
  HEDDLE_SUSTAINED_GRAPH, /* the same in a graph (GraphLaunch) */
  HEDDLE_SUSTAINED_ALONE, /* s that two events around one kernel tell beside its work (AloneLaunch) */
  HEDDLE_N_SUSTAINED
} HeddleSustainedRate;

/* The ways in which a rate may be known. */
typedef enum
{
  HEDDLE_KNOWN_PEAK, /* the vendor's figure, which nothing exceeds */
  HEDDLE_KNOWN_MEASURED, /* measured on such a GPU */
  HEDDLE_KNOWN_DERIVED, /* from another figure: a GPU of the same kind, or a fit */
} HeddleKnown;

typedef struct
{
  double value; /* 0: the file does not tell */
  HeddleKnown known;
  char *source; /* in words */
} HeddleSustained;

/* Reads the group [Sustained], if there is one, into @rates, an array of %HEDDLE_N_SUSTAINED zeroed places.
 * An unknown key, a number out of its range, or a missing kind or source fails the reader. */
void heddle_sustained_read (HeddleKeyFile *reader, HeddleSustained *rates);
/* Returns a rate as the file has it, "NUMBER;KIND;SOURCE" with six digits; %NULL if it is not given. Transfer
 * full. */
char *heddle_sustained_text (const HeddleSustained *rate);
/* Makes the sources of @rates, copied with the array, its own. */
void heddle_sustained_own (HeddleSustained *rates);
/* Frees the sources of @rates, an array of %HEDDLE_N_SUSTAINED; the array itself stays the caller's. */
void heddle_sustained_clear (HeddleSustained *rates);
/* Returns the key of a rate in the file, such as "DramBandwidth"; the text is static. */
const char *heddle_sustained_key (HeddleSustainedRate rate);
