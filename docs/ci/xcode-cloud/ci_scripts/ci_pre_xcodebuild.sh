#!/bin/sh
# Gives the project the version of its git tag before Xcode Cloud archives it. Copy this file to
# ci_scripts/ next to the project, and version.sh to .ota/version.sh in the app's repository.
set -eu
if [ "${CI_XCODEBUILD_ACTION:-}" != archive ]; then exit 0; fi
cd "$CI_PRIMARY_REPOSITORY_PATH"

# The clone has one commit; the build number counts all of them.
if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
  git fetch --quiet --unshallow --tags
else
  git fetch --quiet --tags
fi
version=$(sh .ota/version.sh)
eval "$version"

# Xcode Cloud takes no settings for its own xcodebuild, so they are written into the project.
settings=App.xcodeproj/project.pbxproj
sed -e "s/\([[:space:]]MARKETING_VERSION = \)[^;]*;/\1$MARKETING_VERSION;/" \
  -e "s/\([[:space:]]CURRENT_PROJECT_VERSION = \)[^;]*;/\1$BUILD_NUMBER;/" \
  "$settings" > "$settings.new"
mv "$settings.new" "$settings"
if ! grep -q "MARKETING_VERSION = $MARKETING_VERSION;" "$settings"; then
  echo "$settings does not set MARKETING_VERSION: change the .xcconfig or Info.plist that does" >&2
  exit 1
fi
