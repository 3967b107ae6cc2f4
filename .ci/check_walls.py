#!/usr/bin/env python3
"""Checks the walls between the rooms, that files and functions stay short, and that a class is defined once.

A room is a folder whose CMakeLists.txt defines a target. A file may include a header of another room only if
its target links that room, directly or through the rooms it links, or if the header is installed and so public.
Prints one line for each fault, which starts with file:line. Run it as `.ci/check_walls.py [SOURCE_DIRECTORY]`.
"""
import ast, pathlib, re, sys

FILE_LINES, FUNCTION_LINES = 400, 60
FOLDERS = ("spec", "oracle", "fuzz", "corpus", "reports", "packages")
COMMANDS = {"lanecheck_room", "lanecheck_test", "lanecheck_tests", "add_library", "add_executable", "target_link_libraries"}
NO_FUNCTION = re.compile(r"(if|for|while|switch|catch|else|do|namespace|class|struct|enum|union)\b")
NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z])\'(?:\\.|[^\'\\])+\'|//[^\n]*|/\*.*?\*/|^#[^\n]*',
                      re.S | re.M)


def read_targets(root):
    """Reads every CMakeLists.txt: the folder, sources and links of each target, and the installed headers."""
    targets, public = {}, set()
    for path in sorted(p for f in FOLDERS for p in (root / f).rglob("CMakeLists.txt")):
        text = re.sub(r"\$<BUILD_INTERFACE:(.*?)>", r"\1", re.sub(r"#.*", "", path.read_text()))
        text = re.sub(r"foreach\((\w+) ([^)]*)\)(.*?)endforeach\(\)", lambda loop: "".join(
            loop[3].replace("${%s}" % loop[1], item) for item in loop[2].split()), text, flags=re.S)
        for command, words in re.findall(r"(\w+)\(([^()]*)\)", text):
            if command == "install":
                public |= {path.parent / word for word in words.split() if word.endswith(".h")}
            if command == "lanecheck_command":
                targets["lanecheck"]["sources"].append(words.split()[0] + ".cc")
            if command not in COMMANDS:
                continue
            name, *words = words.split()
            name = "lanecheck_" + name if command == "lanecheck_room" else name
            target = targets.setdefault(name, {"folder": path.parent, "sources": [], "links": []})
            words = [name + ".cc"] * (command == "lanecheck_test") + words
            goes_to = "links" if command == "target_link_libraries" else "sources"
            for word in words:  # keywords and labels come along; they name no file and no target
                goes_to = {"LINKS": "links", "SOURCES": "sources"}.get(word, goes_to)
                target[goes_to].append(word)
    return targets, public


def check_includes(root, targets, public):
    """Follows the includes of each target's sources, and of the headers of its own folder."""
    faults, listed = set(), set()
    for name, target in targets.items():
        linked, todo = set(), [name]
        while todo:
            link = todo.pop()
            if link in targets and link not in linked:
                linked.add(link)
                todo += targets[link]["links"]
        allowed = {targets[link]["folder"] for link in linked}
        files = [target["folder"] / source for source in target["sources"]]
        for path in files:  # grows while it is walked
            listed.add(path)
            if path.suffix not in {".c", ".cc", ".h"} or not path.is_file():
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                include = re.match(r'#include "([^"]+/[^"]+)"', line)
                header = root / include[1] if include else None
                if header and header.is_file() and header.parent not in allowed and header not in public:
                    faults.add(f"{path.relative_to(root)}:{number}: {name} includes {include[1]} but does not link its room")
                elif header and header.parent == target["folder"] and header not in files:
                    files.append(header)
    unlisted = {p for target in targets.values() for p in target["folder"].glob("*.cc")} - listed
    return sorted(faults) + [f"{path.relative_to(root)}:1: no target lists this source" for path in sorted(unlisted)]


def long_functions(path, text):
    """Yields (line, length) of each function that is too long."""
    if path.suffix == ".py":
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        yield from ((f.lineno, f.end_lineno - f.lineno + 1) for f in functions if f.end_lineno - f.lineno >= FUNCTION_LINES)
        return
    code, start, opened = NOT_CODE.sub(lambda hidden: "\n" * hidden[0].count("\n"), text), 0, []
    for mark in re.finditer(r"[;{}]", code):
        statement = code[start:mark.start()]
        if mark[0] == "{":
            first = start + len(statement) - len(statement.lstrip())
            has_parameters = re.search(r"\)(\s*(const|noexcept|override|final|mutable|try|-> [\w:<>&* ]+))*\s*$", statement)
            opened.append(first if has_parameters and not NO_FUNCTION.match(statement.strip()) else None)
        elif mark[0] == "}" and opened and (begin := opened.pop()) is not None:
            if (length := code.count("\n", begin, mark.start()) + 1) > FUNCTION_LINES:
                yield code.count("\n", 0, begin) + 1, length
        start = mark.end()


def repeated_classes(root):
    """Yields a fault for each class that several headers define. In one program the linker would take the functions
    of one of them for all, its destructor for example."""
    places = {}
    for path in sorted(p for f in FOLDERS for p in (root / f).rglob("*.h")):
        text = path.read_text()
        for found in re.finditer(r"^(?:struct|class|enum class) (\w+)\b(?!<)[^;{]*\{", text, re.M):
            space = re.findall(r"^namespace ([\w:]+) \{", text[:found.start()], re.M)
            places.setdefault((*space[-1:], found[1]), []).append((path.relative_to(root), text.count("\n", 0, found.start()) + 1))
    for (*_, name), (first, *others) in places.items():
        for path, line in others:
            yield f"{path}:{line}: {first[0]} also defines {name}"


root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
faults = check_includes(root, *read_targets(root)) + list(repeated_classes(root))
for path in sorted(p for f in FOLDERS for p in (root / f).rglob("*") if p.suffix in {".c", ".cc", ".h", ".py"}):
    name, text = path.relative_to(root), path.read_text()
    if len(name.parts) == 2 and name.parts[0] in {"spec", "oracle", "fuzz"}:
        faults.append(f"{name}:1: a loose source file beside the rooms of {name.parts[0]}/")
    if (lines := text.count("\n")) > FILE_LINES:
        faults.append(f"{name}:{lines}: {lines} lines; a file may have {FILE_LINES}")
    faults += [f"{name}:{at}: a function of {size} lines; it may have {FUNCTION_LINES}" for at, size in long_functions(path, text)]
print("\n".join(faults) or "The walls stand.")
sys.exit(1 if faults else 0)
