#!/usr/bin/env bash
# The Debian package: reproducible, complete, and working in a root that holds nothing except what it depends on.
# Usage: debian_test.sh BUILD_DIR SOURCE_DIR PYTHON [--debootstrap]: with it, the root is a new Debian 12 from the network.
set -u
build=$1 way=${4:-}
set -- "$1/lanecheck" "$2" "$3"
. "$2/fuzz/command/expect.sh"
export SOURCE_DATE_EPOCH=1790000000
for n in 1 2; do
  (umask 022; cd "$build" && cpack -G DEB -B "$work/$n") >"$work/cpack" 2>&1 || { cat "$work/cpack"; exit 1; }
  sleep 1.1  # another second on the clock
done
deb=$(echo "$work"/1/*.deb)
cmp "$deb" "$work"/2/*.deb || { echo "FAILED: two builds are not the same bytes"; failed=1; }
sha256sum "$deb"

dpkg-deb -c "$deb" >"$work/list"
for file in bin/lanecheck include/lanecheck_plugin.h include/lanecheck/gtest.h share/man/man1/lanecheck-run.1.gz \
  share/bash-completion/completions/lanecheck share/doc/lanecheck/copyright share/doc/lanecheck/changelog.Debian.gz \
  share/lanecheck/report.schema.json; do
  expect 0 "./usr/$file" cat "$work/list"
done
expect 1 "" grep -v "root/root" "$work/list"
expect 0 "libsqlite3-0" dpkg-deb -f "$deb" Depends
if command -v lintian >/dev/null; then  # neither errors nor warnings, except that there is no address and no bug to name
  expect 0 "" lintian --allow-root --fail-on error,warning --suppress-tags \
    bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs,pkg-config-unavailable-for-cross-compilation "$deb"
fi

[ "$(id -u)" -eq 0 ] || { echo "not root: no empty root is made"; exit $failed; }
root=$work/root
if [ "$way" = --debootstrap ]; then
  debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap" 2>&1 || { tail -5 "$work/debootstrap"; exit 1; }
  cp "$deb" "$root/lanecheck.deb"
  chroot "$root" sh -c 'apt-get update -qq && apt-get install -qq -y --no-install-recommends ./lanecheck.deb' >"$work/apt" 2>&1 || { tail -5 "$work/apt"; failed=1; }
else
  # The files and the records of the packages that it depends on, directly or not, as they are on this machine.
  todo=$(dpkg-deb -f "$deb" Depends Pre-Depends) packages=()
  while [ -n "$todo" ]; do
    names=$(tr ',' '\n' <<<"$todo" | sed 's/^[A-Za-z-]*: //; s/|.*//; s/(.*)//; s/:any//; s/ //g' | sort -u)
    todo=
    for name in $names; do
      case " ${packages[*]-} " in *" $name "*) continue ;; esac
      packages+=("$name")
      todo+=$(dpkg-query -W -f '${Depends},${Pre-Depends},' "$name")
    done
  done
  mkdir -p "$root"/{tmp,dev,proc,var/lib/dpkg/{info,updates,triggers}} "$root"/usr/{bin,sbin,lib,lib64}
  for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$root/$folder"; done
  dpkg-query -L "${packages[@]}" | sort -u | while read -r file; do [ -f "$file" ] && echo "${file#/}"; done >"$work/files"
  tar -C / -chf - -T "$work/files" --transform 's,^\(lib\(64\)\?\)/,usr/\1/,' | tar -C "$root" -xf - || exit 1
  dpkg-query -s "${packages[@]}" >"$root/var/lib/dpkg/status"
  for each in "${packages[@]}"; do  # which dpkg takes for installed
    for list in /var/lib/dpkg/info/"$each"{,:amd64}.list; do [ -f "$list" ] && cp "$list" "$root/var/lib/dpkg/info/"; done
  done
  echo "the root holds: ${packages[*]}"
  expect 0 "Setting up lanecheck" dpkg --root="$root" --no-triggers -i "$deb"
fi
finish_without_proc() {  # status; `finish` removes $work as root, so nothing may be mounted in it
  umount -l "$root/proc"
  if mountpoint -q "$root/proc"; then
    echo "FAILED: $root/proc is still mounted, so $work is not removed"
    exit 1
  fi
  finish "$1"
}
mount -t proc proc "$root/proc" 2>/dev/null && trap 'finish_without_proc $?' EXIT
[ -e "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
expect 0 "lanecheck " chroot "$root" /usr/bin/lanecheck --version
expect 0 "1,000 of 1,000 cases" chroot "$root" /usr/bin/lanecheck run --cases 1000
expect 1 "VMC-3.2-cadd-zero" chroot "$root" /usr/bin/lanecheck run --cases 1000 --backend wrong:cadd-keeps-dst
expect 0 "conforms" chroot "$root" /usr/bin/lanecheck replay /usr/share/lanecheck/corpus/VMC-3.2-cadd-zero
exit $failed
