/* SPDX-License-Identifier: MIT */
#pragma once

#include <gdk/gdk.h>
#include "diagram/document/document.h"

/* HeddleClipping is operations on their way to somewhere else: to another window as a document, to other
 * programs as a picture or as equations. Each form is made when it is asked for. */
#define HEDDLE_TYPE_CLIPPING (heddle_clipping_get_type ())
G_DECLARE_FINAL_TYPE (HeddleClipping, heddle_clipping, HEDDLE, CLIPPING, GdkContentProvider)

/* Returns a new clipping; @part is that of heddle_snapshot_extract (). */
GdkContentProvider *heddle_clipping_new (HeddleSnapshot *part);

/* A document from what a clipboard holds: the form this program wrote, or equations. */
void heddle_clipping_read_async (
    GdkClipboard *clipboard, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
/* Returns the document read, a reference that the caller owns; NULL with @error where the clipboard holds
 * none or it was cancelled. */
HeddleSnapshot *heddle_clipping_read_finish (GAsyncResult *result, GError **error);
