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


def misbehave(answer):
    """Called on the trigger with the right answer. What it returns is the answer after all."""
    if fault == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if fault == "abort":
        os.abort()
    if fault == "exit0":
        os._exit(0)
    if fault == "hang":
        hang()
    if fault == "ignores_sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        hang()
    if fault == "floods_stderr":
        for _ in range(2000):
            sys.stderr.write("x" * 10000 + "\n")
        sys.stderr.write("the end\n")
        os.abort()
    if fault == "closes_stdout":
        os.close(1)
        hang()
    if fault == "closes_stdin":
        os.close(0)
        os.close(1)
        hang()
    if fault == "half_message":
        say('{"answers":[{"id"')
        os._exit(3)
    if fault == "half_message_hangs":
        say('{"answers":[{"id"')
        hang()
    if fault == "endless_line":
        while True:
            say("x" * 65536)
    if fault == "garbage":
        say("debug: here we are\n")
        hang()
    if fault == "not_an_object":
        say("[1,2,3]\n")
        hang()
    if fault == "deep":
        say('{"answers":' + "[" * 100000 + "]" * 100000 + "}\n")
        hang()
    if fault == "forks":
        subprocess.Popen(["sleep", "600"])
        subprocess.Popen(["sleep", "600"], start_new_session=True)
        hang()
    if fault == "out_of_order":
        return {"id": answer["id"] + 1, "ran": answer["ran"]}
    if fault == "old_id":
        return {"id": answer["id"] - 1, "ran": answer["ran"]}
    if fault == "short_image":
        return {"id": answer["id"], "ran": {"ub": "00", "mask": answer["ran"]["mask"]}}
    if fault == "bad_digit":
        return {"id": answer["id"], "ran": {"ub": "zz" + answer["ran"]["ub"][2:], "mask": answer["ran"]["mask"]}}
    if fault == "no_mask":
        return {"id": answer["id"], "ran": {"ub": answer["ran"]["ub"]}}
    if fault == "bad_mask":
        return {"id": answer["id"], "ran": {"ub": answer["ran"]["ub"], "mask": ["0x0", 1, None, "many"]}}
    if fault == "no_verdict":
        return {"id": answer["id"], "fine": True}
    if fault == "two_verdicts":
        return {"id": answer["id"], "ran": answer["ran"], "skipped": "perhaps"}
    if fault == "errored":
        return {"id": answer["id"], "errored": "ValueError: \x1b[2J boom"}
    return answer


seen = 0


def answer_to(program):
    global seen
    seen += 1
    if fault == "slow":
        time.sleep(0.5 if program["ub"].startswith("02") else 0)  # each in time, a batch of them not
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
