/* SPDX-License-Identifier: MIT */
#include "codegen/compile/audit.h"

#include <string.h>

/* A cubin is an ELF file whose section ".text.NAME" holds a kernel, since Volta in instructions of 16 bytes
 * with the opcode in the lowest 12 bits. The opcodes were found by compiling kernels of which the PTX says
 * what is in them. */

#define INSTRUCTION_BYTES 16
#define OPCODE_MASK 0xfff

enum
{
  OPCODE_HMMA = 0x23c,
  OPCODE_QMMA = 0x27a, /* of 8-bit elements, on sm_89 and sm_120 */
  OPCODE_HGMMA = 0x9f0, /* its two forms, by where the left factor is */
  OPCODE_HGMMA_OTHER = 0xdf0,
  OPCODE_QGMMA = 0x9f3, /* of 8-bit elements in shared memory */
  OPCODE_BRANCH = 0x947,
  OPCODE_BRANCH_UNIFORM = 0x547, /* where a predicate of all threads of a warp says so, since Blackwell */
  OPCODE_EXIT = 0x94d,
  OPCODE_STORE_LOCAL = 0x387,
  OPCODE_LOAD_LOCAL = 0x983,
};

/* Reads a little-endian number of a file. Returns %FALSE if the file ends before. */
static gboolean
read_number (const guint8 *data, gsize size, guint64 at, guint bytes, guint64 *value)
{
  *value = 0;
  if (at > size || bytes > size - at)
    return FALSE;
  for (guint i = bytes; i-- > 0;)
    *value = *value << 8 | data[at + i];
  return TRUE;
}

typedef struct
{
  const guint8 *data;
  gsize size;
  guint64 headers, header_bytes, n_sections,
      names; /* of the section headers; where the names of sections begin */
} Elf;

static gboolean
elf_open (Elf *self, GBytes *bytes)
{
  guint64 names_index;

  self->data = g_bytes_get_data (bytes, &self->size);
  return self->size > 64 && memcmp (self->data, "\177ELF\2\1", 6) == 0
         && read_number (self->data, self->size, 40, 8, &self->headers)
         && read_number (self->data, self->size, 58, 2, &self->header_bytes)
         && read_number (self->data, self->size, 60, 2, &self->n_sections)
         && read_number (self->data, self->size, 62, 2, &names_index) && names_index < self->n_sections
         && self->headers < self->size
         && read_number (
             self->data, self->size, self->headers + names_index * self->header_bytes + 24, 8, &self->names);
}

static gboolean
has_name (const Elf *self, guint64 at, const char *name)
{
  gsize length = strlen (name) + 1;

  return at <= self->size && length <= self->size - at && memcmp (self->data + at, name, length) == 0;
}

static const guint8 *
elf_find (const Elf *self, const char *name, gsize *size)
{
  for (guint64 i = 0; i < self->n_sections; i++)
    {
      guint64 at = self->headers + i * self->header_bytes, label, offset, length;

      if (!read_number (self->data, self->size, at, 4, &label)
          || !read_number (self->data, self->size, at + 24, 8, &offset)
          || !read_number (self->data, self->size, at + 32, 8, &length))
        return NULL;
      if (label > self->size || self->names > self->size || !has_name (self, self->names + label, name))
        continue;
      if (offset > self->size || length > self->size - offset)
        return NULL;
      *size = length;
      return self->data + offset;
    }
  return NULL;
}

/* Returns the number of the architecture, 90 for sm_90a: toolkits before 13 have it in another byte. */
static guint
architecture (const Elf *self)
{
  guint64 abi = 0, flags = 0;

  if (!read_number (self->data, self->size, 8, 1, &abi)
      || !read_number (self->data, self->size, 48, 4, &flags))
    return 0;
  return abi >= 8 ? flags >> 8 & 0xff : flags & 0xff;
}

static guint64
word (const guint8 *code, guint i, guint half)
{
  guint64 value;

  read_number (
      code, (gsize) (i + 1) * INSTRUCTION_BYTES, (guint64) i * INSTRUCTION_BYTES + 8 * half, 8, &value);
  return value;
}

static guint
opcode (const guint8 *code, guint i)
{
  return word (code, i, 0) & OPCODE_MASK;
}

static gboolean
is_product (guint op)
{
  return op == OPCODE_HMMA || op == OPCODE_QMMA || op == OPCODE_HGMMA || op == OPCODE_HGMMA_OTHER
         || op == OPCODE_QGMMA;
}

/* Returns the target of a branch: 48 bits from bit 34 on, in words of 4 bytes from the instruction behind it;
 * since Hopper bits 16 to 23 come below them. */
static gint64
target (const guint8 *code, guint i, gboolean hopper)
{
  guint64 bits = word (code, i, 0) >> 34 | (word (code, i, 1) & 0x3ffff) << 30;
  gint64 high = (gint64) (bits << 16) >> 16;
  gint64 words = hopper ? high * 256 + (gint64) (word (code, i, 0) >> 16 & 0xff) : high;

  return (gint64) i + 1 + words * 4 / INSTRUCTION_BYTES;
}

static gboolean
is_branch (guint op)
{
  return op == OPCODE_BRANCH || op == OPCODE_BRANCH_UNIFORM;
}

static gboolean
is_local (guint op)
{
  return op == OPCODE_STORE_LOCAL || op == OPCODE_LOAD_LOCAL;
}

