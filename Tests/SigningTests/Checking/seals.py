"""CodeResources: the rules that Xcode writes, and every file of a bundle compared with them."""

import hashlib
import plistlib
import re

#: The rules that current versions of Xcode write for iOS.
RULES = {
    "^.*": True,
    "^.*\\.lproj/": {"optional": True, "weight": 1000.0},
    "^.*\\.lproj/locversion.plist$": {"omit": True, "weight": 1100.0},
    "^Base\\.lproj/": {"weight": 1010.0},
    "^version.plist$": True,
}
RULES2 = {
    ".*\\.dSYM($|/)": {"weight": 11.0},
    "^(.*/)?\\.DS_Store$": {"omit": True, "weight": 2000.0},
    "^.*": True,
    "^.*\\.lproj/": {"optional": True, "weight": 1000.0},
    "^.*\\.lproj/locversion.plist$": {"omit": True, "weight": 1100.0},
    "^Base\\.lproj/": {"weight": 1010.0},
    "^Info\\.plist$": {"omit": True, "weight": 20.0},
    "^PkgInfo$": {"omit": True, "weight": 20.0},
    "^embedded\\.provisionprofile$": {"weight": 20.0},
    "^version\\.plist$": {"weight": 20.0},
}


class Rule:
    def __init__(self, pattern, value):
        settings = value if isinstance(value, dict) else {}
        # In a POSIX expression, `$` matches only at the very end, not before a last line feed.
        ended = re.sub(r"(?<!\\)\$", r"\\Z", pattern)
        self.pattern = re.compile(ended, re.DOTALL)
        self.weight = settings.get("weight", 1)
        self.omits = settings.get("omit", value is False)
        self.is_optional = bool(settings.get("optional"))


def decide(rules, path):
    """The matching rule with the highest weight; of equal ones, the one that omits."""
    matching = [rule for rule in rules if rule.pattern.search(path)]
    return max(matching, key=lambda rule: (rule.weight, rule.omits), default=None)


def check(seal, files, executable, options, say):
    """Reports what a seal lists wrongly; `files` are the bundle's files by their relative paths."""
    try:
        listed = plistlib.loads(seal)
    except Exception as error:
        say("seal", f"is not readable: {error}")
        return
    if options.current:
        if listed.keys() != {"files", "files2", "rules", "rules2"}:
            say("seal", f"has the keys {sorted(listed)}")
        if listed.get("rules") != RULES:
            say("seal-rules", "rules are not Xcode's")
        if listed.get("rules2") != RULES2:
            say("seal-rules", "rules2 are not Xcode's")
    versions = [("files", "rules", 1), ("files2", "rules2", 2)]
    for list_name, rules_name, version in versions:
        if list_name not in listed:
            continue
        rules = [Rule(*pair) for pair in listed.get(rules_name, {}).items()]
        _check_list(listed[list_name], rules, files, executable, version, options, say)


def _check_list(entries, rules, files, executable, version, options, say):
    name = "files" if version == 1 else "files2"
    wanted = {}
    for path, item in files.items():
        if path == executable or path.startswith(("_CodeSignature/", "SC_Info/")):
            continue
        rule = decide(rules, path)
        if rule is None or rule.omits:
            continue
        if version == 1 and item.is_link:
            continue
        wanted[path] = _entry(item, rule, version)
    for path in wanted.keys() - entries.keys():
        say("seal", f"{name} does not list {path}")
    for path, entry in entries.items():
        if path in wanted:
            is_old = isinstance(entry, bytes) or "hash" in entry
            if options.current and version == 2 and is_old:
                say("seal", f"{name} has SHA-1 of {path}")
            if not _agrees(entry, wanted[path], files[path], version):
                say("seal", f"{name} says something else of {path} than the file")
        elif path in files:
            say("seal", f"{name} lists {path}, which its rules leave out")
        elif not (isinstance(entry, dict) and entry.get("optional")):
            say("seal", f"{name} lists {path}, which is not there")


def _entry(item, rule, version):
    if item.is_link:
        entry = {"symlink": item.target}
    elif version == 1:
        digest = hashlib.sha1(item.read()).digest()
        if not rule.is_optional:
            return digest
        entry = {"hash": digest}
    else:
        entry = {"hash2": hashlib.sha256(item.read()).digest()}
    if rule.is_optional:
        entry["optional"] = True
    return entry


def _agrees(entry, wanted, item, version):
    if version == 2 and item.is_file:
        # Xcode before 10 wrote SHA-1 in addition to SHA-256, and before 7 only SHA-1.
        digest = hashlib.sha1(item.read()).digest()
        if isinstance(entry, bytes):
            return entry == digest and not wanted.get("optional")
        if "hash2" not in entry:
            wanted = {**{key: value for key, value in wanted.items() if key != "hash2"}, "hash": digest}
        elif "hash" in entry:
            wanted = {**wanted, "hash": digest}
    return entry == wanted
