/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/equations/equation-completion.h"

/* Has a card say what the name under the pointer is: the type of an array, the size of an axis. @completion, which must live as long as
 * the view, knows. */
void heddle_equation_hover_attach (GtkTextView *view, HeddleEquationCompletion *completion);
