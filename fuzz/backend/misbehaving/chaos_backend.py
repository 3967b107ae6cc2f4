"""A backend that misbehaves in one request of eight, in a way that the request itself decides:
`chaos_backend.py LANECHECK`. It crashes, hangs, lies, floods and forks. Between the faults it passes on what
`LANECHECK serve` answers."""
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


def spoil(answer, dice):
    """A few bytes of the line are replaced."""
    answer, line = bytearray(answer), answer.index(b"\n")
    for _ in range(dice.randrange(1, 6)):
        answer[dice.randrange(line)] = dice.randrange(256)
    put(bytes(answer))


def lie(answer, dice):
    """A well-formed answer with one wrong byte of UB (they follow the line)."""
    answer, images = bytearray(answer), answer.index(b"\n") + 1
    if images < len(answer):
        answer[dice.randrange(images, len(answer))] ^= 1
    put(bytes(answer))


def exit_in_the_middle(answer, dice):
    put(answer[:dice.randrange(len(answer))])
    os._exit(dice.randrange(256))


def crash(answer, dice):
    os.kill(os.getpid(), dice.choice([signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP]))


def fork(answer, dice):
    """Leaves a child, and a daemon with a session of its own that no polite signal ends."""
    stubborn = "trap '' TERM HUP INT; while :; do sleep 60; done"
    for daemon in (False, True):
        subprocess.Popen(["sh", "-c", stubborn], start_new_session=daemon, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    put(answer)


def stop_guardian(answer, dice):
    """The guardian leads the session of the backend. It stands until lanecheck tells it to go on."""
    os.kill(os.getsid(0), signal.SIGSTOP)
    put(answer)


def flood(answer, dice):
    while True:
        put(b"x" * 65536)


def flood_errors(answer, dice):
    sys.stderr.write("noise\x1b[31m\n" * 10000)
    put(b"{" + answer)


FAULTS = [
    exit_in_the_middle, crash, spoil, lie, fork, stop_guardian, flood, flood_errors,
    lambda answer, dice: put(answer + answer),
    lambda answer, dice: put(dice.randbytes(dice.randrange(1, 5000)) + b"\n"),
    lambda answer, dice: put(b'{"answers":' + b"[" * dice.randrange(1, 100000) + b"\n"),
    lambda answer, dice: time.sleep(600),
]

for line in iter(sys.stdin.buffer.readline, b""):
    request = json.loads(line)
    raw = sys.stdin.buffer.read(request.get("bytes", 0))
    served.stdin.write(line + raw)
    served.stdin.flush()
    answer = served.stdout.readline()
    answer += served.stdout.read(json.loads(answer).get("bytes", 0))
    dice = random.Random(line)
    fault = dice.randrange(8 * len(FAULTS)) if request["cmd"] == "run" else len(FAULTS)
    FAULTS[fault](answer, dice) if fault < len(FAULTS) else put(answer)
