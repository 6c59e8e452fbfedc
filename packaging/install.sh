#!/bin/sh
# Installs ota from this folder, and its service on systems with systemd.
#
#   sudo ./install.sh                     installs into /usr/local, with the service
#   ./install.sh --prefix ~/.local        installs only the program, its manual and completions
#   sudo ./install.sh --remove            removes the installed files; the store in /var/lib/ota is kept
set -eu
cd "$(dirname "$0")"

prefix=/usr/local
remove=
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix)
      [ $# -ge 2 ] && [ -n "$2" ] || { echo "--prefix needs a folder" >&2; exit 64; }
      prefix=$2
      shift 2
      ;;
    --remove) remove=1; shift ;;
    -h | --help) sed -n '2,6p' "$0" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) echo "unknown option $1; see ./install.sh --help" >&2; exit 64 ;;
  esac
done
case "$prefix" in /*) ;; *) echo "--prefix needs an absolute path: $prefix" >&2; exit 64 ;; esac

files=$(cd root/usr && find . -type f ! -path './lib/systemd/*' | sed 's|^\./||' | LC_ALL=C sort)
service=
[ "$prefix" = /usr/local ] && [ "$(id -u)" -eq 0 ] && service=1

if [ -n "$remove" ]; then
  if [ -n "$service" ] && [ -f /etc/systemd/system/ota.service ]; then
    if [ -d /run/systemd/system ]; then systemctl disable --now ota || true; fi
    rm -f /etc/systemd/system/ota.service
    if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
  fi
  echo "$files" | while read -r file; do rm -f "$prefix/$file"; done
  echo "Removed ota. The store in /var/lib/ota, /etc/default/ota and the user ota were kept."
  exit 0
fi

# Check everything before writing anything.
missing=$(LC_ALL=C ldd root/usr/bin/ota 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p')
if [ -n "$missing" ]; then
  echo "These libraries are missing; install them and try again:" >&2
  echo "$missing" | sed 's/^/  /' >&2
  echo "On Debian and Ubuntu: apt-get install libssl3 zlib1g libstdc++6 ca-certificates" >&2
  exit 1
fi
root/usr/bin/ota --version >/dev/null || { echo "ota does not run on this machine" >&2; exit 1; }
mkdir -p "$prefix" 2>/dev/null && [ -w "$prefix" ] || {
  echo "Cannot write to $prefix: run as root, or pass another folder with --prefix" >&2
  exit 1
}

echo "$files" | while read -r file; do
  mkdir -p "$prefix/$(dirname "$file")"
  mode=644
  case "$file" in bin/*) mode=755 ;; esac
  # A running program's file cannot be overwritten (ETXTBSY), but it can be replaced by a rename.
  cp "root/usr/$file" "$prefix/$file.new"
  chmod "$mode" "$prefix/$file.new"
  mv "$prefix/$file.new" "$prefix/$file"
done
echo "Installed $("$prefix/bin/ota" --version) as $prefix/bin/ota."

[ -n "$service" ] || exit 0
if ! id ota >/dev/null 2>&1; then
  useradd --system --user-group --home-dir /var/lib/ota --no-create-home \
    --shell /usr/sbin/nologin ota
fi
mkdir -p /var/lib/ota
chown ota:ota /var/lib/ota
chmod 700 /var/lib/ota
mkdir -p /etc/default
[ -e /etc/default/ota ] || cp root/etc/default/ota /etc/default/ota
[ -d /etc/systemd/system ] || exit 0
sed "s|/usr/bin/ota|$prefix/bin/ota|" root/usr/lib/systemd/system/ota.service \
  >/etc/systemd/system/ota.service
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
echo "Set the server's URL in /etc/default/ota, then run: systemctl enable --now ota"
