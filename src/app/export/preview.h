/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"

/* HeddleExportPreview shows a figure as large as it is printed, on its paper; one object of it can be
 * pointed out. */
#define HEDDLE_TYPE_EXPORT_PREVIEW (heddle_export_preview_get_type ())
G_DECLARE_FINAL_TYPE (HeddleExportPreview, heddle_export_preview, HEDDLE, EXPORT_PREVIEW, GtkWidget)

/* Returns a new preview (floating), centred, that shows nothing until it is given a proof. */
GtkWidget *heddle_export_preview_new (void);
/* Shows @proof, which is taken; NULL means that there is nothing to show. */
void heddle_export_preview_set_proof (
    HeddleExportPreview *self, HeddleProof *proof, const HeddleColor *paper);
/* Outlines what stands for @object and brings it into view; NULL: nothing. */
void heddle_export_preview_point_out (HeddleExportPreview *self, const char *object);
/* Returns the object (id) that is outlined; NULL where none is. */
const char *heddle_export_preview_get_pointed_out (HeddleExportPreview *self);
