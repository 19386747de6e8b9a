/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/*  --- heddle_derive () of what each GPU does, with the collectives' time in the totals. */
HeddleDerivation *heddle_sharding_derive (
    HeddleSharding *self, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
/* What the kernels of a derivation are of: over several GPUs, @diagram with what merges parts of theirs. */
const HeddleDiagram *heddle_derivation_diagram (const HeddleDerivation *self, const HeddleDiagram *diagram);
/* The sizes that the kernel's program is of: over several GPUs those of what each does, else @whole. */
const HeddleSizes *heddle_derivation_sizes (
    const HeddleDerivation *self, const HeddleKernel *kernel, const HeddleSizes *whole);
/* Whether the kernel merges parts of several GPUs: its operations are in no document. */
gboolean heddle_derivation_is_inserted (const HeddleDerivation *self, const HeddleKernel *kernel);
/* Of HeddleLinkTraffic, one for each link that axes are grouped at; empty where @self is NULL. */
GArray *heddle_sharding_traffic (const HeddleSharding *self);

G_END_DECLS
