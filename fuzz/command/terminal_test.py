#!/usr/bin/env python3
"""Every command, with texts that would control a terminal: no such byte may reach standard output or standard error.

Usage: terminal_test.py LANECHECK SOURCE_DIR PYTHON. The texts are the names, offers, reasons, answers and standard error
of a backend, names of files and folders, and what the files hold. JSON that lanecheck writes must stay valid.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

lanecheck, source, python = sys.argv[1], sys.argv[2], sys.argv[3]
ODD = "x\x1b[31m\x07\x9b\x7f\ry"  # ESC, BEL, C1, DEL, CR
UNPRINTABLE = re.compile(rb"[^\n\t -~]")
failed = 0

BACKEND = r'''
import json, os, subprocess, sys
kind, lanecheck, odd = sys.argv[1], sys.argv[2], "x\x1b[31m\x07\x9b\x7f\ry"
sys.stderr.buffer.write(odd.encode("latin-1") + odd.encode() + b"\n")
sys.stderr.flush()

def say(message):
    sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    sys.stdout.flush()

hello = {"protocol": 1, "name": odd, "version": odd, "profiles": ["vmc", "tik"], "reports_refusals": True}
hello.update({"offers": {"offers": [{"instruction": odd}]}, "profiles": {"profiles": [odd]},
              "readings": {"readings": {odd: odd}}, "mode": {"offers": [{"mode": odd, odd: 1}]},
              "one": {"offers": [{"instruction": "add"}]}}.get(kind, {}))
wrong = subprocess.Popen([lanecheck, "serve", "--hex-only", "--backend", "wrong:cadd-keeps-dst"], text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin:
    request = json.loads(line)
    wrong.stdin.write(line)
    wrong.stdin.flush()
    answer = json.loads(wrong.stdout.readline())
    if request["cmd"] == "hello":
        say(odd if kind == "no_hello" else hello)
    elif kind in ("refused", "skipped", "errored"):
        say({"answers": [{"id": each["id"], kind: odd} for each in request["programs"]]})
    elif kind == "dies":
        os._exit(3)
    elif kind == "text":
        sys.stdout.buffer.write(odd.encode("latin-1") + b"\n")
        sys.stdout.flush()
    elif kind == "field":
        say({"answers": [{"id": odd, odd: odd}]})
    else:
        say(answer)
'''


def run(*words, wants=None):
    """Runs lanecheck. Its output must hold no byte that is not printable."""
    global failed
    done = subprocess.run([os.fsencode(each) for each in (lanecheck, *words)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, cwd=work)
    for name, text in (("output", done.stdout), ("error", done.stderr)):
        found = UNPRINTABLE.search(text)
        if found:
            failed = 1
            print(f"FAILED: {ascii(words)}: standard {name} holds {ascii(text[max(0, found.start() - 60):][:160])}")
    if done.returncode not in (wants or [0, 1, 2, 3]):
        failed = 1
        print(f"FAILED: {ascii(words)}: exit {done.returncode}: {ascii(done.stderr[:300])}")
    return done.stdout


def json_is_valid(file):
    global failed
    try:
        json.loads(open(os.path.join(os.fsencode(work), os.fsencode(file)), "rb").read())
    except (OSError, ValueError) as error:
        failed = 1
        print(f"FAILED: {ascii(file)}: {ascii(str(error))}")


def wrote_json(file):
    """The file must be there and valid. It is removed, so that the next command must write its own."""
    json_is_valid(file)
    if os.path.exists(os.path.join(work, file)):
        os.remove(os.path.join(work, file))


# Exit codes of `run`, `recheck` and `bisect` on a backend that starts. One that does not start ends all of them with 3,
# and without a file.
RUN = {"right": 1, "refused": 1, "skipped": 3, "errored": 3, "dies": 3, "text": 3, "field": 3, "one": 0}
RECHECK = {"right": 1, "refused": 1, "skipped": 1, "dies": 3, "text": 3}
BISECT = {"right": 1, "refused": 0}


def with_backends():
    """Each command that attaches a backend."""
    for kind in ("right", "offers", "profiles", "readings", "mode", "no_hello", "refused", "skipped", "errored", "dies", "text",
                 "field", "one"):
        backend = f"cmd: {python} {work}/backend.py {kind} '{lanecheck}'"
        attach = ["--backend", backend, "--restarts", "1"]
        run("run", "--quiet", "--cases", "60", "--no-doctor", *attach, "--json", kind + ".json", "-v",
            wants=[RUN[kind]] if kind in RUN else [2, 3])
        if kind in RUN:
            json_is_valid(kind + ".json")
        run("run", "--quiet", "--cases", "10", *attach)
        run("doctor", backend, "--restarts", "1")
        run("replay", source + "/corpus/VMC-3.2-cadd-empty", *attach)
        if kind in ("right", "refused", "skipped", "dies", "text", "offers"):
            run("recheck", "clean.json", *attach, "--json", "now.json", wants=[RECHECK.get(kind, 3)])
            if kind in RECHECK:
                wrote_json("now.json")
            run("explain", source + "/corpus/VMC-3.1-dup/f32.json", "--backend", backend)
            run("identify", backend, "cadd.f32", "--restarts", "1")
            run("certify", "--backend", backend, "--instruction", "add.f16", "--restarts", "1")
            run("readings", "--backend", backend, "--profile", "tik")
        if kind in BISECT:
            with open(os.path.join(work, "versions.txt"), "w", encoding="utf-8", newline="") as file:
                file.write(f"example\n{backend} {ODD[:-2]}\n{backend}\n")
            run("bisect", source + "/corpus/VMC-3.1-dup/f32.json", "--backends", "versions.txt", "--runs", "20",
                "--json", "bisected.json", wants=[BISECT[kind]])
            wrote_json("bisected.json")
        if kind == "right":
            run("doctor", "--protocol", backend)


def with_reports():
    """Each command that reads a report of such a backend."""
    for kind, compared in (("right", 0), ("refused", 1), ("errored", 1), ("dies", 2)):
        report = kind + ".json"
        run("report", report, "--html", "page.html", "--junit", "junit.xml", "--markdown", "page.md", wants=[0])
        run("compare", report, "right.json", "--json", "compared.json", wants=[compared])
        if compared < 2:
            wrote_json("compared.json")
        run("baseline", "add", kind + ".list", "--from", report, "--all", "--reason", ODD, wants=[0])
        run("baseline", "show", kind + ".list", wants=[0])
        run("baseline", "check", kind + ".list", "right.json", wants=[0 if kind == "right" else 1])
        run("history", "add", "history.sqlite", report, wants=[0])
    run("history", "show", "history.sqlite", wants=[0])
    run("recheck", "right.json", "--backend", "example", wants=[0])


def with_names(odd):
    """Files of odd names, present, absent, and of odd contents; and odd words in the place of names."""
    def make(name, text):
        with open(os.path.join(os.fsencode(work), os.fsencode(name)), "wb") as file:
            file.write(text)
    case = open(source + "/corpus/VMC-3.1-dup/f32.json", "rb").read()
    make(odd + ".json", case)
    make(odd + ".bad", os.fsencode(odd))
    make(odd + ".text", b'{"schema":"' + os.fsencode(odd) + b'"}')
    make(odd + ".plan", b'{"schema":"lanecheck-plan-1","name":"a","about":"b","runs":[{"name":"c","cases":5}]}')
    make(odd + ".list", b"example\nwrong:dup-ignores-mask\n")
    run("replay", odd + ".json", "--backend", "wrong:dup-ignores-mask", "--json", odd + ".report")
    json_is_valid(odd + ".report")
    run("run", "--quiet", "--cases", "10", "--folder", odd + ".run", "--save", odd + ".saved")
    run("run", "--quiet", "--plan", odd + ".plan", "--folder", odd + ".night")
    attached = f"""cmd: sh -c 'exec "$0" serve --backend wrong:dup-ignores-mask' '{lanecheck}' '{odd}'"""
    run("run", "--quiet", "--cases", "10", "--backend", attached, "--json", odd + ".attached", wants=[0, 1])
    json_is_valid(odd + ".attached")
    is_utf8 = odd == odd.encode(errors="replace").decode()  # a folder keeps the bytes of its settings, as JSON
    run("run", "--quiet", "--cases", "10", "--backend", attached, "--folder", odd + ".kept", wants=[0, 1] if is_utf8 else [2])
    if is_utf8:
        run("run", "--quiet", "--resume", odd + ".kept", wants=[0, 1])
    run("run", "--quiet", "--resume", odd + ".run")
    run("status", odd + ".run")
    run("merge", "--quiet", odd + ".run")
    run("plan", "show", odd + ".plan")
    run("explain", odd + ".json")
    run("recheck", odd + ".report", "--backend", "example")
    run("bisect", odd + ".json", "--backends", odd + ".list")
    run("report", odd + ".report", "--html", odd + ".html", "--bundle", odd + ".bundle")
    run("compare", odd + ".report", odd + ".report")
    run("baseline", "add", odd + ".known", "--from", odd + ".report", "--all", "--reason", "known")
    run("baseline", "show", odd + ".known")
    run("history", "add", odd + ".sqlite", odd + ".report")
    run("distill", "--programs", "1", "--profile", "tik", "--only", "dup", "-o", odd + ".exam")
    run("export", odd + ".exam", "--as", "numpy", "-o", odd + ".launches")
    run("judge", odd + ".launches")
    run("init-backend", "python", odd + ".mine")
    run("init-backend", "cpp", odd + ".plug")
    for end in (".bad", ".text", ".absent"):
        file = odd + end
        for words in (["replay", file], ["explain", file], ["judge", file], ["trace", file], ["report", file, "--html", "p"],
                      ["compare", file, file], ["baseline", "show", file], ["history", "show", file], ["plan", "show", file],
                      ["run", "--plan", file], ["run", "--resume", file], ["run", "--baseline", file, "--cases", "1"],
                      ["merge", file], ["status", file], ["recheck", file, "--backend", "example"], ["plan", "slurm", file],
                      ["bisect", file, "--backends", file], ["export", file, "--as", "numpy", "-o", "x"]):
            run(*words, wants=[2])
    for words in (["run", "--backend", odd], ["run", "--profile", odd], ["run", "--reading", odd], ["run", odd], [odd],
                  ["run", "--" + odd], ["run", "--cases", odd], ["run", "--until", odd], ["run", "--shard", odd], ["doctor", odd],
                  ["run", "--backend", "plugin:" + odd], ["run", "--backend", "cmd: " + odd], ["identify", odd, "add"],
                  ["run", "--against", odd], ["identify", "example", odd], ["distill", "--only", odd], ["plan", "show", odd],
                  ["certify", "--instruction", odd], ["offers", "--" + odd], ["init-backend", odd, "x"],
                  ["export", odd, "--as", odd, "-o", "x"], ["run", "--json", odd + "/" + odd], ["history", "show", odd]):
        run(*words, wants=[2, 3])


with tempfile.TemporaryDirectory() as work:
    with open(os.path.join(work, "backend.py"), "w", encoding="utf-8") as program:
        program.write(BACKEND)
    run("run", "--quiet", "--cases", "60", "--backend", "wrong:cadd-keeps-dst", "--json", "clean.json")
    with_backends()
    with_reports()
    with_names(ODD)
    with_names(os.fsdecode(b"not UTF-8 \xff\x9b31m"))
sys.exit(failed)
