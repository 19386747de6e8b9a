/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* Drafts lie in $XDG_STATE_HOME/heddle/drafts, in a folder for each process, which holds a lock on it while
 * it lives. A folder without a living owner is what a crash left. Each draft is NAME.ncd, the document, and
 * NAME.draft, what belongs to it. */

/* A record is what is known of a draft beside its document. All but the stem may be NULL. */
typedef struct
{
  char *stem; /* its path without a suffix */
  char *title;
  char *uri; /* of the file it is a newer version of */
  char *digest; /* of that file's content when it was last read or written */
  char *diagram, *text; /* equations being typed, and the name of the diagram they are for */
  gint64 time; /* when it was written, seconds since 1970; 0: unknown */
} HeddleDraftRecord;

/* Frees the record with its words; the draft's files stay. */
void heddle_draft_record_free (HeddleDraftRecord *self);
char *heddle_draft_record_document (
    const HeddleDraftRecord *self); /* the path of the document; newly allocated */

/* Returns a place for a draft of this process, its path without a suffix, newly allocated; the folder is
 * made and locked at the first call. NULL comes with a GFileError. */
char *heddle_draft_store_new_stem (GError **error);
/* Returns what processes that have ended left (HeddleDraftRecord), oldest first. Each is found once. */
GPtrArray *heddle_draft_store_find (void);
/* Writes what belongs to a draft. Whole or not at all. */
gboolean heddle_draft_store_write (const HeddleDraftRecord *record, GError **error);
/* Takes a draft away; nothing happens where there is none. */
void heddle_draft_store_remove (const char *stem);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDraftRecord, heddle_draft_record_free)
