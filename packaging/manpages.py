#!/usr/bin/env python3
"""Writes a manual page in mdoc for each command, from the output of `ota --experimental-dump-help`.

usage: manpages.py FOLDER DATE <dump.json      (DATE as in 2026-11-26)
"""

import json
import re
import sys
from datetime import date
from pathlib import Path


def escaped(text):
    """The text with roff's special characters escaped."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def names(argument):
    found = []
    for name in argument.get("names", []):
        prefix = "-" if name["kind"] in ("short", "longWithSingleDash") else "--"
        found.append(prefix + name["name"])
    return found


def value(argument):
    return argument.get("valueName", "value")


def flag(argument, name):
    """An option with its value, as the arguments of an mdoc macro."""
    text = "Fl " + escaped(name[1:])
    if argument["kind"] == "option":
        text += " Ar " + escaped(value(argument))
    return text


def synopsis(command, path):
    lines = [".Nm " + escaped(" ".join(path))]
    for argument in command.get("arguments", []):
        if not argument.get("shouldDisplay", True):
            continue
        if argument["kind"] == "positional":
            text = "Ar " + escaped(value(argument))
        else:
            preferred = argument.get("preferredName")
            name = names({"names": [preferred]})[0] if preferred else names(argument)[0]
            if name in ("--help", "--version"):
                continue
            text = flag(argument, name)
        if argument.get("isRepeating"):
            text += " ..."
        lines.append((".Op " if argument.get("isOptional", True) else ".") + text)
    if command.get("subcommands"):
        lines.append(".Ar subcommand")
    return lines


def options(command):
    shown = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    if not shown:
        return []
    lines = [".Sh OPTIONS", ".Bl -tag -width Ds"]
    for argument in shown:
        if argument["kind"] == "positional":
            lines.append(".It Ar " + escaped(value(argument)))
        else:
            lines.append(".It " + " , ".join(flag(argument, n) for n in names(argument)))
        abstract = argument.get("abstract", "")
        default = argument.get("defaultValue")
        if default and default not in abstract:
            abstract += f" (default: {default})"
        if abstract:
            lines.append(escaped(abstract))
    return lines + [".El"]


def discussion(text):
    """Prose as paragraphs, and indented lines, which are examples, verbatim."""
    lines, literal = [], False
    for line in text.split("\n"):
        indented = line.startswith("  ") and line.strip()
        if indented and not literal:
            lines.append(".Bd -literal -offset indent")
        if literal and not indented:
            lines.append(".Ed")
        literal = bool(indented)
        if line.strip():
            lines.append(escaped(line[2:] if indented else line))
        elif not literal:
            lines.append(".Pp")
    if literal:
        lines.append(".Ed")
    return lines


def page(command, path, day):
    name = "-".join(path)
    abstract = command.get("abstract", "").rstrip(".")
    lines = [
        f".Dd {day.strftime('%B')} {day.day}, {day.year}",
        f".Dt {escaped(name.upper())} 1",
        ".Os",
        ".Sh NAME",
        ".Nm " + escaped(name),
        ".Nd " + escaped(abstract[:1].lower() + abstract[1:]),
        ".Sh SYNOPSIS",
        *synopsis(command, path),
        ".Sh DESCRIPTION",
        escaped(command.get("abstract", "")),
    ]
    if command.get("discussion"):
        lines += [".Pp", *discussion(command["discussion"])]
    below = [c for c in command.get("subcommands", []) if c["commandName"] != "help"]
    if below:
        lines += [".Sh COMMANDS", ".Bl -tag -width Ds"]
        for sub in below:
            lines += [
                f".It Xr {escaped(name + '-' + sub['commandName'])} 1",
                escaped(sub.get("abstract", "")),
            ]
        lines.append(".El")
    lines += options(command)
    lines += [
        ".Sh EXIT STATUS",
        "0 on success, 1 on failure with the reason on standard error, 64 on wrong usage.",
    ]
    related = [path[:-1]] if len(path) > 1 else []
    if related:
        lines += [".Sh SEE ALSO", *[f".Xr {escaped('-'.join(p))} 1" for p in related]]
    return name, re.sub(r"\n{2,}", "\n", "\n".join(lines)) + "\n"


def write(command, above, day, folder):
    path = above + [command["commandName"]]
    name, text = page(command, path, day)
    (folder / f"{name}.1").write_text(text)
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            write(sub, path, day, folder)


def main():
    folder, day = Path(sys.argv[1]), date.fromisoformat(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    write(json.load(sys.stdin)["command"], [], day, folder)


main()
