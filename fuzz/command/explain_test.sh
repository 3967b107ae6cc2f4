#!/usr/bin/env bash
# lanecheck explain. Usage: explain_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

expect 0 "repeat" "$lanecheck" explain --seed 1 --index 200000
expect 0 "1  " "$lanecheck" explain "$source_dir/corpus/VMC-3.1-dup/f32.json"

# A file brings its profile along, and the readings of that profile.
printf 'profile ascendc-310p\nub 576\nalloc d u16 0 32\nalloc c u64 256 32\nalloc s u16 288 32\ngather_mask.u16 d+0, s+0 blk=1 rep=8, c+0, pattern=5, counter=1, mask=5, repeat=2\n' >"$work/total.txt"
expect 0 "#.#....." "$lanecheck" explain "$work/total.txt"

# Its own example prints little, and every generated case stays readable.
example=$("$lanecheck" explain --help | sed -n 's/^ *lanecheck explain --seed/--seed/p')
expect_lines 40 3000 "$lanecheck" explain $example
for profile in vmc ascendc-a2 ascendc-310p tik; do
  for index in $(seq 400000 400019); do
    expect_lines 200 20000 "$lanecheck" explain --profile $profile --index "$index"
  done
done

# An illegal program is never executed.
illegal="$source_dir/corpus/LAW-length-range/witness-accepted-ascendc-a2.json"
expect 2 "(LAW-length-range); it is not executed" "$lanecheck" explain "$illegal"
printf 'profile tik\nub 96\nalloc a f16 0 32\nadd.f16 a+0 blk=1 rep=8, a+0 blk=1 rep=8, a+0 blk=1 rep=8, mask=16, repeat=1\n' >"$work/tik.txt"
expect 2 "(add): not in profile tik" "$lanecheck" explain "$work/tik.txt"

# It says where a program text is wrong.
printf 'profile tok\nub 64\n' >"$work/tok.txt"
expect 2 "tok.txt:1: no such profile" "$lanecheck" explain "$work/tok.txt"
printf 'ub 64\nfrobnicate\n' >"$work/bad.txt"
printf 'ub 64\nset_msk high=0x0 low=0x1\n' >"$work/misspelt.txt"
expect 2 "did you mean set_mask?" "$lanecheck" explain "$work/misspelt.txt"
expect 2 "bad.txt:2: no such instruction: frobnicate" "$lanecheck" explain "$work/bad.txt"
expect 2 "is a folder; name a file" "$lanecheck" explain "$work"

# It refuses combinations of options that have no meaning.
expect 2 "give a case file, a program, or --seed and --index" "$lanecheck" explain
expect 2 "excludes --index" "$lanecheck" explain "$work/total.txt" --index 3
expect 2 "--seed requires --index" "$lanecheck" explain "$work/total.txt" --seed 3
expect 2 "--profile requires --index" "$lanecheck" explain "$work/total.txt" --profile tik
expect 2 "profile ascendc-310p does not leave this open" "$lanecheck" explain "$work/total.txt" --reading gather_uses_mask=ignores
# With a backend it shows both sides of each step.
case_file="$source_dir/corpus/VMC-3.1-dup/f32.json"
expect 0 "example agrees" "$lanecheck" explain "$case_file" --backend example
expect 1 "wrong:dup-ignores-mask differs:" "$lanecheck" explain "$case_file" --backend wrong:dup-ignores-mask
expect 1 "expected 7 (0x40e00000) (kept)  actual 3 (0x40400000)" "$lanecheck" explain "$case_file" --backend wrong:dup-ignores-mask
# It shows bytes that are no elements of dst: here all elements are right, and the count is not.
expect 1 "of count): expected" "$lanecheck" explain "$work/total.txt" --backend wrong:gather-counts-scanned
expect 2 "requires --backend" "$lanecheck" explain "$case_file" --deadline 3

# A program that was copied from a report: the message says which lines it lacks.
printf 'ub 64\nadd.f16 t0+0 blk=1 rep=8, t1+0 blk=1 rep=8, t2+0 blk=1 rep=8, repeat=1\n' >"$work/p.txt"
expect 2 "p.txt:2: dst names no allocation: t0; the name is that of an earlier line such as 'alloc t0 f32 0 256 = 7 x64'" "$lanecheck" explain "$work/p.txt"
expect 2 '`lanecheck run --save FOLDER` writes files with all lines' "$lanecheck" explain "$work/p.txt"
printf 'ub 64\nadd.f99 t0+0\n' >"$work/p2.txt"
expect 2 "p2.txt:2: 'f99' is no type of add; there are: add.f16, " "$lanecheck" explain "$work/p2.txt"

# With a backend, --index is the case of the run: what is not on offer is left out.
printf '%s\n' 'import sys' 'sys.path.insert(0, sys.argv[1])' 'import example_simulator as e, lanecheck_backend' \
  'lanecheck_backend.serve({"add": e.INSTRUCTIONS["add"]})' >"$work/adds.py"
adds="cmd: '$python' '$work/adds.py' '$source_dir/fuzz/backend/python'"
index=$("$lanecheck" gen --cases 300 | grep -n '"op":"add\.' | grep -E -m 1 '"op":"(mul|sub|cadd|cast|dup)\.' | cut -d: -f1)
expect 0 "agrees" "$lanecheck" explain --index $((index - 1)) --backend "$adds"
grep -qE '^[0-9]+  (set_mask|reset_mask|add\.)' "$work/output" || { echo "FAILED: there is no add"; failed=1; }
grep -E '^[0-9]+  ' "$work/output" | grep -qvE '  (set_mask|reset_mask|add\.)' && { echo "FAILED: there is more than add"; failed=1; }
exit $failed
