"""A backend that misbehaves in one way, for the tests of isolation: `bad_backend.py FAULT`.

It echoes UB and a full mask, which is right for programs without instructions. On a program whose first byte is 0xee
it does what its argument says; faults that begin with "hello" happen at the handshake."""
import json
import os
import signal
import subprocess
import sys
import time

fault = sys.argv[1]
out = sys.stdout.buffer


def say(text):
    out.write(text.encode() if isinstance(text, str) else text)
    out.flush()


def hang():
    while True:
        time.sleep(1)


def ignore_sigterm():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


def flood_stderr():
    for _ in range(2000):
        sys.stderr.write("x" * 10000 + "\n")
    sys.stderr.write("the end\n")
    os.abort()


def close_and_hang(*descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
    hang()


def send_endless_line():
    while True:
        say("x" * 65536)


def send_and_hang(text):
    say(text)
    hang()


def send_half_and_exit():
    say('{"answers":[{"id"')
    os._exit(3)


def fork_and_hang():
    subprocess.Popen(["sleep", "600"])
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    hang()


# Faults that give no answer.
DEEDS = {
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "abort": os.abort,
    "restart_offers": os.abort,
    "restart_differs": os.abort,
    "restart_reorders": os.abort,
    "exit0": lambda: os._exit(0),
    "hang": hang,
    "ignores_sigterm": ignore_sigterm,
    "floods_stderr": flood_stderr,
    "closes_stdout": lambda: close_and_hang(1),
    "closes_stdin": lambda: close_and_hang(0, 1),
    "half_message": send_half_and_exit,
    "half_message_hangs": lambda: send_and_hang('{"answers":[{"id"'),
    "endless_line": send_endless_line,
    "garbage": lambda: send_and_hang("debug: here we are\n"),
    "not_an_object": lambda: send_and_hang("[1,2,3]\n"),
    "deep": lambda: send_and_hang('{"answers":' + "[" * 100000 + "]" * 100000 + "}\n"),
    "forks": fork_and_hang,
}

# Faults that change the right answer, whose id is `i`, UB `ub` and mask `mask`.
WRONG_ANSWERS = {
    "out_of_order": lambda i, ub, mask: {"id": i + 1, "ran": {"ub": ub, "mask": mask}},
    "old_id": lambda i, ub, mask: {"id": i - 1, "ran": {"ub": ub, "mask": mask}},
    "short_image": lambda i, ub, mask: {"id": i, "ran": {"ub": "00", "mask": mask}},
    "bad_digit": lambda i, ub, mask: {"id": i, "ran": {"ub": "zz" + ub[2:], "mask": mask}},
    "no_mask": lambda i, ub, mask: {"id": i, "ran": {"ub": ub}},
    "bad_mask": lambda i, ub, mask: {"id": i, "ran": {"ub": ub, "mask": ["0x0", 1, None, "many"]}},
    "no_verdict": lambda i, ub, mask: {"id": i, "fine": True},
    "two_verdicts": lambda i, ub, mask: {"id": i, "ran": {"ub": ub, "mask": mask}, "skipped": "perhaps"},
    "errored": lambda i, ub, mask: {"id": i, "errored": "ValueError: \x1b[2J boom"},
}


def misbehave(answer):
    """Called on the trigger with the right answer. It returns the answer to send."""
    if fault in DEEDS:
        DEEDS[fault]()
    if fault in WRONG_ANSWERS:
        return WRONG_ANSWERS[fault](answer["id"], answer["ran"]["ub"], answer["ran"]["mask"])
    return answer


def is_restart():
    """Was a process of this test started before? The environment names the file that remembers it."""
    remembers = os.environ["BAD_BACKEND_STARTED"]
    if os.path.exists(remembers):
        return True
    open(remembers, "w").close()
    return False


seen = 0


def answer_to(program):
    global seen
    seen += 1
    if fault == "slow":
        time.sleep(0.5 if program["ub"].startswith("02") else 0)  # each in time, a batch of them not
    if fault == "stalls_once" and seen == 12 and not is_restart():
        time.sleep(3)
    if fault in ("hangs_in_company", "dies_in_company") and seen > 9:  # something piles up from program to program
        hang() if fault[0] == "h" else os.abort()
    answer = {"id": program["id"], "ran": {"ub": program.get("ub", ""), "mask": ["0xffffffffffffffff"] * 4}}
    if fault == "dies_often" and program["instructions"]:
        os.abort()
    return misbehave(answer) if answer["ran"]["ub"].startswith("ee") else answer


hello = {"protocol": 1, "name": "bad \x1b[31mbackend", "surprise": {"a": [1]}, "encodings": ["smoke", "hex"]}
if fault == "hello_dies":
    print("cannot import everything", file=sys.stderr)
    sys.exit(1)
if fault == "hello_hangs":
    hang()
if fault == "hello_garbage":
    say("Welcome to the simulator!\n")
    hang()
if fault == "hello_version":
    hello["protocol"] = 7
if fault == "hello_offers":
    hello["offers"] = [{"instruction": "frobnicate"}]
if fault == "restart_offers" and is_restart():
    hello["offers"] = [{"instruction": "frobnicate"}]
if fault == "restart_differs" and is_restart():
    hello["shows_mask"] = False
if fault == "restart_reorders":  # as offers from a set do
    hello["offers"] = [{"instruction": name} for name in ("add", "sub", "mul", "dup")]
    hello["offers"].sort(key=lambda offer: offer["instruction"], reverse=is_restart())
if fault == "hello_nameless":
    del hello["name"]
if fault in ("huge_length", "short_raw"):
    hello["encodings"] = ["bytes"]
if fault == "never_reads":
    sys.stdin.buffer.raw.readline(200)
    say(json.dumps(hello) + "\n")
    hang()

while True:
    line = sys.stdin.buffer.readline()
    if not line:
        break
    message = json.loads(line)
    if message["cmd"] == "hello":
        say(json.dumps(hello) + "\n")
        continue
    if message["encoding"] == "bytes":
        raw = sys.stdin.buffer.read(message["bytes"])
        at, length, mask = 0, 0, ["0xffffffffffffffff"] * 4
        trigger = False
        for program in message["programs"]:
            trigger = trigger or raw[at] == 0xEE
            at += program["ub_bytes"]
        head = {"answers": [{"id": each["id"], "ran": {"mask": mask}} for each in message["programs"]], "bytes": len(raw)}
        if trigger and fault == "huge_length":
            head["bytes"] = 10**15
        say(json.dumps(head) + "\n")
        say(raw[:-1] if trigger else raw)
        continue
    text = json.dumps({"answers": [answer_to(each) for each in message["programs"]], "news": None}) + "\n"
    say(text)
    if fault == "answers_twice" and any(each["ub"].startswith("ee") for each in message["programs"]):
        say(text)
if fault == "lingers":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()
