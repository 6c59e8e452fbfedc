# Prints the version of this checkout as `ota version --ci` does, for a Mac without ota.
# Copy this file to .ota/version.sh in the app's repository. It needs git, awk and the whole history.
#
#   version=$(sh .ota/version.sh)
#   eval "$version"
#   xcodebuild archive … MARKETING_VERSION="$MARKETING_VERSION" CURRENT_PROJECT_VERSION="$BUILD_NUMBER"
#
# OTA_TAG is the tag of a manual run, OTA_PREFIX the prefix of this app's tags: browsey/.
set -eu
fail() {
  echo "version.sh: $1" >&2
  exit 1
}

# What was pushed. A branch is a dev build even if its commit has a tag.
named=${OTA_TAG:-}
reference=
pushed() {
  if [ -n "${1:-}" ]; then
    reference=refs/tags/$1
  elif [ -n "${2:-}" ]; then
    reference=refs/heads/$2
  fi
}
if [ -n "$named" ]; then
  if [ "$named" = dev ]; then pushed "" dev; else pushed "$named"; fi
elif [ "${GITHUB_ACTIONS:-}" = true ]; then # also Gitea and Forgejo
  reference=${GITHUB_REF:-}
elif [ "${GITLAB_CI:-}" = true ]; then
  pushed "${CI_COMMIT_TAG:-}" "${CI_COMMIT_REF_NAME:-}"
elif [ "${JENKINS_URL+is set}" ]; then
  pushed "${TAG_NAME:-}" "${BRANCH_NAME:-}"
elif [ "${BITRISE_IO:-}" = true ]; then
  pushed "${BITRISE_GIT_TAG:-}" "${BITRISE_GIT_BRANCH:-}"
elif [ "${CI_XCODE_CLOUD:-}" = TRUE ]; then
  pushed "${CI_TAG:-}" "${CI_BRANCH:-}"
fi

shallow=$(git rev-parse --is-shallow-repository) || fail "this folder is not a git checkout"
[ "$shallow" = false ] || fail "this clone lacks part of its history, which the build number counts: \
fetch all commits and tags (GitHub: fetch-depth: 0; GitLab: GIT_DEPTH: 0; elsewhere: \
git fetch --unshallow --tags)"
commit=$(git rev-parse --verify --quiet 'HEAD^{commit}') || fail "the checkout has no commit yet"
count=$(git rev-list --count "$commit" --)
here=$(git for-each-ref --points-at="$commit" --format='here %(refname)' refs/tags/)
before=$(git for-each-ref --merged="$commit" --format='before %(refname)' refs/tags/)

printf '%s\n%s\n' "$here" "$before" |
  REFERENCE=$reference PREFIX=${OTA_PREFIX:-} COMMIT=$commit COUNT=$count LC_ALL=C awk '
