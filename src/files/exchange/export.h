/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "files/base/files.h"

/* Returns the bytes of the file that @path's suffix asks for (transfer full): .svg .pdf .png .tex .ncd .eq
 * .cu .h .py .ptx .cubin .fatbin .so; of .pdf_tex the words over a .pdf. Nothing is written. NULL means that @error is set:
 * HEDDLE_FILES_ERROR_FORMAT for an unknown suffix, or the error of a room below (HEDDLE_CODEGEN_ERROR_MISSING
 * where a compiler is missing, exit 3). */
GBytes *heddle_export (const HeddleSnapshot *snapshot, const char *path, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
/* Returns where the words go that TeX sets over the picture at @path, newly allocated, which is made by heddle_export ()
 * as well. NULL means that these options leave no words to TeX. */
char *heddle_export_overlay_path (const char *path, const HeddleExportOptions *options);
/* Returns whether @path becomes a figure, by its suffix. */
gboolean heddle_export_is_figure (const char *path);
/* Returns the figure that heddle_export () makes with these options, before it is printed, with what stands
 * against printing it (transfer full). NULL means that @error is set by the room that failed. */
HeddleProof *heddle_export_proof (const HeddleSnapshot *snapshot, const HeddleExportOptions *options,
    GCancellable *cancellable, GError **error);
/* Frees a proof with its scene and its problems. */
void heddle_proof_free (HeddleProof *self);
/* Returns what stands against printing the figure that heddle_export () makes with these options, warnings of
 * HeddleProblem (transfer full). NULL means that @error is set. */
GPtrArray *heddle_export_check (
    const HeddleSnapshot *snapshot, const HeddleExportOptions *options, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleProof, heddle_proof_free)
