"""A backend that misbehaves in one request of seven, in a way that the request itself decides:
`chaos_backend.py LANECHECK`. Between the faults it passes on what `LANECHECK serve` answers."""
import json
import os
import random
import signal
import subprocess
import sys
import time

served = subprocess.Popen([sys.argv[1], "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
out = os.fdopen(1, "wb", 0)


def put(data):
    while data:
        data = data[out.write(data):]


def spoiled(answer, dice):
    """The answer with a few bytes of its line replaced."""
    answer, line = bytearray(answer), answer.index(b"\n")
    for _ in range(dice.randrange(1, 6)):
        answer[dice.randrange(line)] = dice.randrange(256)
    return bytes(answer)


for line in iter(sys.stdin.buffer.readline, b""):
    request = json.loads(line)
    raw = sys.stdin.buffer.read(request.get("bytes", 0))
    served.stdin.write(line + raw)
    served.stdin.flush()
    answer = served.stdout.readline()
    answer += served.stdout.read(json.loads(answer).get("bytes", 0))
    dice = random.Random(line)
    fault = dice.randrange(100) if request["cmd"] == "run" else 99
    if fault < 3:
        put(answer[:dice.randrange(len(answer))])
        os._exit(dice.randrange(256))
    elif fault < 5:
        os.kill(os.getpid(), dice.choice([signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP]))
    elif fault < 7:
        put(answer + answer)
    elif fault < 9:
        put(dice.randbytes(dice.randrange(1, 5000)) + b"\n")
    elif fault < 11:
        put(spoiled(answer, dice))
    elif fault < 12:
        put(b'{"answers":' + b"[" * dice.randrange(1, 100000) + b"\n")
    elif fault < 13:
        time.sleep(1)
    elif fault < 14:
        sys.stderr.write("noise\x1b[31m\n" * 10000)
        put(b"{" + answer)
    else:
        put(answer)
