#!/usr/bin/env python3
"""The power fails at any moment of a run that keeps a folder: nothing that was safe is lost, and the run goes on from there.

Usage: power_loss_test.py LANECHECK. strace records what a run does to its folder. Each prefix of that is made again as a disk
may have it when the power fails. What was not made safe by fsync is lost, is there, or is there in part:
  - safe: only files and names that fsync has made safe;
  - names: all names, but of a file only what fsync has made safe (a rename that overtakes the content);
  - torn: all names, and half of the content that was not made safe;
  - all: everything.
A name is safe when its folder was synced after the name was made, removed or moved; this holds for the folder of the run, too.
From each of these disks `run --resume` (or the same command, if no run was begun) must give the report of a run in peace,
and a checkpoint must be there that is no older than the last one that was synced, file and folder."""
import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

lanecheck = os.path.realpath(sys.argv[1])
OPTIONS = ["--quiet", "--jobs", "1", "--checkpoint", "0", "--cases", "2000", "--backend", "wrong:dup-ignores-mask"]
CALLS = ("openat,open,creat,write,pwrite64,writev,ftruncate,close,fsync,fdatasync,rename,renameat,renameat2,mkdir,mkdirat,"
         "unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat")
TEXT = r'"((?:[^"\\]|\\.)*)"'


def unknown(call, words):
    sys.exit(f"FAILED: the model does not know {call}({words[:200]})")


class File:
    def __init__(self):
        self.text, self.safe = b"", b""


class Folder:
    def __init__(self):
        self.names, self.safe = {}, {}


