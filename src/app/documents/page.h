/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>
#include "app/canvas/view.h"
#include "app/documents/session.h"
#include "app/editor/editor.h"

/* HeddlePage is what a tab stands for: one diagram of an open document, how it is looked at, and the text
 * that is being typed for it. The panes of a window show one page at a time. A page moves from window to
 * window with its tab. The signal "changed" says that the title, the file or the state changed. */
#define HEDDLE_TYPE_PAGE (heddle_page_get_type ())
G_DECLARE_FINAL_TYPE (HeddlePage, heddle_page, HEDDLE, PAGE, GtkWidget)

/* Returns a new page (floating) on the first diagram of the document of @session, with an editor of its own;
 * it holds @session. */
GtkWidget *heddle_page_new (HeddleSession *session);
/* Returns the session that the page is on, owned by the page. */
HeddleSession *heddle_page_get_session (HeddlePage *self);
/* Returns the page's editor, owned by the page. */
HeddleEditor *heddle_page_get_editor (HeddlePage *self);
/* Returns the title: "attention.ncd", or "attention.ncd: softmax" where another than the first diagram is
 * shown. Newly allocated. */
char *heddle_page_dup_title (HeddlePage *self);
/* Text that is no diagram, kept while the page is not shown; NULL: none. */
void heddle_page_set_text (HeddlePage *self, const char *text);
/* It is typed just now, and told when it is wanted: see heddle_draft_expect_text(). */
void heddle_page_expect_text (HeddlePage *self);
/* Returns the text kept for the page that is no diagram, owned by the page; NULL where there is none. */
const char *heddle_page_get_text (HeddlePage *self);
/* Gives where the person looks; FALSE means that the page was never shown. */
void heddle_page_set_view (HeddlePage *self, const HeddleCanvasView *view);
/* Gets where the person looked when the page was last shown. Returns FALSE where it was never shown. */
gboolean heddle_page_get_view (HeddlePage *self, HeddleCanvasView *view);
/* The person said to lose what is not saved. */
void heddle_page_give_up (HeddlePage *self);
/* Its window is gone: whoever still knows the widget does not keep the document. */
void heddle_page_let_go (HeddlePage *self);
/* Returns whether something would be lost by closing it: no other page, in any window, shows the document. */
gboolean heddle_page_needs_asking (HeddlePage *self);
