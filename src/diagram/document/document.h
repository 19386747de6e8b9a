/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/**
 * HeddleSnapshot: everything a document holds at one moment: meaning, schedule, presentation. Reference-counted. Once committed it
 * never changes, so that worker threads read it without locks. Copies share what was not edited.
 */
typedef struct
{
  gatomicrefcount ref_count;
  GPtrArray *diagrams; /* of HeddleDiagram; the first is the main one */
  GPtrArray *schedules; /* of HeddleSchedule, one for each diagram at most */
  GPtrArray *presentations; /* of HeddlePresentation, one for each diagram at most */
  GPtrArray *extensions; /* of char *: foreign XML elements of a newer minor version, kept as they were */
  gboolean read_only; /* read from a newer major version */
} HeddleSnapshot;

/**
 * HeddleDocument: the current snapshot, its history, and whether it differs from what was saved. Every change goes through one
 * path: begin, edit the snapshot given, commit under a name. Undo puts the snapshot before back.
 *
 * Signals: "changed" (HeddleSnapshot *now): after a commit, an undo, a redo or a load.
 * Properties: "can-undo", "can-redo", "modified" (booleans), "undo-name", "redo-name" (strings or NULL), all notifying.
 */
#define HEDDLE_TYPE_DOCUMENT (heddle_document_get_type ())
G_DECLARE_FINAL_TYPE (HeddleDocument, heddle_document, HEDDLE, DOCUMENT, GObject)

/* Makes a document that shows @snapshot, which it references, as saved and without history. The caller
 * owns it. */
HeddleDocument *heddle_document_new_from_snapshot (HeddleSnapshot *snapshot);
HeddleSnapshot *heddle_document_get_snapshot (HeddleDocument *self); /* transfer none; ref it to keep it */

/* Returns a copy to edit. Nothing is visible to others until it is committed. There can be one transaction at
 * a time. */
HeddleSnapshot *heddle_document_begin (HeddleDocument *self); /* transfer none */
/* Makes it the document's snapshot under @name (translated: "Rename axis x"). @merge_key: a commit with the
 * same non-NULL key as the one before joins it (a nudge by arrow keys is one undo step). */
void heddle_document_commit (HeddleDocument *self, const char *name, const char *merge_key);
/* Throws the snapshot of the transaction away; the document stays as it was. Nothing happens if none is
 * begun. */
void heddle_document_abort (HeddleDocument *self);
/* Edits a snapshot that is being changed. Returns FALSE with @error set if it failed; the snapshot is then
 * thrown away. */
typedef gboolean (*HeddleEdit) (HeddleSnapshot *snapshot, gpointer data, GError **error);
/* Begins, calls @edit and commits under @name and @merge_key. If @edit fails the document stays as it was
 * and FALSE is returned with the error of @edit. */
gboolean heddle_document_edit (HeddleDocument *self, const char *name, const char *merge_key, HeddleEdit edit,
    gpointer data, GError **error);

/* Puts the snapshot before the last commit back. FALSE means that there is none, or that a transaction is
 * open. */
gboolean heddle_document_undo (HeddleDocument *self);
/* Puts back the snapshot that was last undone. FALSE means that there is none, or that a transaction is
 * open. */
gboolean heddle_document_redo (HeddleDocument *self);
/* Returns the name of the commit that would be undone, owned by the document, or NULL. */
const char *heddle_document_get_undo_name (HeddleDocument *self);
/* Returns the name of the commit that would be redone, owned by the document, or NULL. */
const char *heddle_document_get_redo_name (HeddleDocument *self);
/* Returns whether the present snapshot is another one than the saved one. */
gboolean heddle_document_get_modified (HeddleDocument *self);
void heddle_document_set_saved (
    HeddleDocument *self); /* the present state is what the file holds; history stays */
/* Marks the document as unsaved in every state, undone or not: the file was lost or was written by others. */
void heddle_document_set_unsaved (HeddleDocument *self);
/* Replaces all by @snapshot, of which a reference is taken and which must not be changed from now on, and
 * clears the history. */
void heddle_document_load (HeddleDocument *self, HeddleSnapshot *snapshot);
