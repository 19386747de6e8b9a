/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/inspector.h"
#include "app/outline.h"
#include "app/palette.h"
#include "app/quick-insert.h"
#include "app/start-page.h"
#include "app/window.h"

G_BEGIN_DECLS

struct _HeddleWindow
{
  AdwApplicationWindow parent_instance;
  HeddleEditor *editor;

  AdwToastOverlay *toasts;
  GtkWidget *unsaved_dot, *title, *subtitle;
  GtkWidget *back_button, *undo_button, *redo_button, *menu_button;
  GtkWidget *pages, *start_page;
  GtkWidget *paned, *inspector_flap, *palette_flap;
  GtkWidget *inspector, *palette, *outline, *sidebar_switcher, *sidebar_stack;
  GtkWidget *canvas, *hint, *zoom_button, *equation_bar, *drawer;
  GtkWidget *quick_insert;
  GMenu *examples_menu;
  GMenu *history_menu; /* "Undo Fuse softmax" */

  guint zoom_refresh; /* idle source */
  GtkFileChooserNative *chooser; /* the one that is open */
  gboolean close_after_save;
  gboolean closing; /* the person said to lose the changes */
};

/* window-actions.c */
void heddle_window_actions_init (HeddleWindow *self);
void heddle_window_actions_update (HeddleWindow *self);
GMenuModel *heddle_window_new_menu (HeddleWindow *self);
void heddle_window_open_quick_insert (HeddleWindow *self);

/* window-files.c */
void heddle_window_choose_open (HeddleWindow *self);
void heddle_window_save (HeddleWindow *self);
void heddle_window_save_as (HeddleWindow *self);
/* TRUE: there is unsaved work and the person is being asked. */
gboolean heddle_window_ask_before_closing (HeddleWindow *self);

/* window-export.c */
void heddle_window_choose_export (HeddleWindow *self);

G_END_DECLS
