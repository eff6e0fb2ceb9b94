#!/bin/sh
# The life of the Debian package: installed, used, upgraded, purged, installed again, erased.
#
# usage: deb.sh OLD.deb NEW.deb LETTERS.mbox
# For a machine or a chroot that may be thrown away: it runs as root and ends by erasing /var/lib/pdpp.
set -eu

old=$1 new=$2 letters=$3
if dpkg-query --show pdpp >/dev/null 2>&1 || [ -e /var/lib/pdpp ]; then
    echo "pdpp is or was installed here; this would erase its data" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
server=

fail() { echo "FAIL  $*" >&2; exit 1; }
ok() { echo "ok    $*"; }
as_service() { setpriv --reuid pdpp --regid pdpp --clear-groups env PDPP_DATA_DIR=/var/lib/pdpp "$@"; }
exec_as_service() { exec setpriv --reuid pdpp --regid pdpp --clear-groups env PDPP_DATA_DIR=/var/lib/pdpp "$@"; }
installed_version() { dpkg-query --show --showformat '${Version}' pdpp; }
stop() { [ -z "$server" ] || { kill "$server"; wait "$server" || true; server=; }; }
trap stop EXIT

# What the unit starts, by its own line and settings, where no service manager runs.
start() {
    if [ -d /run/systemd/system ]; then
        systemctl is-active --quiet pdpp || fail "the service does not run"
    else
        . /etc/default/pdpp
        line=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/pdpp.service)
        # The program itself must be the job, so that stopping the job stops it.
        # shellcheck disable=SC2046,SC2086
        exec_as_service $(eval "echo $line") >/tmp/pdpp-serve.log 2>&1 &
        server=$!
    fi
    tries=0
    until pdpp health http://127.0.0.1:7711 >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ "$tries" -lt 100 ] || { cat /tmp/pdpp-serve.log; fail "the server is not ready"; }
        sleep 0.1
    done
}

apt-get install --yes --no-install-recommends "$old" >/dev/null 2>&1 || dpkg --install "$old"
[ "$(stat -c '%U:%G %a' /var/lib/pdpp)" = "pdpp:pdpp 700" ] || fail "the data directory is open"
[ "$(id -u pdpp)" -lt 1000 ] || fail "pdpp is no system user"
for file in /usr/share/man/man1/pdpp-serve.1.gz /usr/share/bash-completion/completions/pdpp \
    /usr/share/zsh/vendor-completions/_pdpp /usr/share/fish/vendor_completions.d/pdpp.fish \
    /usr/share/doc/pdpp/copyright /usr/lib/systemd/system/pdpp.service /etc/default/pdpp; do
    [ -f "$file" ] || fail "$file is missing"
done
dpkg --verify pdpp || fail "installed files differ from the package"
ok "installed $(installed_version)"

sed -i 's/^PDPP_SERVE_OPTIONS=.*/PDPP_SERVE_OPTIONS="--listen 127.0.0.1:7711"/' /etc/default/pdpp
[ ! -d /run/systemd/system ] || systemctl restart pdpp
start
chmod a+r "$letters"
as_service pdpp import mbox "$letters" --connection work-mail >/dev/null
count() { as_service pdpp connection list --json | tr -d '[:space:]'; }
before=$(count)
case $before in *work-mail*) ok "serves and takes an import" ;; *) fail "no connection: $before" ;; esac

dpkg --install "$new" >/dev/null
stop
start
[ "$(count)" = "$before" ] || fail "an upgrade changed the data"
grep -q 7711 /etc/default/pdpp || fail "an upgrade lost the settings"
ok "upgraded to $(installed_version) with data and settings"

stop
dpkg --purge pdpp >/dev/null 2>&1
[ -f /var/lib/pdpp/pdpp.sqlite ] || fail "a purge erased the data"
[ ! -e /etc/default/pdpp ] || fail "a purge left the settings"
getent passwd pdpp >/dev/null || fail "the data belongs to nobody"
ok "purged, and the data stayed"

dpkg --install "$new" >/dev/null
[ "$(count)" = "$before" ] || fail "a new installation does not find the data"
ok "installed again on the same data"

echo "pdpp pdpp/erase-data boolean true" | debconf-set-selections
dpkg --purge pdpp >/dev/null 2>&1
[ ! -e /var/lib/pdpp ] || fail "the data stayed although it was to go"
! getent passwd pdpp >/dev/null || fail "the user stayed without data"
ok "purged and erased, as asked"
