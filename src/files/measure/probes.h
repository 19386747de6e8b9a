/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/machine/machine.h"
#include "files/measure/private.h"

/* Returns all probes, static, and gives their number as @n. */
const HeddleProbe *heddle_probes (guint *n);
/* Returns the plan of a probe's kernel for a machine (transfer full); NULL means that @error is set by the
 * derivation. */
HeddlePlan *heddle_probe_plan (
    const HeddleProbe *self, const HeddleMachine *machine, GCancellable *cancellable, GError **error);
/* Returns how many bytes the plan's arrays take on the GPU. */
gsize heddle_probe_bytes (const HeddlePlan *plan);
