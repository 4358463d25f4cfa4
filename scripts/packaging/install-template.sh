#!/bin/sh
# Installs ctxrepo @VERSION@ for this user, on Linux and macOS, after it has compared the archive with its SHA-256.
# Usage: sh install.sh [--prefix DIR] [--from FOLDER-OR-URL]
#   --prefix  where bin/ and share/ are (default: ~/.local)
#   --from    where the archives are (default: @DEFAULT_FROM@)
# Made by scripts/packaging/install-script.ts.
set -eu

version='@VERSION@'
address='@ADDRESS@'

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Sets `target` to the name of this platform.
find_target() {
  system=$(uname -s)
  machine=$(uname -m)
  # A shell that Rosetta translates says x86_64 on Apple silicon.
  if [ "$system" = Darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then machine=arm64; fi
  libc=glibc
  if [ "$system" = Linux ]; then
    case $(ldd --version 2>&1 || :) in *musl*) libc=musl ;; esac
  fi
  case $system-$machine-$libc in
@TARGETS@
    *) fail "there is no executable for $system $machine ($libc)" ;;
  esac
}

# Sets `sum` to the SHA-256 of the target's archive.
find_sum() {
  case $target in
@SUMS@
  esac
}

# Copies or downloads the archive of the target into the folder $1.
fetch() {
  case $from in
    http://* | https://*)
      if has curl; then curl --fail --location --silent --show-error --output "$1/$archive" "$from/$archive"
      elif has wget; then wget -q -O "$1/$archive" "$from/$archive"
      else fail 'there is neither curl nor wget'; fi || fail "$from/$archive cannot be downloaded" ;;
    *)
      [ -f "$from/$archive" ] || fail "there is no $archive in $from"
      cp "$from/$archive" "$1/$archive" ;;
  esac
}

sha256_of() {
  if has sha256sum; then sha256sum "$1"
  elif has shasum; then shasum -a 256 "$1"
  elif has openssl; then openssl dgst -r -sha256 "$1"
  else fail 'there is neither sha256sum nor shasum nor openssl to check the archive'; fi | cut -d ' ' -f 1
}

main() {
  prefix=${HOME:?}/.local
  from=$address
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix | --from) [ $# -ge 2 ] || fail "$1 needs a value" ;;
      *) fail "unknown argument: $1; usage: sh install.sh [--prefix DIR] [--from FOLDER-OR-URL]" ;;
    esac
    case $1 in --prefix) prefix=$2 ;; --from) from=$2 ;; esac
    shift 2
  done
  if [ -z "$from" ]; then from=$(cd "$(dirname "$0")" && pwd); fi

  find_target
  find_sum
  folder=ctxrepo-$version-$target
  archive=$folder.tar.gz
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$work"
  found=$(sha256_of "$work/$archive")
  [ "$found" = "$sum" ] || fail "$archive is not the one of this release: its SHA-256 is $found, not $sum"
  tar -xzf "$work/$archive" -C "$work"

  mkdir -p "$prefix/bin"
  # Beside the old one, then in its place: a running server keeps its file.
  cp "$work/$folder/ctxrepo" "$prefix/bin/.ctxrepo-new"
  chmod 755 "$prefix/bin/.ctxrepo-new"
  # The signature of the executable for Intel Macs is that of the Bun runtime, which is not valid for the larger file.
  if [ "$target" = darwin-x64 ]; then codesign --force --sign - "$prefix/bin/.ctxrepo-new"; fi
  mv -f "$prefix/bin/.ctxrepo-new" "$prefix/bin/ctxrepo"
  cp -R "$work/$folder/share" "$prefix/"

  printf 'ctxrepo %s is in %s\n' "$version" "$prefix/bin"
  case :$PATH: in
    *":$prefix/bin:"*) printf 'Start it with: ctxrepo serve\n' ;;
    *) printf 'Add %s to PATH, or start it with: %s serve\n' "$prefix/bin" "$prefix/bin/ctxrepo" ;;
  esac
}

# In one piece: a download that was cut short runs nothing.
main "$@"
