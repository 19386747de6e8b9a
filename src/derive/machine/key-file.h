/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A key file of the data directory being read. The first thing wrong stops all further reading; it is told as `path:line: [group] key: …`. */
typedef struct
{
  char *path;
  char *text;
  GKeyFile *file;
  GError *error;
} HeddleKeyFile;

/* Reads no more than 64 KiB, whatever the file is. %NULL with %HEDDLE_DERIVE_ERROR_MACHINE. */
HeddleKeyFile *heddle_key_file_new (const char *path, GError **error);
void heddle_key_file_free (HeddleKeyFile *self);
/* @key %NULL: of the whole group. */
void heddle_key_file_fail (HeddleKeyFile *self, const char *group, const char *key, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* %NULL where the key is not there, or is empty. */
char *heddle_key_file_get_text (HeddleKeyFile *self, const char *group, const char *key, gboolean required);
/* A number from @least to @most; 0 where the key is not there and not required. */
double heddle_key_file_get_number (
    HeddleKeyFile *self, const char *group, const char *key, gboolean required, double least, double most);
gint64 heddle_key_file_get_whole (
    HeddleKeyFile *self, const char *group, const char *key, gboolean required, double most);
gboolean heddle_key_file_get_flag (HeddleKeyFile *self, const char *group, const char *key);

/* The files of a directory that end in @suffix, by their names; of char *. */
GPtrArray *heddle_key_files_in (const char *directory, const char *suffix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKeyFile, heddle_key_file_free)

G_END_DECLS
