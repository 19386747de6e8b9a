/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"

G_BEGIN_DECLS

/* Adds the counts of @more to those of @self: what two launches did together. */
void heddle_ptx_stats_add (HeddlePtxStats *self, const HeddlePtxStats *more);

void ptx_traffic_count (const PtxTraffic *traffic, HeddlePtxStats *stats);

G_END_DECLS
