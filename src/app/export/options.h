/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "app/export/choice.h"
#include "files/base/files.h"

G_BEGIN_DECLS

/**
 * HeddleExportForm: the rows of the export dialog in which a person says how a figure is to be. Signal "changed".
 */
#define HEDDLE_TYPE_EXPORT_FORM (heddle_export_form_get_type ())
G_DECLARE_FINAL_TYPE (HeddleExportForm, heddle_export_form, HEDDLE, EXPORT_FORM, GObject)

/* Adds the rows to @box. Takes @choice. */
HeddleExportForm *heddle_export_form_new (GtkWidget *box, HeddleEditor *editor, HeddleExportChoice *choice);
/* What a figure can be of, in the order of HeddleExportPicture; ends with NULL. */
const char *const *heddle_export_picture_titles (void);
/* Returns what the rows say now, owned by the form. */
const HeddleExportChoice *heddle_export_form_get_choice (HeddleExportForm *self);

/* For the diagram shown, on the editor's target. Strings are borrowed from the choice and the editor. */
HeddleExportOptions heddle_export_options_of (HeddleEditor *editor, const HeddleExportChoice *choice);

/* What a kind of file is called: "Figure with its source (.svg)". NULL: the suffix of no kind. */
const char *heddle_export_format_title (const char *suffix);
/* What is in it and what to do with it, where it is no figure; else NULL. */
const char *heddle_export_format_use (const char *suffix);

G_END_DECLS
