#!/usr/bin/env bash
# lanecheck history. Usage: history_test.sh LANECHECK SOURCE_DIR PYTHON
set -u
. "$(dirname "$0")/expect.sh"

history=$work/history.sqlite
"$lanecheck" run --quiet --backend wrong:cadd-keeps-dst --cases 2000 --json "$work/first.json" >"$work/output" 2>&1
"$python" - "$work" <<'EOF'  # two later versions of the same backend: one without the finding, one with it again
import json, sys
report = json.load(open(sys.argv[1] + "/first.json"))
report["run"]["about"] = "version 3"
json.dump(report, open(sys.argv[1] + "/third.json", "w"), indent=1)
report["run"]["about"] = "version 2"
report["findings"] = []
json.dump(report, open(sys.argv[1] + "/second.json", "w"), indent=1)
EOF

expect 0 "1 run in" "$lanecheck" history add "$history" "$work/first.json" --date 2026-03-01
expect 0 "new: cadd-keeps-dst (diverges), wrong:cadd-keeps-dst, profile vmc: cadd gates its writeback" "$lanecheck" history show "$history"
expect 0 "2 runs in" "$lanecheck" history add "$history" "$work/second.json" --date 2026-03-02
expect 0 "first seen 2026-03-01 (the oracle), last seen 2026-03-01, fixed since 2026-03-02 (version 2), in 1 of 2 runs" "$lanecheck" history show "$history"
expect 0 "fixed: cadd-keeps-dst" "$lanecheck" history show "$history" --since 2026-03-02
expect 0 "0 findings came or went" "$lanecheck" history show "$history" --since 2026-03-03
expect 0 "fixed: cadd-keeps-dst" "$lanecheck" history show "$history" --version "version 2"
expect 0 "3 runs in" "$lanecheck" history add "$history" "$work/third.json" --date 2026-03-03
expect 0 "returned: cadd-keeps-dst" "$lanecheck" history show "$history" --version "version 3"
expect 0 "0 findings came or went" "$lanecheck" history show "$history" --version "version 2"
expect 0 "2026-03-02 wrong:cadd-keeps-dst (version 2), profile vmc, seed 1: 2,000 cases, 0 findings" "$lanecheck" history show "$history"

expect 2 "is in the history already, with the date 2026-03-03" "$lanecheck" history add "$history" "$work/third.json" --date 2026-03-03
expect 2 "'March' is no date" "$lanecheck" history add "$history" "$work/third.json" --date March
expect 2 "'2026-3-1' is no date" "$lanecheck" history show "$history" --since 2026-3-1
expect 2 "says 'version 9' of itself" "$lanecheck" history show "$history" --version "version 9"
expect 2 "--since excludes --version" "$lanecheck" history show "$history" --version "version 2" --since 2026-03-01
expect 2 "is no report of lanecheck" bash -c "echo '{}' >$work/none.txt; '$lanecheck' history add '$history' $work/none.txt"
expect 2 "cannot be opened as a history" "$lanecheck" history show "$work/nothing.sqlite"
expect 2 "cannot be opened as a history" "$lanecheck" history show "$work/first.json"
"$python" -c "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE runs (a)')" "$work/other.sqlite"
expect 2 "is no history of this version of lanecheck" "$lanecheck" history add "$work/other.sqlite" "$work/first.json"
expect 2 "A subcommand is required" "$lanecheck" history
exit $failed
