/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/command.h"
#include "cli/input.h"
#include "cli/options.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/suggest/fusion.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* The options of the commands that derive: what is fused, how axes are labelled, for which machine. */
typedef struct
{
  char *gpu, *fuse, *columns, *objective, *family, *divisors;
  char **labels, **places, **recomputed;
  gint64 budget; /* bytes of global memory; 0: as many as there are */
  gint64 memory; /* elements, of the abstract machine; 0: its own */
  int stages;
  int cluster; /* groups whose memories are one above them; 0: none */
  gboolean suggest, hierarchy;
  gboolean applied; /* --apply: what is derived is written into a document */
  gboolean fresh; /* the file's tiles are left out; a file without regions is fused whole */
} HeddleDerivationOptions;

/* GOptionEntry rows for the table of a command. */
#define HEDDLE_DERIVATION_ENTRIES(o)                                                                         \
  { "gpu", 0, 0, G_OPTION_ARG_STRING, &(o).gpu,                                                              \
    N_ ("The machine, as heddle gpus lists them (default: the file's, else h100-sxm)"), N_ ("NAME") },       \
      { "fuse", 0, 0, G_OPTION_ARG_STRING, &(o).fuse,                                                        \
        N_ ("What runs as one kernel: all, none, best, file (default), or values such as S,P,O"),            \
        N_ ("WHAT") },                                                                                       \
      { "label", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o).labels,                                               \
        N_ ("Label an axis: [REGION/]AXIS:group|stream|divisor|order@LEVEL=N"), N_ ("LABEL") },              \
      { "place", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o).places,                                               \
        N_ ("Keep a value at a memory level: VALUE@LEVEL, or where one reads it: VALUE:READER@LEVEL"),       \
        N_ ("PLACE") },                                                                                      \
      { "recompute", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o).recomputed,                                       \
        N_ ("Work a value out again where one reads it: VALUE:READER"), N_ ("WHAT") },                       \
  {                                                                                                          \
    "memory", 0, 0, G_OPTION_ARG_INT64, &(o).memory, N_ ("The lower memory of the two-level machine"),       \
        N_ ("ELEMENTS")                                                                                      \
  }

/* The GOptionEntry row of --family, for the commands that print kernels. */
#define HEDDLE_FAMILY_ENTRY(text)                                                                            \
  {                                                                                                          \
    "family", 0, 0, G_OPTION_ARG_STRING, &(text),                                                            \
        N_ ("How kernels are made: auto (default), general, rows, or sm80, sm90a or sm90a-copies for the "   \
            "tensor core"),                                                                                  \
        N_ ("FAMILY")                                                                                        \
  }

/* Frees the texts of the options; @self itself is the caller's. */
void heddle_derivation_options_clear (HeddleDerivationOptions *self);

/* Returns the schedule to derive: the file's, fused as asked, labelled, placed. @fusion (nullable) receives
 * what was found if the best was asked for. Returns NULL after printing the error. */
HeddleSchedule *heddle_derivation_schedule (const HeddleDerivationOptions *self, const HeddleOptions *options,
    const HeddleInput *input, const HeddleMachine *machine, HeddleFusion *fusion, HeddleExit *status);
/* Returns the machine asked for. Returns NULL after printing the error. */
HeddleMachine *heddle_derivation_machine (
    const HeddleDerivationOptions *self, const HeddleInput *input, HeddleExit *status);
/* Returns the data type: that of --dtype, else the file's, else f16. */
HeddleDtype heddle_derivation_dtype (const HeddleOptions *options, const HeddleInput *input);

/* A derivation and what it is made of. */
typedef struct
{
  HeddleMachine *machine;
  HeddleSchedule *schedule;
  HeddleDerivation *derivation;
  HeddleDtype dtype;
  char *recomputing; /* what is computed again and why, as suggested; or NULL */
  GArray *
      split; /* ids of values that were sums over products of three arrays or more, and are derived as products of two; or NULL */
  GArray *
      joined; /* ids of values that were sums over axes that lie side by side, and are derived as sums over one axis;
                     or NULL */
  GArray *
      written_out; /* ids of values whose softmax or norm fits no memory, and is derived as maps and reductions; or NULL */
  gint64 budget;
  HeddleFusion fusion; /* all 0 unless the best cut was asked for */
  gboolean hierarchy; /* every level of the machine is reported */
} HeddleDerived;

/* Derives the schedule; the sizes of @input are resolved. Returns %FALSE after printing the error. */
gboolean heddle_derived_new (HeddleDerived *self, const HeddleDerivationOptions *how,
    const HeddleOptions *options, HeddleInput *input, HeddleExit *status);
/* Frees everything that @self owns; @self itself is the caller's. */
void heddle_derived_clear (HeddleDerived *self);
/* Prints the refused labels on the error stream. */
void heddle_derived_print_refusals (const HeddleDerived *self, const HeddleInput *input);
/* Returns the name of an axis, or @axis_id itself if the diagram has no such axis. The text is owned by
 * the diagram. */
const char *heddle_derived_axis_name (const HeddleDiagram *diagram, const char *axis_id);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleDerivationOptions, heddle_derivation_options_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeddleDerived, heddle_derived_clear)
