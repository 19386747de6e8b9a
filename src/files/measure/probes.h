/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "codegen/base/codegen.h"
#include "derive/machine/machine.h"
#include "files/measure/private.h"

G_BEGIN_DECLS

const HeddleProbe *heddle_probes (guint *n);
/* The plan of a probe's kernel for a machine. */
HeddlePlan *heddle_probe_plan (
    const HeddleProbe *self, const HeddleMachine *machine, GCancellable *cancellable, GError **error);
/* What its arrays take on the GPU. */
gsize heddle_probe_bytes (const HeddlePlan *plan);

G_END_DECLS
