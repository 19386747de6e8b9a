/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

/* A key file of the data directory being read. The first thing wrong stops all further reading; it is
 * reported as `path:line: [group] key: …`. */
typedef struct
{
  char *path;
  char *text;
  GKeyFile *file;
  GError *error;
} HeddleKeyFile;

/* Opens a key file of at most 64 KiB. Returns a new reader; %NULL with %HEDDLE_DERIVE_ERROR_MACHINE where it
 * cannot be read. */
HeddleKeyFile *heddle_key_file_new (const char *path, GError **error);
/* Frees the reader with its text, and the error if nobody took it. */
void heddle_key_file_free (HeddleKeyFile *self);
/* Checks that all keys of @group are among @known, a list that ends with NULL; otherwise the error of the
 * reader names the key and goes on with @problem. */
void heddle_key_file_check_keys (
    HeddleKeyFile *self, const char *group, const char *const *known, const char *problem);
/* Sets the reader's error, unless it has one, with the line where @key of @group stands; @key %NULL means
 * the whole group. */
void heddle_key_file_fail (HeddleKeyFile *self, const char *group, const char *key, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Returns the text of a key, newly allocated; %NULL where the key is not there or is empty, which fails the
 * reader if it is @required. */
char *heddle_key_file_get_text (HeddleKeyFile *self, const char *group, const char *key, gboolean required);
/* Returns the texts of a list, newly allocated; %NULL where the key is not there or is empty, which fails the
 * reader if it is @required. */
char **heddle_key_file_get_list (HeddleKeyFile *self, const char *group, const char *key, gboolean required);
/* Returns a number from @least to @most; 0 where the key is not there and not @required. Anything else fails
 * the reader. */
double heddle_key_file_get_number (
    HeddleKeyFile *self, const char *group, const char *key, gboolean required, double least, double most);
/* Returns a whole number from 0 to @most; 0 where the key is not there and not @required. A number with a
 * fraction fails the reader. */
gint64 heddle_key_file_get_whole (
    HeddleKeyFile *self, const char *group, const char *key, gboolean required, double most);
/* Returns whether the key is "true"; %FALSE where it is not there. Any other text than "true" and "false"
 * fails the reader. */
gboolean heddle_key_file_get_flag (HeddleKeyFile *self, const char *group, const char *key);

/* Returns a new array of char * with the paths of the files in a directory that end in @suffix, sorted by
 * their names. */
GPtrArray *heddle_key_files_in (const char *directory, const char *suffix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKeyFile, heddle_key_file_free)
