/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/documents/page.h"
#include "app/export/choice.h"
#include "app/guide/tour.h"
#include "app/window/find-bar.h"
#include "app/panes/inspector.h"
#include "app/panes/outline.h"
#include "app/panes/palette.h"
#include "app/panes/quick-insert.h"
#include "app/panes/start-page.h"
#include "app/window/window.h"

G_BEGIN_DECLS

struct _HeddleWindow
{
  AdwApplicationWindow parent_instance;
  HeddleEditor *editor;

  AdwToastOverlay *toasts;
  GtkWidget *unsaved_dot, *title, *subtitle;
  GtkWidget *back_button, *undo_button, *redo_button, *menu_button;
  GtkWidget *notices, *tab_bar, *tab_view;
  GtkWidget *pages, *start_page;
  GtkWidget *paned, *inspector_flap, *palette_flap;
  GtkWidget *inspector, *palette, *outline, *sidebar_switcher, *sidebar_stack;
  GtkWidget *canvas, *minimap, *hint, *zoom_button, *equation_bar, *drawer;
  GtkWidget *quick_insert, *find_bar;
  GMenu *examples_menu, *recent_menu;
  GMenu *history_menu; /* "Undo Fuse softmax" */

  guint zoom_refresh; /* idle source */
  GtkFileChooserNative *chooser; /* the one that is open */
  GtkWidget *empty_state; /* what to do on a canvas with nothing on it */
  HeddleTour *tour; /* or NULL */
  HeddlePage *page; /* the one shown, whose text the equations are; or NULL */
  GPtrArray *left_drafts; /* of HeddleDraftRecord: what a crash left and nobody answered for yet; or NULL */
  GPtrArray *exports; /* that go on: see window-export.c; or NULL */
  gboolean close_after_save; /* the page at hand */
  gboolean closing; /* the window is to be closed when all pages are */
};

/* window-actions.c */
void heddle_window_actions_init (HeddleWindow *self);
void heddle_window_actions_update (HeddleWindow *self);
void heddle_window_open_quick_insert (HeddleWindow *self);

/* window.c */
/* All panes show @editor; NULL: the start page is shown. */
void heddle_window_set_editor (HeddleWindow *self, HeddleEditor *editor);
void heddle_window_update_title (HeddleWindow *self);

/* window-toasts.c */
void heddle_window_toasts_init (HeddleWindow *self);
/* Takes away what was said last, where it stands still. */
void heddle_window_dismiss_toast (HeddleWindow *self);
/* Of a window whose content is an overlay of toasts that others show: nothing reaches them, and Escape closes the window. */
void heddle_window_guard_toasts (AdwWindow *window);

/* window-pages.c */
void heddle_window_pages_init (HeddleWindow *self);
HeddlePage *heddle_window_get_page (HeddleWindow *self); /* the one shown; NULL on the start page */
void heddle_window_add_session (HeddleWindow *self, HeddleSession *session);
void heddle_window_next_tab (HeddleWindow *self);
void heddle_window_previous_tab (HeddleWindow *self);
/* What is being typed goes to the document, or is kept by the page. */
void heddle_window_flush (HeddleWindow *self);
void heddle_window_pages_dispose (HeddleWindow *self);
/* Another page on what the selected call calls. */
void heddle_window_open_definition_in_tab (HeddleWindow *self);

/* window-close.c */
void heddle_window_close_init (HeddleWindow *self);
void heddle_window_close_page (HeddleWindow *self); /* the one shown, or the window where there is none */
/* TRUE: there is unsaved work and the person is being asked. */
gboolean heddle_window_ask_before_closing (HeddleWindow *self);
/* What is answered in @dialog is about the page that is shown now. Another one may come to the front before the answer: a file that is
 * opened from elsewhere, a model that has been read. */
void heddle_window_ask_about_page (HeddleWindow *self, gpointer dialog);
/* Shows that page again. Returns: whether it is still here */
gboolean heddle_window_return_to_page (HeddleWindow *self, gpointer dialog);
/* The page's document is as it is to be left. */
void heddle_window_close_soon (HeddleWindow *self); /* when what goes on has ended */
void heddle_window_go_on_closing (HeddleWindow *self);

