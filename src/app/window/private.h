/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/documents/page.h"
#include "app/editor/editor.h"
#include "app/guide/tour.h"
#include "app/window/window.h"

struct _HeddleWindow
{
  AdwApplicationWindow parent_instance;
  HeddleEditor *editor;

  AdwToastOverlay *toasts;
  GtkWidget *unsaved_dot, *title, *subtitle, *breadcrumbs;
  GtkWidget *back_button, *undo_button, *redo_button, *menu_button, *view_button;
  GtkWidget *notices, *tab_bar, *tab_view;
  GtkWidget *pages, *start_page;
  GtkWidget *paned, *equation_paned, *inspector_flap, *palette_flap;
  GtkWidget *inspector, *palette, *outline, *sidebar_switcher, *sidebar_stack;
  GtkWidget *canvas, *minimap, *hint, *zoom_button, *equation_bar, *drawer;
  GtkWidget *quick_insert, *find_bar;
  GMenu *examples_menu, *recent_menu;
  GMenu *history_menu; /* "Undo Fuse softmax" */

  guint zoom_refresh; /* idle source */
  int deriving; /* whether the panes are placed for deriving; -1: not placed yet */
  gboolean equations_dragged; /* a new height of the equations is somebody's wish */
  GtkFileChooserNative *chooser; /* the one that is open */
  GtkWidget *empty_state; /* what to do on a canvas with nothing on it */
  HeddleTour *tour; /* or NULL */
  HeddlePage *page; /* the one shown, whose text the equations are; or NULL */
  GPtrArray *left_drafts; /* of HeddleDraftRecord: what a crash left and nobody answered for yet; or NULL */
  GPtrArray *tabs_in_bars; /* of GListModel: the children of each box of tabs */
  GPtrArray *exports; /* that go on: see export.c; or NULL */
  gboolean close_after_save; /* the page at hand */
  GHashTable *saved_first; /* HeddlePage -> whether it is to be saved, as answered for all at once; or NULL */
  gboolean closing; /* the window is to be closed when all pages are */
  HeddleWindowMaker make_another;
};

typedef void (*HeddlePlaceFunc) (HeddleWindow *self, GFile *file, gpointer data);
