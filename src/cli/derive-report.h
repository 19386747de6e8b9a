/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/derivation.h"
#include "cli/json.h"

G_BEGIN_DECLS

/* derive-json.c */
void heddle_derived_print_json (
    const HeddleDerived *self, const HeddleInput *input, const GPtrArray *accountings);
/* The labels of the values that are written out. */
void heddle_derived_written_out_json (JsonBuilder *json, const HeddleDiagram *diagram, const GArray *values);
/* derive-report.c */
void heddle_derived_print_written_out (const HeddleDiagram *diagram, const GArray *values);
void heddle_derived_print_table (const HeddleDerived *self, const HeddleInput *input);

/* derive-shard.c: nothing where all runs on one GPU */
void heddle_derived_print_shards (const HeddleDerived *self);
void heddle_derived_shards_json (JsonBuilder *json, const HeddleDerived *self);

/* Counts that do not fit in 64 bits stay at their largest number. */
gboolean heddle_derived_is_exact (const HeddleLevelCost *level);
/* The named values that a kernel works out again. */
GPtrArray *heddle_derived_recomputed_labels (const HeddleDiagram *diagram, const HeddleKernel *kernel);

G_END_DECLS
