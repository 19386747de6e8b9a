/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "files/base/files.h"
#include "files/onnx/external.h"
#include "files/onnx/wire.h"

/* This file reads external data: https://onnx.ai/onnx/repo-docs/ExternalData.html. A model says where it is,
 * so the place must not lead out of its folder. */

gboolean
heddle_onnx_tensor_external (HeddleOnnxTensor *self, const char *key, const char *value, GError **error)
{
  guint64 *number = g_str_equal (key, "offset")   ? &self->offset
                    : g_str_equal (key, "length") ? &self->length
                                                  : NULL;

  if (g_str_equal (key, "location"))
    {
      g_free (self->location);
      self->location = g_strdup (value);
    }
  if (number == NULL || g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, number, NULL))
    return TRUE;
  return heddle_wire_fail (&self->message, self->message.at, HEDDLE_FILES_ERROR_FORMAT, error,
      _ ("the %s of external data is not a whole number"), key);
}

static gboolean
refuse (const char *location, const char *why, GError **error)
{
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("external data in “%s”: %s"),
      location != NULL ? location : "", why);
  return FALSE;
}

/* Opens @part of the folder @at. No link is followed. */
static int
open_part (int at, const char *part, gboolean is_last, GError **error, const char *location)
{
  int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (is_last ? 0 : O_DIRECTORY);
  int fd = -1;

  if (*part == '\0' || g_str_equal (part, ".") || g_str_equal (part, ".."))
    refuse (location, _ ("only files in the folder of the model are read"), error);
  else if ((fd = openat (at, part, flags)) < 0)
    refuse (location, errno == ELOOP ? _ ("links are not followed") : g_strerror (errno), error);
  return fd;
}

static int
open_within (const char *folder, const char *location, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (location, "/", -1);
  int at = open (*folder != '\0' ? folder : ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);

  if (at < 0)
    refuse (location, g_strerror (errno), error);
  for (guint i = 0; at >= 0 && parts[i] != NULL; i++)
    {
      int next = open_part (at, parts[i], parts[i + 1] == NULL, error, location);

      close (at);
      at = next;
    }
  return at;
}

GMappedFile *
heddle_onnx_external_open (const char *folder, const char *location, GError **error)
{
  GMappedFile *file = NULL;
  struct stat status;
  int fd;

  if (folder == NULL || location == NULL || *location == '\0')
    {
      refuse (location, _ ("there is no model file beside which it could lie"), error);
      return NULL;
    }
  fd = open_within (folder, location, error);
  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    refuse (location, _ ("it is not a plain file"), error);
  else
    file = g_mapped_file_new_from_fd (fd, FALSE, error);
  close (fd);
  return file;
}
