/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

/* Options are rows of a list. Transfer none. A combo reports changes by "notify::selected", the others by
 * the signals of their control: "value-changed" of a spin button, "notify::active" of a switch. */
GtkWidget *heddle_option_group (GtkWidget *box, const char *title);
/* @labels ends with NULL. */
GtkWidget *heddle_option_combo (
    GtkWidget *group, const char *title, const char *const *labels, guint selected);
/* Returns the index of the label that is selected, from 0. */
guint heddle_option_combo_get (GtkWidget *row);
/* Adds a row with a spin button from @least to @most in steps of @step, with @digits decimals, and returns
 * the row, owned by @group. */
GtkWidget *heddle_option_number (
    GtkWidget *group, const char *title, double value, double least, double most, double step, guint digits);
/* Returns the number of a row made by heddle_option_number (). */
double heddle_option_number_get (GtkWidget *row);
/* Adds a row with a switch, and @subtitle (nullable) below its title, and returns the row, owned by @group. */
GtkWidget *heddle_option_switch (GtkWidget *group, const char *title, const char *subtitle, gboolean active);
/* Returns whether the switch of a row made by heddle_option_switch () is on. */
gboolean heddle_option_switch_get (GtkWidget *row);

GtkWidget *heddle_option_control (GtkWidget *row); /* of a number or a switch */
