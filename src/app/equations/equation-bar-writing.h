/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "app/equations/equation-bar.h"

G_BEGIN_DECLS

/* Whether a worker writes its text. */
gboolean heddle_equation_bar_is_large (HeddleEditor *editor);
/* Empties the text without changing the diagram. */
void heddle_equation_bar_empty (HeddleEquationBar *self);
/* What is not there yet stays away. */
void heddle_equation_bar_stop_writing (HeddleEquationBar *self);
/* Puts the diagram's own text back. */
void heddle_equation_bar_revert (HeddleEquationBar *self);

G_END_DECLS
