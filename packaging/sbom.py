#!/usr/bin/env python3
"""Writes the program's software bill of materials: SPDX 2.3 in JSON, on standard output.

usage: sbom.py VERSION TIME PROGRAM PACKAGES RESOLVED

TIME is in ISO 8601 and UTC, PROGRAM the program's file, PACKAGES a file with a line `name version` for each
Debian package whose libraries the program loads, and RESOLVED the Package.resolved that SwiftPM wrote.
"""

import hashlib
import json
import re
import sys


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def resolved(path):
    """Name, URL and version (or commit) of each Swift package."""
    with open(path) as file:
        pins = json.load(file)["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        state = pin["state"]
        yield pin["identity"], pin["location"], state.get("version") or state["revision"]


def main():
    version, time, program, packages, pins = sys.argv[1:6]
    with open(program, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    own = {
        "SPDXID": "SPDXRef-ota",
        "name": "ota",
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
    }
    entries, relations = [own], []

    def add(name, number, location, reference, kind):
        entries.append(
            {
                "SPDXID": identifier(name),
                "name": name,
                "versionInfo": number,
                "downloadLocation": location,
                "filesAnalyzed": False,
                "licenseConcluded": "NOASSERTION",
                "licenseDeclared": "NOASSERTION",
                "copyrightText": "NOASSERTION",
                "primaryPackagePurpose": "LIBRARY",
                "externalRefs": [
                    {
                        "referenceCategory": "PACKAGE-MANAGER",
                        "referenceType": "purl",
                        "referenceLocator": reference,
                    }
                ],
            }
        )
        relations.append(
            {
                "spdxElementId": "SPDXRef-ota",
                "relationshipType": kind,
                "relatedSpdxElement": identifier(name),
            }
        )

    for name, url, number in resolved(pins):
        place = re.sub(r"^https://|\.git$", "", url)
        add(name, number, f"git+{url}@{number}", f"pkg:swift/{place}@{number}", "STATIC_LINK")
    with open(packages) as file:
        for line in sorted(file):
            name, number = line.split()
            add(name, number, "NOASSERTION", f"pkg:deb/debian/{name}@{number}", "DYNAMIC_LINK")
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"ota-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/ota-{version}-{digest}",
        "creationInfo": {"created": time, "creators": ["Tool: ota-packaging"]},
        "documentDescribes": ["SPDXRef-ota"],
        "packages": entries,
        "relationships": [
            {
                "spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": "SPDXRef-ota",
            },
            *relations,
        ],
    }
    json.dump(document, sys.stdout, indent=2, sort_keys=True)
    print()


main()
