/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "app/export/choice.h"
#include "files/base/files.h"

/* HeddleExportForm has the rows of the export dialog in which a person says how a figure is to be. It emits
 * "changed". */
#define HEDDLE_TYPE_EXPORT_FORM (heddle_export_form_get_type ())
G_DECLARE_FINAL_TYPE (HeddleExportForm, heddle_export_form, HEDDLE, EXPORT_FORM, GObject)

/* Adds the rows to @box. Takes @choice. */
HeddleExportForm *heddle_export_form_new (GtkWidget *box, HeddleEditor *editor, HeddleExportChoice *choice);
/* Returns the names of what a figure can show, in the order of HeddleExportPicture; it ends with NULL. */
const char *const *heddle_export_picture_titles (void);
/* Returns what the rows say now, owned by the form. */
const HeddleExportChoice *heddle_export_form_get_choice (HeddleExportForm *self);

/* Returns the options for the diagram shown, on the editor's target. Strings are borrowed from the choice
 * and the editor. */
HeddleExportOptions heddle_export_options_of (HeddleEditor *editor, const HeddleExportChoice *choice);

/* Returns the name of a kind of file: "Figure with its source (.svg)"; NULL for a suffix of no kind. */
const char *heddle_export_format_title (const char *suffix);
/* Returns what is in it and what to do with it, where it is no figure; else NULL. */
const char *heddle_export_format_use (const char *suffix);
