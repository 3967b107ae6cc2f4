#!/usr/bin/env python3
"""Makes the wheel: the Python package of pyproject.toml, the program and its corpus, for the platform of the program.
Usage: wheel.py SOURCE_DIR LANECHECK OUTPUT_FOLDER. Prints the path of the wheel. The same input makes the same bytes."""
import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

DATE = (1980, 1, 1, 0, 0, 0)


def pure_wheel(source, folder):
    """Builds the wheel without the program, from a copy, because setuptools writes into the source folder."""
    copy = folder / "source"
    (copy / "fuzz/backend").mkdir(parents=True)
    shutil.copy(source / "pyproject.toml", copy)
    shutil.copytree(source / "fuzz/backend/python", copy / "fuzz/backend/python", ignore=shutil.ignore_patterns("__pycache__"))
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main(source, program, output):
    with tempfile.TemporaryDirectory() as temporary:
        pure = pure_wheel(source, pathlib.Path(temporary))
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        stem = "-".join(pure.name.split("-")[:2])  # lanecheck-0.1.0
        with zipfile.ZipFile(pure) as old:
            files = {name: old.read(name) for name in sorted(old.namelist()) if not name.endswith("RECORD")}
        stripped = pathlib.Path(temporary, "program")
        subprocess.run(["strip", "-o", str(stripped), str(program)], check=True)
        files[f"{stem}.data/scripts/lanecheck"] = stripped.read_bytes()
        for case in sorted((source / "corpus").rglob("*.json")):
            files[f"{stem}.data/data/share/lanecheck/{case.relative_to(source)}"] = case.read_bytes()
        about = f"{stem}.dist-info/WHEEL"
        text = files[about].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
        files[about] = text.replace("Tag: py3-none-any", f"Tag: py3-none-{platform}").encode()
        record = f"{stem}.dist-info/RECORD"
        lines = "".join(record_line(name, data) for name, data in files.items()) + f"{record},,\n"
        files[record] = lines.encode()
        wheel = pathlib.Path(output, f"{stem}-py3-none-{platform}.whl")
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
            for name, data in files.items():
                entry = zipfile.ZipInfo(name, DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
                new.writestr(entry, data)
    print(os.fspath(wheel))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3])
