/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/texts.h"

int
heddle_texts_compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}
