/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/documents/draft-store.h"
#include "app/documents/draft.h"
#include "diagram/document/document.h"

#define HEDDLE_SESSION_ERROR (heddle_session_error_quark ())
/* Returns the domain of errors in saving and reloading a session's file. */
GQuark heddle_session_error_quark (void);
typedef enum
{
  HEDDLE_SESSION_ERROR_CHANGED, /* the file is not the one that was read */
  HEDDLE_SESSION_ERROR_READ_ONLY,
} HeddleSessionError;

/* A state is what there is to say of the file. */
typedef enum
{
  HEDDLE_SESSION_CHANGED = 1 << 0, /* another program wrote it */
  HEDDLE_SESSION_GONE = 1 << 1, /* it was moved or deleted */
  HEDDLE_SESSION_READ_ONLY = 1 << 2,
  HEDDLE_SESSION_IN_USE = 1 << 3, /* another window or program has it open to write it */
} HeddleSessionState;

/* HeddleSession is a document that is open: the document, the file it was read from, what became of that
 * file meanwhile, and the draft of what is not saved. Several pages may show it. It emits "changed" when
 * the file, its state or the draft's error changed. */
#define HEDDLE_TYPE_SESSION (heddle_session_get_type ())
G_DECLARE_FINAL_TYPE (HeddleSession, heddle_session, HEDDLE, SESSION, GObject)

/* A document that was never saved; @title (nullable) is what it is called until it is. */
HeddleSession *heddle_session_new (HeddleSnapshot *snapshot, const char *title);
/* Reads @file (.ncd, .eq, .svg). All problems go into @problems (of HeddleProblem). */
HeddleSession *heddle_session_open (GFile *file, GPtrArray *problems, GError **error);
/* Opens what a crash left, as unsaved work on its file. */
HeddleSession *heddle_session_recover (const HeddleDraftRecord *record, GPtrArray *problems, GError **error);

/* Returns the open document, owned by the session. */
HeddleDocument *heddle_session_get_document (HeddleSession *self);
GFile *heddle_session_get_file (HeddleSession *self); /* NULL: never saved */
void heddle_session_set_template (
    HeddleSession *self, const char *title); /* the file is a start, not its place */
const char *heddle_session_get_title (HeddleSession *self); /* of one that has no file; NULL: none */
/* Returns how the session stands with its file: see #HeddleSessionState. */
HeddleSessionState heddle_session_get_state (HeddleSession *self);
/* Returns the draft of what is not saved, owned by the session. */
HeddleDraft *heddle_session_get_draft (HeddleSession *self);
/* Returns whether something would be lost by closing it. */
gboolean heddle_session_is_unsaved (HeddleSession *self);
/* Equations being typed that are no diagram (yet), for the diagram of that name; NULL: none. */
void heddle_session_set_text (HeddleSession *self, const char *diagram, const char *text);
/* They are typed just now, and told when they are wanted: see heddle_draft_expect_text(). */
void heddle_session_expect_text (HeddleSession *self);
/* Returns the equations that are being typed and are no diagram yet, and in @diagram (optional) the name of
 * the diagram they are for; both are owned by the session. NULL where there are none. */
const char *heddle_session_get_text (HeddleSession *self, const char **diagram);

/* Writes the document to @file, which is its file from then on. Not over what another program wrote meanwhile, unless @overwrite. */
gboolean heddle_session_save (HeddleSession *self, GFile *file, gboolean overwrite, GError **error);
/* Takes what the file holds now, as a step that can be undone. */
gboolean heddle_session_reload (HeddleSession *self, GPtrArray *problems, GError **error);
/* The document is what counts: the file is written over by the next saving. */
void heddle_session_keep (HeddleSession *self);
/* Looks at the file, where nothing tells of its changes. */
void heddle_session_look (HeddleSession *self);
