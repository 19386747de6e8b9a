/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Derives what each GPU does, as heddle_derive () does, with the collectives' time in the totals. The derivation takes @self. Errors are those of heddle_derive (). */
HeddleDerivation *heddle_sharding_derive (
    HeddleSharding *self, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);
/* Returns the diagram that the kernels of a derivation are of: over several GPUs the one with what merges
 * their parts, owned by @self; else @diagram. */
const HeddleDiagram *heddle_derivation_diagram (const HeddleDerivation *self, const HeddleDiagram *diagram);
/* Returns the sizes that the program of @kernel is of: over several GPUs those of what each does, owned by
 * @self; else @whole. */
const HeddleSizes *heddle_derivation_sizes (
    const HeddleDerivation *self, const HeddleKernel *kernel, const HeddleSizes *whole);
/* Returns whether the kernel merges parts of several GPUs; its operations are then in no document. */
gboolean heddle_derivation_is_inserted (const HeddleDerivation *self, const HeddleKernel *kernel);
/* Returns a new array of HeddleLinkTraffic, one for each link that axes are grouped at; it is empty where
 * @self is NULL. */
GArray *heddle_sharding_traffic (const HeddleSharding *self);

G_END_DECLS
