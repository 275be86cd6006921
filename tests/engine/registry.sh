#!/bin/sh
# A real registry with TLS and one user, on this node: `sh -s -- ADDRESS`; stdin: the password of `robot`. Prints its
# certificate. Debian's package, unpacked and not installed.
set -eu
address=$1
IFS= read -r PASSWORD
export PASSWORD
mkdir -p /var/lib/spark/registry
cd /var/lib/spark/registry
if [ ! -x usr/bin/docker-registry ]; then
    apt-get update -qq >&2
    apt-get download -qq docker-registry >&2
    dpkg-deb -x docker-registry_*.deb .
fi
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=registry -addext "subjectAltName=IP:$address" \
    -keyout key.pem -out cert.pem 2>/dev/null
# shellcheck disable=SC2016 # Perl's dollar signs
perl -e 'print "robot:", crypt($ENV{PASSWORD}, "\$2y\$05\$abcdefghijklmnopqrstuu"), "\n"' >htpasswd
cat >config.yml <<END
version: 0.1
log: {level: error}
storage: {filesystem: {rootdirectory: /var/lib/spark/registry/data}}
http: {addr: "$address:5000", tls: {certificate: cert.pem, key: key.pem}}
auth: {htpasswd: {realm: test, path: htpasswd}}
END
unset PASSWORD
setsid usr/bin/docker-registry serve config.yml >log 2>&1 </dev/null &
echo $! >pid
tries=0
until openssl s_client -connect "$address:5000" </dev/null >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || {
        cat log >&2
        exit 1
    }
    sleep 0.1
done
cat cert.pem
