/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "files/base/files.h"

G_BEGIN_DECLS

/* The machine asked for, else the schedule's. */
const char *heddle_export_machine_name (const HeddleExportOptions *options, const HeddleSchedule *schedule);
/* .svg .pdf .png .tex .ncd .eq .cu .h .py .ptx .cubin .fatbin .so. Errors of the rooms below are passed on (HEDDLE_CODEGEN_ERROR_MISSING: exit 3). */
GBytes *heddle_export (const HeddleSnapshot *snapshot, const char *path, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
/* Whether @path is to be a figure, by its suffix. */
gboolean heddle_export_is_figure (const char *path);
HeddleProof *heddle_export_proof (const HeddleSnapshot *snapshot, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
void heddle_proof_free (HeddleProof *self);
/* What stands against printing the figure that heddle_export () makes with these options: of HeddleProblem, warnings; transfer full. */
GPtrArray *heddle_export_check (const HeddleSnapshot *snapshot, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleProof, heddle_proof_free)

G_END_DECLS