/* window-notices.c */
void heddle_window_update_notices (HeddleWindow *self);
void heddle_window_reload (HeddleWindow *self);
void heddle_window_keep (HeddleWindow *self);
void heddle_window_recover_drafts (HeddleWindow *self);
void heddle_window_discard_drafts (HeddleWindow *self);

/* window-files.c */
void heddle_window_show_problems (
    HeddleWindow *self, const char *heading, GPtrArray *problems, const GError *error);
void heddle_window_watch_recent (HeddleWindow *self);
void heddle_window_choose_open (HeddleWindow *self);
void heddle_window_save (HeddleWindow *self);
void heddle_window_save_as (HeddleWindow *self);

/* window-place.c */
/* Begins where @before is (a path, or NULL: nothing was written yet), or the document, where a person may write. */
void heddle_window_begin_beside (HeddleWindow *self, GtkFileChooser *chooser, const char *before);
typedef void (*HeddlePlaceFunc) (HeddleWindow *self, GFile *file, gpointer data);
/* Calls @write for @chosen, with @suffix after its name. The desktop's dialog asked about @chosen itself: where the suffix makes it another
 * file that is there, the person is asked, about the page that is shown. Takes @data. */
void heddle_window_take_place (HeddleWindow *self, GFile *chosen, const char *suffix, HeddlePlaceFunc write,
    gpointer data, GDestroyNotify free_data);

/* window-figure.c */
void heddle_window_figure_init (HeddleWindow *self);
void heddle_window_figure_update (HeddleWindow *self);
GMenuModel *heddle_window_new_figure_menu (void);

/* window-edit.c */
void heddle_window_edit_init (HeddleWindow *self);
void heddle_window_edit_update (HeddleWindow *self);
GMenuModel *heddle_window_new_edit_section (void);
GMenuModel *heddle_window_new_derive_menu (void);

/* window-menu.c */
GMenuModel *heddle_window_new_menu (HeddleWindow *self);
/* @undo_name, @redo_name: (nullable): what there is to undo and redo */
void heddle_window_update_history (HeddleWindow *self, const char *undo_name, const char *redo_name);

/* window-export.c */
void heddle_window_choose_export (HeddleWindow *self);
void heddle_window_export_to (HeddleWindow *self, const HeddleExportChoice *choice, const char *path);
/* The dialog as it was left, but for what the figure is of, or for the kind of file: a kernel's, the Python module. */
void heddle_window_export_picture (HeddleWindow *self, HeddleExportPicture picture);
void heddle_window_export_kernel (HeddleWindow *self);
void heddle_window_export_module (HeddleWindow *self);
/* What is being exported, and takes so long that it is told; NULL: nothing. */
char *heddle_window_dup_exports (HeddleWindow *self);
void heddle_window_cancel_exports (HeddleWindow *self);
/* The same kind of file to the same place; asks where that is not known yet. */
void heddle_window_export_again (HeddleWindow *self);

/* window-results.c */
void heddle_window_open_results (HeddleWindow *self);

/* window-import.c: a model of others, which becomes a document of its own; what of it is not understood is told. */
void heddle_window_open_model (HeddleWindow *self, const char *path);
void heddle_window_take_files (HeddleWindow *self);

/* window-guide.c */
void heddle_window_show_help (HeddleWindow *self);
void heddle_window_show_preferences (HeddleWindow *self);
void heddle_window_start_tour (HeddleWindow *self);
void heddle_window_skip_tour_step (HeddleWindow *self);
void heddle_window_leave_tour (HeddleWindow *self);
void heddle_window_guide_init (HeddleWindow *self);
void heddle_window_update_empty_state (HeddleWindow *self);
void heddle_window_update_hint (HeddleWindow *self);

/* window-print.c */
void heddle_window_print (HeddleWindow *self);
/* The diagram shown on one page, to be run; NULL: it cannot be drawn. */
GtkPrintOperation *heddle_window_new_print_operation (
    HeddleWindow *self, HeddleExportPicture picture, GError **error);

G_END_DECLS

/* window-panes.c */
/* Before a document's page is shown. */
void heddle_window_place_panes (HeddleWindow *self);
/* Whether the panes are wanted follows the settings, and they it. */
void heddle_window_bind_panes (HeddleWindow *self, GSettings *settings);
/* The inspector is as wide as the size of letters asks, now and from now on. */
void heddle_window_watch_text_scale (HeddleWindow *self);
