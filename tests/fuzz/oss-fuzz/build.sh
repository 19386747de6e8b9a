#!/bin/bash
# SPDX-License-Identifier: MIT
# What OSS-Fuzz runs in its container: the program once for each target, with its seeds and its words, and the libraries and data that it needs.
set -euo pipefail

# The program makes the seeds, without the flags of a sanitizer.
env -u CFLAGS -u CXXFLAGS meson setup "$WORK/plain" -Dgui=disabled
ninja -C "$WORK/plain" src/heddle
HEDDLE_DATADIR=$PWD/data /usr/bin/python3 tests/fuzz/seeds.py "$WORK/plain/src/heddle" "$PWD" "$WORK/seeds"

meson setup "$WORK/fuzz" -Dgui=disabled -Dfuzzing_engine="$LIB_FUZZING_ENGINE" -Db_lundef=false
ninja -C "$WORK/fuzz" tests/fuzz/fuzz

program=$WORK/fuzz/tests/fuzz/fuzz
mkdir -p "$OUT/lib" "$OUT/data"
cp -r data/hardware "$OUT/data/"
ldd "$program" | awk '$2 == "=>" && $1 !~ /^lib(c|m|dl|pthread|rt)\.so/ { print $3 }' | xargs cp -t "$OUT/lib"
patchelf --set-rpath '$ORIGIN/lib' "$program"
for seeds in "$WORK"/seeds/*/
do
  target=$(basename "$seeds")
  cp "$program" "$OUT/fuzz-$target"
  zip -q -j -r "$OUT/fuzz-${target}_seed_corpus.zip" "$seeds"
  [[ ! -f $WORK/seeds/$target.dict ]] || cp "$WORK/seeds/$target.dict" "$OUT/fuzz-$target.dict"
done
