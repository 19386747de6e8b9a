/* SPDX-License-Identifier: MIT */

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Loaded before the C library: of the allocations that are as large as many a file has to be, the one that
 * FAILING_MALLOC_AT counts to finds no memory. How many there were is written to FAILING_MALLOC_COUNT. */

#define LARGE 65536

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *block, size_t size);
void *__libc_memalign (size_t alignment, size_t size);

static atomic_long counted, at;
static char count_path[4096];

__attribute__ ((constructor)) static void
begin (void)
{
  const char *number = getenv ("FAILING_MALLOC_AT"), *path = getenv ("FAILING_MALLOC_COUNT");

  snprintf (count_path, sizeof count_path, "%s", path != NULL ? path : "");
  unsetenv ("LD_PRELOAD"); /* what is started has its own memory */
  atomic_store (&counted, 0);
  atomic_store (&at, number != NULL ? atol (number) : 0);
}

__attribute__ ((destructor)) static void
end (void)
{
  FILE *file = *count_path != '\0' ? fopen (count_path, "w") : NULL;

  if (file == NULL)
    return;
  fprintf (file, "%ld\n", atomic_load (&counted));
  fclose (file);
}

static int
fails (size_t size)
{
  if (size <= LARGE || atomic_fetch_add (&counted, 1) + 1 != atomic_load (&at))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *
malloc (size_t size)
{
  return fails (size) ? NULL : __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  size_t all;

  if (__builtin_mul_overflow (n, size, &all))
    {
      errno = ENOMEM;
      return NULL;
    }
  return fails (all) ? NULL : __libc_calloc (n, size);
}

void *
realloc (void *block, size_t size)
{
  return fails (size) ? NULL : __libc_realloc (block, size);
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return fails (size) ? NULL : __libc_memalign (alignment, size);
}

void *
memalign (size_t alignment, size_t size)
{
  return fails (size) ? NULL : __libc_memalign (alignment, size);
}

int
posix_memalign (void **block, size_t alignment, size_t size)
{
  if (fails (size))
    return ENOMEM;
  *block = __libc_memalign (alignment, size);
  return *block == NULL && size > 0 ? ENOMEM : 0;
}
