#!/usr/bin/env python3
"""Writes what the program is made of as SPDX 2.3 in JSON.

usage: sbom.py VERSION TIME PROGRAM PACKAGES <dependencies.json

TIME is ISO 8601 in UTC, PROGRAM a file, PACKAGES a file of `name version` lines with the libraries of the
system; the input is that of `swift package show-dependencies --format json`.
"""

import hashlib
import json
import re
import sys


def identifier(text):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", text)


def flattened(package, found):
    for dependency in package.get("dependencies", []):
        found[dependency["identity"]] = dependency
        flattened(dependency, found)
    return found


def main():
    version, time, program, packages = sys.argv[1:5]
    with open(program, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    root = json.load(sys.stdin)
    swift = flattened(root, {})
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

    for name in sorted(swift):
        dependency = swift[name]
        url, number = dependency["url"], dependency["version"]
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
