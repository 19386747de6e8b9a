/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/array.h"

/* A file of named arrays: https://huggingface.co/docs/safetensors/index#format. The head is read and its
 * bounds are checked; numbers are read one array at a time. */
typedef struct _HeddleSafetensors HeddleSafetensors;

/* Maps a file and reads its head (transfer full); NULL means that @error is set. */
HeddleSafetensors *heddle_safetensors_load (const char *path, GError **error);
/* Unmaps the file and frees its head. */
void heddle_safetensors_free (HeddleSafetensors *self);
/* Returns the names of the file's arrays, sorted. Transfer container. */
GList *heddle_safetensors_get_names (const HeddleSafetensors *self);
/* Returns whether the file has an array of that name. */
gboolean heddle_safetensors_contain (const HeddleSafetensors *self, const char *name);
/* Reads an array. Fails with %HEDDLE_FILES_ERROR_FORMAT if there is no such array or its data type is not
 * supported. */
HeddleArray *heddle_safetensors_read (const HeddleSafetensors *self, const char *name, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSafetensors, heddle_safetensors_free)