# The characters that a tag may have, and the rules of git.
function isName(text) {
  return text != "" && length(text) <= 200 && text !~ /[^A-Za-z0-9._+\/@-]/ && text !~ /^[-\/]/ &&
    text != "@" && text !~ /\.\.|\/\/|[.\/]$|^\.|\/\.|\.lock\/|\.lock$/
}
function isParts(text) { return text ~ /^[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*$/ }

# Reads 1.2.3-beta.4+5 as version number `at`: one to three numbers, no leading zeros.
function isVersion(text, at,    place, parts, count, i) {
  if (text ~ /^[vV]/) text = substr(text, 2)
  if (length(text) > 128) return 0
  VERSION[at] = text
  PRE[at] = ""
  if (place = index(text, "+")) {
    if (!isParts(substr(text, place + 1))) return 0
    text = substr(text, 1, place - 1)
  }
  if (place = index(text, "-")) {
    PRE[at] = substr(text, place + 1)
    if (!isParts(PRE[at])) return 0
    count = split(PRE[at], parts, ".")
    for (i = 1; i <= count; i++) if (parts[i] ~ /^0[0-9]+$/) return 0
    text = substr(text, 1, place - 1)
  }
  if (text !~ /^[0-9]+(\.[0-9]+)?(\.[0-9]+)?$/) return 0
  count = split(text, parts, ".")
  for (i = 1; i <= count; i++) if (length(parts[i]) > 9 || parts[i] ~ /^0[0-9]/) return 0
  for (i = 1; i <= 3; i++) NUMBER[at, i] = i <= count ? parts[i] + 0 : 0
  return 1
}

# Whether version `a` comes before `b`: semantic versioning, section 11; then by name.
function precedes(a, b,    i, left, right, n, m, x, y, isLeft, isRight) {
  for (i = 1; i <= 3; i++) {
    if (NUMBER[a, i] != NUMBER[b, i]) return NUMBER[a, i] < NUMBER[b, i]
  }
  if (PRE[a] == PRE[b]) return "x" NAME[a] < "x" NAME[b]
  if (PRE[a] == "" || PRE[b] == "") return PRE[b] == ""
  n = split(PRE[a], left, ".")
  m = split(PRE[b], right, ".")
  for (i = 1; i <= n && i <= m; i++) {
    x = "x" left[i]
    y = "x" right[i]
    if (x == y) continue
    isLeft = x ~ /^x[0-9]+$/
    isRight = y ~ /^x[0-9]+$/
    if (isLeft != isRight) return isLeft
    if (isLeft && length(x) != length(y)) return length(x) < length(y)
    return x < y
  }
  return n < m
}

# The highest version of a kind of tags; tags without a prefix come first. 0: none, -1: several apps.
function released(kind,    i, best, plain, several) {
  for (i = 1; i <= total; i++) {
    if (KIND[i] == kind && prefix == "" && FOLDER[i] == "") plain = 1
  }
  for (i = 1; i <= total; i++) {
    if (KIND[i] != kind || plain && FOLDER[i] != "") continue
    if (best && FOLDER[i] != FOLDER[best]) several = 1
    if (!best || precedes(best, i)) best = i
  }
  return several ? -1 : best + 0
}
function folder(name) { return match(name, /.*\//) ? substr(name, 1, RLENGTH) : "" }
function add(kind, name, start) {
  if (substr(name, 1, length(start)) != start) return 0
  if (!isVersion(substr(name, length(start) + 1), total + 1)) return 0
  total++
  KIND[total] = kind
  NAME[total] = name
  FOLDER[total] = start
  return total
}
function channel(text) {
  if (text == "") return "stable"
  sub(/\..*/, "", text)
  text = substr(tolower(text), 1, 63)
  sub(/[^a-z]+$/, "", text)
  sub(/^-+/, "", text)
  return text == "" || text == "stable" ? "pre" : text
}
function fail(text) {
  print "version.sh: " text | "cat >&2"
  close("cat >&2")
  failed = 1
  exit 1
}

BEGIN {
  prefix = ENVIRON["PREFIX"]
  reference = ENVIRON["REFERENCE"]
  isTag = reference ~ /^refs\/tags\//
  name = isTag ? substr(reference, 11) : ""
  if (prefix != "" && !isName(prefix "v1.0.0")) fail("OTA_PREFIX cannot begin the name of a tag: " prefix)
  if (isTag && !isName(name)) fail("the name of the tag has characters other than letters, digits and . _ + - / @: " name)
}
$2 ~ /^refs\/tags\// {
  tag = substr($0, index($0, " ") + 11)
  if (isName(tag)) add($1, tag, prefix == "" ? folder(tag) : prefix)
}
END {
  if (failed) exit 1
  if (isTag) {
    chosen = add("named", name, prefix == "" ? folder(name) : prefix)
    if (!chosen) fail("the tag " name " names no version: tag the commit as " prefix "v1.2.3")
  } else if (reference == "") {
    chosen = released("here")
    if (chosen < 0) fail("the commit is tagged for several apps: set OTA_PREFIX to browsey/ or another prefix")
  }
  base = chosen ? chosen : released("before")
  print "TAG=" (chosen ? NAME[chosen] : "dev")
  print "VERSION=" (chosen ? VERSION[chosen] : "dev")
  print "MARKETING_VERSION=" (base > 0 ? NUMBER[base, 1] "." NUMBER[base, 2] "." NUMBER[base, 3] : "0.0.0")
  print "BUILD_NUMBER=" ENVIRON["COUNT"]
  print "CHANNEL=" (chosen ? channel(PRE[chosen]) : "dev")
  print "COMMIT=" ENVIRON["COMMIT"]
}
'
