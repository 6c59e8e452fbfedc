#!/bin/sh
# Publishes the Ad Hoc IPA that Xcode Cloud exported, with curl: its Macs have no ota. OTA_SERVER is a
# variable of the workflow, OTA_TOKEN a secret one.
set -eu
if [ "${CI_XCODEBUILD_ACTION:-}" != archive ]; then exit 0; fi
if [ "${CI_XCODEBUILD_EXIT_CODE:-}" != 0 ]; then exit 0; fi
: "${OTA_SERVER:?names the server to publish to}" "${OTA_TOKEN:?is the token that publishes}"
cd "$CI_PRIMARY_REPOSITORY_PATH"
version=$(sh .ota/version.sh)
eval "$version"
set -- "${CI_AD_HOC_SIGNED_APP_PATH:?the workflow exports no Ad Hoc build}"/*.ipa
ipa=$1

# What changed since the tag before, as `ota version` would write it.
previous=$(git describe --tags --abbrev=0 "$COMMIT^" 2>/dev/null) || previous=
git log --no-merges --max-count=100 --format='- %s' ${previous:+"$previous.."}"$COMMIT" > ota-notes.md

# The token is a line of standard input, because all users of a machine can read arguments.
set -- --url-query "channel=${OTA_CHANNEL:-$CHANNEL}" --url-query "commit=$COMMIT" \
  --url-query notes@ota-notes.md
if [ "$TAG" != dev ]; then set -- "$@" --url-query "tag=$TAG"; fi
if [ -n "${OTA_CA_FILE:-}" ]; then set -- "$@" --cacert "$OTA_CA_FILE"; fi
digest=$(shasum -a 256 "$ipa" | cut -d ' ' -f 1)
if ! printf 'header = "Authorization: Bearer %s"\n' "$OTA_TOKEN" |
  curl --config - --silent --show-error --fail-with-body --retry 3 --output ota.json \
    --request POST --upload-file "$ipa" --url-query "sha256=$digest" "$@" \
    "$OTA_SERVER/api/v1/uploads"; then
  echo "the build is not published:" >&2
  if [ -f ota.json ]; then cat ota.json >&2; fi
  exit 1
fi
sed -n 's/.*"url" *: *"\([^"]*\)".*/Testers install it from \1/p' ota.json
