# SPDX-License-Identifier: MIT
"""Faults of synchronisation that are planted in the PTX of others' kernels, each alone: the interpreter has to tell them."""

import re

# Of the faults that are planted, so many are told.
LEAST_TOLD = 0.95
# What may stand between two instructions: comments and places in the source.
NOTHING = r"(?:\s|//[^\n]*|\.loc[^\n]*|\$L__tmp\d+:)*"
# Descriptors of matrices whose rows of 128 bytes are swizzled, 1024 bytes from 8 of them to the next 8: the number begins so, the place is added.
DESCRIPTOR = r"\b4611686293305\d{6}\b"
# What is planted: a pattern, and what stands in its place; each of its occurrences alone.
FAULTS = (
    (r"fence\.proxy\.async[.\w:]*;", ""),
    (r"cp\.async\.commit_group;", ""),
    (rf"(?:cp\.async\.wait_group\s+\w+;{NOTHING})+",
     lambda found: re.sub(r"(wait_group\s+)(\w+)", lambda wait: f"{wait[1]}{int(wait[2], 0) + 1}", found[0])),
    (r"cp\.async\.bulk\.commit_group;", ""),
    (r"cp\.async\.bulk\.wait_group(?:\.read)?\s+(\w+);", ""),
    (r"wgmma\.fence\.sync\.aligned;", ""),
    (r"wgmma\.commit_group\.sync\.aligned;", ""),
    (r"wgmma\.wait_group\.sync\.aligned\s+(\w+);", lambda found: f"wgmma.wait_group.sync.aligned {int(found[1], 0) + 1};"),
    (DESCRIPTOR, lambda found: str(int(found[0]) - (32 << 32))),  # 512 bytes to the next 8
    (DESCRIPTOR, lambda found: str(int(found[0]) + (1 << 62))),  # swizzled by 64 bytes
    (r"(mbarrier\.init\.\S+ \[[^\]]*\]), 1;", r"\1, 2;"),
    (r"(mbarrier\.init\.\S+ \[[^\]]*\]), %r\d+;", r"\1, 9;"),
    (r"(mbarrier\.arrive\.expect_tx\.\S+ \S+ \[[^\]]*\]), (\d+);", lambda found: f"{found[1]}, {int(found[2]) // 2};"),
    (r"(mbarrier\.arrive\.expect_tx\.\S+ \S+ \[[^\]]*\]), (\d+);", lambda found: f"{found[1]}, {int(found[2]) * 2};"),
    (r"(mbarrier\.arrive\.expect_tx\.\S+ \S+ \[[^\]]*\]), %r\d+;", lambda found: f"{found[1]}, 16;"),
    (r"(mbarrier\.try_wait\.parity\.\S+ \S+ \[[^\]]*\]), (%r\d+);", lambda found: f"xor.b32 {found[2]}, {found[2]}, 1; {found[1]}, {found[2]};"),
    (r"setmaxnreg\.inc\.sync\.aligned\.u32 \d+;", lambda found: "setmaxnreg.inc.sync.aligned.u32 256;"),
    (r"bar\.sync\s+[^;]+;", ""),
)

WRITES = r"st\.shared|stmatrix"
READS = r"ld\.shared|ldmatrix|wgmma\.mma|\.global\.shared::cta"


def is_read_first(text):
    read, written = re.search(READS, text), re.search(WRITES, text)
    return read is not None and not (written and written.start() < read.start())


def changes_something(text, threads, pattern, n, found):
    """Groups that are closed early enough before the first wait may as well be closed with the next one, a wait for all copies asks for no group, and one that
    leaves so many groups open waits where more were closed before. Waits and barriers are planted where they hand
    something over, from who writes to who reads; others stand for safety, and the four warps of one warpgroup meet where products begin and end as well."""
    if pattern.startswith(r"cp\.async\.commit"):
        first = re.search(r"cp\.async\.wait_group\s+(\w+);", text)
        closed = len(re.findall(pattern, text[:first.start()]))
        return n >= closed - int(first[1], 0) - 1 and not re.match(rf"{NOTHING}cp\.async\.wait_all", text[found.end():])
    if pattern.startswith(r"cp\.async\.bulk\.wait"):
        return len(re.findall(r"cp\.async\.bulk\.commit_group;", text[:found.start()])) > int(found[1], 0)
    if "cp\\.async\\.wait" in pattern:
        return is_read_first(re.split(r"cp\.async\.wait_group", text[found.end():])[0])
    if pattern.startswith(r"bar\.sync"):
        before = re.split(r"bar\.sync\s+[^;]+;", text[:found.start()])[-1]
        behind = re.split(r"bar\.sync\s+[^;]+;", text[found.end():])[0]
        return re.search(WRITES + r"|cp\.async\.wait_group", before) and is_read_first(behind) and not ("wgmma" in behind and threads == 128)
    return True


def planted(text, threads):
    """What is planted in @text, of a kernel with so many threads: a name, the place where it begins and ends, and what stands there instead."""
    for pattern, by in FAULTS:
        for n, found in enumerate(re.finditer(pattern, text)):
            if changes_something(text, threads, pattern, n, found):
                yield f"{' '.join(found[0].split())[:60]} #{n}", found.start(), found.end(), found.expand(by) if isinstance(by, str) else by(found)