class Disk:
    """What a run has done to the folders below `root`."""

    def __init__(self, root):
        self.root, self.top, self.open = root, Folder(), {}

    def place(self, path):
        """The folder and the name of a path; None if it is not below the root."""
        relative = os.path.relpath(path, self.root)
        if relative.startswith(".."):
            return None
        *above, name = relative.split("/")
        folder = self.top
        for each in above:
            folder = folder.names[each]
        return folder, name

    def find(self, path):
        if os.path.relpath(path, self.root) == ".":
            return self.top
        folder, name = self.place(path)
        return folder.names.get(name)

    def do(self, call, words, result):
        """Does one system call. Returns whether it changed anything, or made anything safe."""
        number = int(re.match(r"\d+", words)[0]) if re.match(r"\d+", words) else None
        if call == "close":
            self.open.pop(number, None)
            return False
        if number is not None and "AT_FDCWD" not in words:  # a call on an open file
            return number in self.open and self.written(call, self.open[number], words, int(result))
        paths = [ast.literal_eval(f'b"{each}"').decode() for each in re.findall(TEXT, words)]
        if call in ("open", "openat", "creat"):
            return self.opened(paths[0], words, int(result))
        if not any(self.inside(path) for path in paths):
            return False
        if call in ("mkdir", "mkdirat"):
            folder, name = self.place(paths[0])
            folder.names[name] = Folder()
        elif call in ("unlink", "unlinkat", "rmdir"):
            folder, name = self.place(paths[0])
            del folder.names[name]
        elif call in ("rename", "renameat", "renameat2"):
            (source, old), (target, new) = self.place(paths[0]), self.place(paths[1])
            target.names[new] = source.names.pop(old)
        else:
            unknown(call, words)
        return True

    def inside(self, path):
        return path.startswith("/") and not os.path.relpath(path, self.root).startswith("..")

    def opened(self, path, words, number):
        if not self.inside(path):
            self.open.pop(number, None)
            return False
        found = self.find(path)
        made = found is None
        if made:
            folder, name = self.place(path)
            found = folder.names[name] = File()
        elif "O_TRUNC" in words:
            found.text = b""
        self.open[number] = found
        return made or "O_TRUNC" in words

    def written(self, call, target, words, result):
        if call == "write":
            target.text += ast.literal_eval("b" + re.search(r'"(?:[^"\\]|\\.)*"', words)[0])[:result]
        elif call not in ("fsync", "fdatasync"):
            unknown(call, words)
        elif isinstance(target, File):
            target.safe = target.text
        else:
            target.safe = dict(target.names)
        return True

    def after(self, variant):
        """The files after the power has failed, by path. A folder is a path that ends with a slash."""
        found = {}

        def look(folder, path):
            for name, each in (folder.safe if variant == "safe" else folder.names).items():
                if isinstance(each, Folder):
                    found[f"{path}{name}/"] = b""
                    look(each, f"{path}{name}/")
                elif variant == "all":
                    found[path + name] = each.text
                elif variant == "torn" and each.text != each.safe:
                    found[path + name] = each.text[:(len(each.safe) + len(each.text)) // 2]
                else:
                    found[path + name] = each.safe
        look(self.top, "")
        return found


def canonical(file):
    with open(file) as text:
        return {key: value for key, value in json.load(text).items() if key not in ("timing", "version", "processes")}


def done_of(files):
    """How many cases the checkpoint has; -1 if there is no run."""
    if "run/run.json" not in files:
        return -1
    return json.loads(files["run/checkpoint.json"])["done"] if "run/checkpoint.json" in files else 0


def calls_of(recording):
    """The system calls that worked: name, arguments, result."""
    for line in open(recording):
        found = re.match(r"(?:\d+ +)?(\w+)\((.*)\) += (\d+)(<.*)?$", line)
        if found:
            yield found[1], found[2], found[3]
        elif "unfinished" in line:
            sys.exit(f"FAILED: two threads at once: {line[:200]}")


def fault_of(files, work, peace):
    """Goes on with the run of this disk. Returns what is wrong; "" if nothing is."""
    folder = tempfile.mkdtemp(dir=work)
    for path, text in files.items():
        place = pathlib.Path(folder, path)
        if path.endswith("/"):
            place.mkdir()
        else:
            place.write_bytes(text)
    run = f"{folder}/run"
    where = ["--resume", run] if os.path.exists(f"{run}/run.json") else [*OPTIONS, "--folder", run]
    ended = subprocess.run([lanecheck, "run", "--quiet", *where], capture_output=True, text=True, timeout=60)
    fault = ""
    if ended.returncode != 1:
        fault = f"exit {ended.returncode}: {ended.stderr[-300:]}"
    elif canonical(f"{run}/report.json") != peace:
        fault = "another report"
    shutil.rmtree(folder)
    return fault


def main():
    if not shutil.which("strace"):
        print("skipped: there is no strace")
        return 77
    with tempfile.TemporaryDirectory() as work:
        root, recording = f"{os.path.realpath(work)}/disk", f"{work}/recording"
        os.mkdir(root)
        traced = subprocess.run(["strace", "-o", recording, "-s", "100000000", "-e", f"trace={CALLS}",
                                 lanecheck, "run", *OPTIONS, "--folder", f"{root}/run"], capture_output=True, text=True)
        if traced.returncode != 1:
            print(f"skipped: strace cannot run lanecheck here: {traced.stderr[-300:]}")
            return 77
        peace, disk, safe_done = canonical(f"{root}/run/report.json"), Disk(root), -1
        disks, cuts, faults, most = {}, 0, 0, -1
        for call, words, result in calls_of(recording):
            if not disk.do(call, words, result):
                continue
            cuts += 1
            for variant in "safe", "names", "torn", "all":
                files = disk.after(variant)
                try:
                    done = done_of(files)
                except ValueError:
                    done = -2
                if done < safe_done:
                    print(f"FAILED: after {call}({words[:120]}), {variant}: {done} cases are left of {safe_done}")
                    faults += 1
                disks.setdefault(tuple(sorted((path, text) for path, text in files.items() if "status.json" not in path)),
                                 (call, words[:120], variant))
            if call in ("fsync", "fdatasync") and isinstance(disk.open.get(int(re.match(r"\d+", words)[0])), Folder):
                safe_done = max(safe_done, done_of(disk.after("all")))
        for files, (call, words, variant) in disks.items():
            if fault := fault_of(dict(files), work, peace):
                print(f"FAILED: after {call}({words}), {variant}: {fault}")
                faults += 1
        print(f"{cuts} moments, {len(disks)} disks, {faults} faults, {safe_done} cases safe at the end")
        return 1 if faults or safe_done != 2000 else 0


if __name__ == "__main__":
    sys.exit(main())
