set -eu
: "${OTA_SERVER:?names the server to publish to}"
rm -f ota.env ota.md ota.xml
version=$(ota version --ci --tag "${OTA_TAG:-}" --prefix "${OTA_PREFIX:-}" --shell)
eval "$version"
set -- --tag "$TAG" --commit "$COMMIT" --channel "${OTA_CHANNEL:-$CHANNEL}" --notes -
set -- "$@" ${OTA_EXPIRES:+--expires "$OTA_EXPIRES"}
set -- "$@" --outputs "${GITHUB_OUTPUT:-ota.env}" --summary "${GITHUB_STEP_SUMMARY:-ota.md}"
printf %s "$NOTES" | ota publish "$OTA_IPA" "$@" --junit ota.xml
