"""Compares a bundle's provisioning profile with its certificate, identifier and entitlements."""

import datetime
import plistlib
from functools import lru_cache

import entitlements
import openssl


@lru_cache(maxsize=256)
def content(message):
    """The property list in a signed profile; None if the signature is invalid."""
    signed = openssl.cms_content(message)
    return None if signed is None else plistlib.loads(signed)


def check(profile, identifier, facts, options, say):
    listed = content(profile)
    if listed is None:
        say("profile", "is not signed by whom it names")
        return
    granted = listed["Entitlements"]
    team = listed["TeamIdentifier"][0]
    for one in facts:
        if one.message and one.message.leaf.raw not in listed["DeveloperCertificates"]:
            say("profile", "does not have the certificate of the signature")
        if one.message and one.message.leaf.names.get("OU") != team:
            say("profile", "is for another team than the certificate")
        if one.claimed is None:
            continue
        _check_identifier(one.claimed, granted, identifier, say)
        for key, claim in one.claimed.items():
            if key not in granted:
                say("granted", f"{key} is claimed and not granted")
            elif not entitlements.grants(granted[key], claim):
                say("granted", f"{key} is claimed with a value that is not granted")
        if one.claimed.get("com.apple.developer.team-identifier", team) != team:
            say("granted", "the team of the entitlements is not that of the profile")
        if options.current:
            _check_expanded(one.claimed, say)
    if options.at:
        ends = listed["ExpirationDate"].replace(tzinfo=datetime.timezone.utc)
        if options.at > ends:
            say("dates", f"the profile ended on {ends:%Y-%m-%d}")


def _check_identifier(claimed, granted, identifier, say):
    application = claimed.get("application-identifier")
    if not application or application.split(".", 1)[1] != identifier:
        say("granted", "application-identifier is not that of the bundle")
    elif not entitlements.grants(granted["application-identifier"], application):
        say("granted", "application-identifier is not one of the profile's")


def _check_expanded(claimed, say):
    """Xcode leaves no wildcards in the entitlements that it signs, except for associated domains."""
    for key in ("keychain-access-groups", "com.apple.security.application-groups"):
        values = claimed.get(key, [])
        if any("*" in value for value in values if isinstance(value, str)):
            say("granted", f"{key} still has a wildcard")
