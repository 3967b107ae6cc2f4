#!/bin/sh
# No compiler flag may change what the oracle leaves: oracle_digest_test.sh PLAIN V3 compares what the two
# programs print. It exits with 77 (skipped) on a CPU that cannot run V3.
plain=$("$1") || { status=$?; echo "$plain"; exit $status; }
v3=$("$2") || exit 1
[ "$plain" = "$v3" ] && exit 0
echo "The oracle leaves other bytes if it is built with -march=x86-64-v3."
echo "as usual:"; echo "$plain"; echo "x86-64-v3:"; echo "$v3"
exit 1
