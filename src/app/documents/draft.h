/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/documents/draft-store.h"
#include "diagram/document/document.h"

/* HeddleDraft keeps what a document holds beyond its file where a crash does not reach it: a worker thread
 * writes it a short while after the first unsaved change, whether or not the person goes on working, and
 * again while there is more; it is gone when the work is saved, undone or given up. It emits
 * "notify::error" when writing begins to fail or succeeds again, and "text-wanted" before it is written,
 * where text is expected. */
#define HEDDLE_TYPE_DRAFT (heddle_draft_get_type ())
G_DECLARE_FINAL_TYPE (HeddleDraft, heddle_draft, HEDDLE, DRAFT, GObject)

/* Returns a new draft, owned by the caller, that holds @document and follows its changes. */
HeddleDraft *heddle_draft_new (HeddleDocument *document);
/* Sets the name of the document, and the file that it is a newer version of; both may be NULL. */
void heddle_draft_set_origin (HeddleDraft *self, const char *title, const char *uri, const char *digest);
/* Equations being typed for the diagram of that name, which mean nothing yet; NULL: none. */
void heddle_draft_set_text (HeddleDraft *self, const char *diagram, const char *text);
/* Others are being typed, maybe at each stroke: whoever has them is asked when it is written, and not before. */
void heddle_draft_expect_text (HeddleDraft *self);
/* Takes the place of what a crash left. */
void heddle_draft_adopt (HeddleDraft *self, const HeddleDraftRecord *record);
/* The work is safe, or given up. */
void heddle_draft_drop (HeddleDraft *self);
/* Returns why the last writing failed; NULL means that it did not. */
const char *heddle_draft_get_error (HeddleDraft *self);
