/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* Adds what is called, how often and with which parameters. */
void heddle_inspector_add_call (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *call);
