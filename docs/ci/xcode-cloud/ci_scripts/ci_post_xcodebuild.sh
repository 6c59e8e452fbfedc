#!/bin/sh
# Publishes the Ad Hoc IPA that Xcode Cloud exported, with curl, because its Macs have no ota. OTA_SERVER is
# a variable of the workflow, OTA_TOKEN a secret variable.
set -eu
if [ "${CI_XCODEBUILD_ACTION:-}" != archive ]; then exit 0; fi
if [ "${CI_XCODEBUILD_EXIT_CODE:-}" != 0 ]; then exit 0; fi
: "${OTA_SERVER:?names the server to publish to}" "${OTA_TOKEN:?is the token that publishes}"
cd "$CI_PRIMARY_REPOSITORY_PATH"
version=$(sh .ota/version.sh)
eval "$version"
set -- "${CI_AD_HOC_SIGNED_APP_PATH:?the workflow exports no Ad Hoc build}"/*.ipa
ipa=$1

# The changes since the previous tag, as `ota version` writes them.
previous=$(git describe --tags --abbrev=0 "$COMMIT^" 2>/dev/null) || previous=
notes=$(git log --no-merges --max-count=30 --format='- %s' ${previous:+"$previous.."}"$COMMIT")

# Percent-encodes every byte.
encoded() {
  printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'
}
query="commit=$COMMIT&channel=$(encoded "${OTA_CHANNEL:-$CHANNEL}")&notes=$(encoded "$notes")"
query="$query&sha256=$(shasum -a 256 "$ipa" | cut -d ' ' -f 1)"
if [ -n "${OTA_EXPIRES:-}" ]; then query="$query&expires=$(encoded "$OTA_EXPIRES")"; fi
if [ "$TAG" != dev ]; then query="$query&tag=$(encoded "$TAG")"; fi
set --
if [ -n "${OTA_CA_FILE:-}" ]; then set -- --cacert "$OTA_CA_FILE"; fi

# The token is a line of standard input, because all users of a machine can read arguments.
if ! printf 'header = "Authorization: Bearer %s"\n' "$OTA_TOKEN" |
  curl --config - --silent --show-error --fail-with-body --retry 3 --output ota.json \
    --request POST --upload-file "$ipa" "$@" "$OTA_SERVER/api/v1/uploads?$query"; then
  echo "the build was not published:" >&2
  if [ -f ota.json ]; then cat ota.json >&2; fi
  exit 1
fi
sed -n 's/.*"url" *: *"\([^"]*\)".*/Testers install it from \1/p' ota.json
