/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include "figure/scene/scene.h"
#include "files/base/files.h"
#include "files/picture/private.h"

/* Returns what is shown of a scene, with a small margin, in px, and how large that is in print, in pt; a
 * width of 0 is the natural one. */
HeddlePage heddle_page_for (const HeddleScene *scene, const HeddlePictureOptions *options);
/* Appends a number with at most three decimals, the same in every locale. */
void heddle_picture_append_number (GString *text, double value);
/* Returns the SHA-256 of a drawing and its source in hexadecimal, which reveals a picture that was changed;
 * newly allocated. */
char *heddle_picture_hash (const char *drawing, gsize length, const char *source);
/* Adds to @problems that a picture holds no source, which is an error. */
void heddle_picture_report_bare (GPtrArray *problems, const char *file_name);
/* Adds to @problems that a picture was changed after it was exported, which is a warning. */
void heddle_picture_report_stale (GPtrArray *problems, const char *file_name);
/* Returns a scene as a page of PDF of its own size, fonts embedded (transfer full); @options may be NULL.
 * NULL means that @error is set: HEDDLE_FILES_ERROR_LIMIT, or that of writing the embedded source. */
GBytes *heddle_pdf_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
/* Does so for @scenes, each on a page of its own that is as wide as @widths_pt say; 0 is the scene's own width. */
GBytes *heddle_pdf_write_pages (
    const GPtrArray *scenes, const double *widths_pt, const HeddlePictureOptions *options, GError **error);
/* Returns a scene as PNG on its paper, white where none is given, at the options' dots per inch of its
 * printed size (transfer full); @options may be NULL. NULL means that @error is HEDDLE_FILES_ERROR_LIMIT:
 * more than 32000 dots a side or 400 million in all. */
GBytes *heddle_png_write (const HeddleScene *scene, const HeddlePictureOptions *options, GError **error);
