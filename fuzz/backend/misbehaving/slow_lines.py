"""Copies its input line by line, and waits before each line but the first (the greeting): a slow backend is
`slow_lines.py SECONDS | BACKEND`."""
import sys
import time

for n, line in enumerate(sys.stdin.buffer):
    if n > 0:
        time.sleep(float(sys.argv[1]))
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
