#!/usr/bin/env python3
"""Writes the manual pages and the bash completion of lanecheck from what its --help prints.
Usage: write_help.py LANECHECK FOLDER: makes FOLDER/man/man1/*.1 and FOLDER/lanecheck.bash."""
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"^  (-{1,2}[\w-]+(?:,-{1,2}[\w-]+)*)( [A-Z]|\n|$|  )", re.M)
HEADING = re.compile(r"^([A-Z][\w ]+):$")


def help_of(program, words):
    return subprocess.run([program, *words, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout


def commands_of(text):
    """The subcommands that a help text lists, each with its sentence."""
    listed = re.search(r"^Subcommands:\n((?:  .*\n)*)", text, re.M)
    return re.findall(r"^  (\S+) +(.*)$", listed[1], re.M) if listed else []


def options_of(text):
    """Each option as (names, takes a value)."""
    return [(names.split(","), after.strip() != "") for names, after in OPTION.findall(text)]


def roff(text):
    lines = (line.replace("\\", "\\e").replace("-", "\\-") for line in text.splitlines())
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def manual(name, about, text, version):
    """The page of one command: its help, in sections."""
    parts = [f'.TH "{name.replace(" ", "-").upper()}" 1 "" "lanecheck {version}" "User Commands"',
             ".SH NAME", roff(name.replace(" ", "-")) + " \\- " + roff(about)]
    lines = text.splitlines()
    usage = next(line for line in lines if line.startswith("Usage: "))
    parts += [".SH SYNOPSIS", ".B " + roff(name + re.sub(r"^Usage: \S*lanecheck" + name[len("lanecheck"):], "", usage))]
    body, opened = lines[lines.index(usage) + 1:], False
    parts.append(".SH DESCRIPTION")
    parts.append(roff(lines[0]))
    for line in body:
        heading = HEADING.match(line)
        if heading:
            parts += [".fi"] * opened + [f".SH {heading[1].upper()}", ".nf"]
            opened = True
        elif line.startswith(("  ", "\t")):
            parts.append(roff(line))
        else:
            parts += ([".fi"] if opened else []) + [".PP" if line == "" else roff(line)]
            opened = False
    return "\n".join(parts + [".fi"] * opened) + "\n"


def completion(pages):
    """A bash completion: the words that may follow each command, and files for the rest."""
    cases = []
    for words, text in pages.items():
        names = [name for names, _ in options_of(text) for name in names if name.startswith("--")]
        following = [name for name, _ in commands_of(text)] + names
        cases.append(f'    "{" ".join(words)}") words="{" ".join(following)}" ;;')
    known = " ".join(f"'{' '.join(words)}'" for words in pages if words)
    return f"""# bash completion of lanecheck, made from its help
_lanecheck() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command= words= word n
  for ((n = 1; n < COMP_CWORD; ++n)); do
    word=${{command:+$command }}${{COMP_WORDS[n]}}
    case " $_lanecheck_commands " in *" '$word' "*) command=$word ;; *) break ;; esac
  done
  case "$command" in
{chr(10).join(cases)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
_lanecheck_commands="{known}"
complete -o default -F _lanecheck lanecheck
"""


def main(program, folder):
    version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[1]
    abouts, pages, todo = {(): "tests the vector masks of a simulator of the Ascend A2 vector unit"}, {}, [()]
    while todo:
        words = todo.pop(0)
        pages[words] = help_of(program, words)
        for name, about in commands_of(pages[words]):
            abouts[(*words, name)] = about
            todo.append((*words, name))
    man = pathlib.Path(folder, "man", "man1")
    man.mkdir(parents=True, exist_ok=True)
    for words, text in pages.items():
        name = " ".join(("lanecheck", *words))
        man.joinpath(name.replace(" ", "-") + ".1").write_text(manual(name, abouts[words], text, version))
    pathlib.Path(folder, "lanecheck.bash").write_text(completion(pages))


if __name__ == "__main__":
    main(*sys.argv[1:3])
