/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"
#include "codegen/ptx/ptx.h"

G_BEGIN_DECLS

void ptx_traffic_count (const PtxTraffic *traffic, HeddlePtxStats *stats);

G_END_DECLS
