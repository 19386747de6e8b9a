/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/equations/equation-bar.h"

G_BEGIN_DECLS

/* Returns the whole text in the bar, newly allocated. */
char *heddle_equation_bar_dup_text (HeddleEquationBar *self);
/* Colours what is seen, and some lines above and below. */
void heddle_equation_bar_highlight (HeddleEquationBar *self);
/* One line instead of the text. */
void heddle_equation_bar_set_collapsed (HeddleEquationBar *self, gboolean collapsed);
/* @text: (nullable): what is said of the equations */
void heddle_equation_bar_show_state (HeddleEquationBar *self, gboolean valid, const char *text);
/* By the number of lines of the text that was set. */
void heddle_equation_bar_choose_height (HeddleEquationBar *self);
/* Has the bar follow scrolling, the cursor, its expander and the colours of the desktop. */
void heddle_equation_bar_look_init (HeddleEquationBar *self);

G_END_DECLS