/* --- what is done again and again --- */

typedef struct
{
  const guint8 *code;
  guint n;
  gboolean hopper;
} Code;

/* Returns whether the instruction after the @i-th can be next. Bits 12 to 15 are the predicate that guards an
 * instruction, bits 87 to 90 another one of a branch: 7 is always. */
static gboolean
falls_through (const Code *self, guint i)
{
  guint op = opcode (self->code, i);
  gboolean always = (word (self->code, i, 0) >> 12 & 0xf) == 7;

  if (op == OPCODE_BRANCH)
    always &= (word (self->code, i, 1) >> 23 & 0xf) == 7;
  return i + 1 < self->n && !(always && (op == OPCODE_BRANCH || op == OPCODE_EXIT));
}

/* Returns the target of the @i-th instruction; @i itself if it does not branch. */
static guint
branches_to (const Code *self, guint i)
{
  gint64 to = is_branch (opcode (self->code, i)) ? target (self->code, i, self->hopper) : i;

  return to >= 0 && to < self->n ? (guint) to : i;
}

static gboolean
leads_to (const Code *self, guint i, const guint8 *marks)
{
  return marks[branches_to (self, i)] != 0 || (falls_through (self, i) && marks[i + 1] != 0);
}

/* Marks what leads to instruction @last. */
static void
mark_before (const Code *self, guint last, guint8 *marks)
{
  gboolean more = TRUE;

  memset (marks, 0, self->n);
  marks[last] = 1;
  while (more)
    {
      more = FALSE;
      for (guint i = self->n; i-- > 0;)
        if (marks[i] == 0 && leads_to (self, i, marks))
          more = marks[i] = 1;
    }
}

/* Marks in @looped, of what is in @before, all that instruction @first leads to. */
static void
mark_behind (const Code *self, guint first, const guint8 *before, guint8 *looped)
{
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint8 *seen = g_new0 (guint8, self->n);

  g_array_append_val (next, first);
  while (next->len > 0)
    {
      guint i = g_array_index (next, guint, next->len - 1), to = branches_to (self, i), behind = i + 1;

      g_array_set_size (next, next->len - 1);
      if (seen[i] || !before[i])
        continue;
      seen[i] = looped[i] = 1;
      g_array_append_val (next, to);
      if (falls_through (self, i))
        g_array_append_val (next, behind);
    }
}

/* Counts the spills in loops. The compiler also branches back from code that it moved aside: there is a loop
 * only where a branch can come again. */
static guint
count_spills_in_loops (const Code *self, guint *loops)
{
  g_autofree guint8 *before = g_new0 (guint8, self->n), *looped = g_new0 (guint8, self->n);
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (branches_to (self, i) < i)
      {
        mark_before (self, i, before);
        mark_behind (self, branches_to (self, i), before, looped);
        *loops += before[branches_to (self, i)];
      }
  for (guint i = 0; i < self->n; i++)
    n += looped[i] && is_local (opcode (self->code, i));
  return n;
}

/* --- the main loop --- */

/* Returns where the loop without products ends that begins at @first, at @last at most; @first if none begins
 * there. */
static guint
end_of_copies (const Code *self, guint first, guint last)
{
  guint end = first;

  for (guint i = first + 1; i < last && !is_product (opcode (self->code, i)); i++)
    if (branches_to (self, i) == first)
      end = i;
  return end;
}

/* Takes the loop with the most products. Loops in it that have none do not count: there rows that are not
 * aligned are copied element by element, while others are not. Nor does code that does not lead to the branch
 * that closes the loop, @before: the compiler puts the way out between. */
static void
take_loop (HeddleAudit *self, const Code *all, guint first, guint last, const guint8 *before)
{
  guint products = 0, spills = 0, instructions = 0;

  for (guint i = first; i <= last; i++)
    {
      guint end = i > first ? end_of_copies (all, i, last) : i;

      products += before[i] && is_product (opcode (all->code, i));
      spills += before[i] && is_local (opcode (all->code, i));
      instructions += before[i] && end == i;
      i = end;
    }
  if (products <= self->loop_products)
    return;
  self->loop_products = products;
  self->loop_instructions = instructions;
  self->loop_spills = spills;
}

gboolean
heddle_audit_read (GBytes *cubin, const char *entry, HeddleAudit *audit)
{
  g_autofree char *name = g_strconcat (".text.", entry, NULL);
  gsize size = 0;
  Elf elf;
  const guint8 *code = elf_open (&elf, cubin) ? elf_find (&elf, name, &size) : NULL;
  g_autofree guint8 *before = NULL;
  Code all;

  memset (audit, 0, sizeof *audit);
  if (code == NULL)
    return FALSE;
  audit->instructions = (guint) (size / INSTRUCTION_BYTES);
  all = (Code){ code, audit->instructions, architecture (&elf) >= 90 };
  before = g_new0 (guint8, all.n);
  for (guint i = 0; i < audit->instructions; i++)
    {
      guint to = branches_to (&all, i);

      audit->products += is_product (opcode (code, i));
      if (to >= i)
        continue;
      mark_before (&all, i, before);
      if (before[to]) /* what was put aside, a wait that fails, leads back without being a loop */
        take_loop (audit, &all, to, i, before);
    }
  audit->spills_in_loops = count_spills_in_loops (&all, &audit->loops);
  return TRUE;
}
