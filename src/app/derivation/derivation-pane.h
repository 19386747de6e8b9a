/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor.h"

G_BEGIN_DECLS

/**
 * HeddleDerivationPane: the drawer in which a kernel is derived: target, level strip, roofline, prediction, steps, kernel.
 */
#define HEDDLE_TYPE_DERIVATION_PANE (heddle_derivation_pane_get_type ())
G_DECLARE_FINAL_TYPE (HeddleDerivationPane, heddle_derivation_pane, HEDDLE, DERIVATION_PANE, GtkBox)

GtkWidget *heddle_derivation_pane_new (HeddleEditor *editor);
/* The half of a level on which an axis is dropped; %NULL: the machine has no such level, or it takes no labels. */
GtkWidget *heddle_derivation_pane_get_half (
    HeddleDerivationPane *self, const char *level, HeddleLabelKind kind);

G_END_DECLS
