#!/usr/bin/env python3
"""Checks whether a package is signed as Xcode signs, with code that is independent of `ota`.

    check_signature.py PACKAGE… [--anchor CERTIFICATE]… [--at DATE] [--current]
                       [--original PACKAGE]… [--same-signer] [--except RULE]… [--break]

A PACKAGE is an IPA, an app, or a folder with `Payload` or `Products`. Prints JSON with every problem as a
rule, a place and a sentence; exits with 1 if there is one.
--current      also requires what today's Xcode writes: DER entitlements, SHA-256, its seal rules.
--original     the package before signing, once for each PACKAGE: everything except signatures, profiles and
               seals must be unchanged.
--same-signer  the signer has the same names as the original's: each CodeDirectory except for hashes of what
               changed, and each set of requirements, must have the same bytes.
--break        breaks each package in many ways; a way that the check does not detect is a problem.
--facts        prints what the signature of every program covers.
"""

import argparse
import datetime
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "Checking"))

import breaking
import bundles
import changes
import modes
import tree
import zips


class Report:
    def __init__(self, exceptions):
        self.exceptions = exceptions
        self.problems = []

    def add(self, rule, path, what):
        if rule not in self.exceptions:
            self.problems.append({"rule": rule, "path": path, "what": what})


def facts_of(seen):
    for path, facts in seen.items():
        for fact in facts:
            yield {
                "path": path,
                "slice": fact.slice.name,
                "identifier": fact.directories[0].identifier,
                "team": fact.directories[0].team,
                "cdhashes": [one.cdhash.hex() for one in fact.directories],
                "versions": [one.version for one in fact.directories],
                "claimed": sorted(fact.claimed or []),
            }


def judge(path, original, options):
    report = Report(options.exceptions)
    result = {"package": path, "problems": report.problems}
    try:
        package = tree.of(path)
        modes.check(package, report)
        before = tree.of(original) if original else None
        known = bundles.identifiers(before) if before else {}
        found, seen = bundles.check(package, options, report, known)
        result["bundles"] = len(found)
        result["programs"] = sum(map(len, seen.values()))
        if options.facts:
            result["facts"] = list(facts_of(seen))
        if options.breaks:
            for failure in breaking.failures(package, options):
                report.add("break", "", failure)
        if original:
            changes.check(before, package, seen, options, report)
    except (zips.Unreadable, OSError) as error:
        report.add("package", "", str(error))
    return result


def moment(text):
    found = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--anchor", dest="anchors", action="append", default=[])
    parser.add_argument("--at", type=moment)
    parser.add_argument("--current", action="store_true")
    parser.add_argument("--original", dest="originals", action="append", default=[])
    parser.add_argument("--same-signer", action="store_true")
    parser.add_argument("--break", dest="breaks", action="store_true")
    parser.add_argument("--facts", action="store_true")
    parser.add_argument("--except", dest="exceptions", action="append", default=[])
    options = parser.parse_args()
    if options.originals and len(options.originals) != len(options.packages):
        parser.error("as many originals as packages")
    options.anchors = [Path(anchor).read_bytes() for anchor in options.anchors]
    originals = options.originals or [None] * len(options.packages)
    results = [judge(*pair, options) for pair in zip(options.packages, originals)]
    json.dump(results, sys.stdout, indent=1, ensure_ascii=True)
    print()
    return 1 if any(result["problems"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
