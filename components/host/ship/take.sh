#!/bin/sh
# Lets this node's Docker pull an image from serve.py on another node: `sh -s -- ADDRESS PORT DIGEST TAG`; stdin: the token.
# Docker speaks plain HTTP to 127.0.0.0/8 alone, unless it is told otherwise: so a door there leads to the sender's
# fabric address, and no daemon has to be configured. Perl, because every Debian and Ubuntu has it.
# Exit codes: 66 the sender cannot be reached (any more), else Docker's. Nothing listens when this ends.
set -eu
address=$1 port=$2 digest=$3 tag=$4
read -r token
command -v perl >/dev/null || {
    echo "there is no perl, which takes the image in" >&2
    exit 1
}
# The names under which a killed run left an image.
docker image ls --digests --filter 'reference=127.0.0.1:*/spark-vllm-ship/*' --format '{{.Repository}}@{{.Digest}}' |
    while read -r left; do docker image rm "$left" >/dev/null 2>&1 </dev/null || :; done

# shellcheck disable=SC2016 # the dollar signs are Perl's
exec perl -e '
use strict;
use IO::Select;
use IO::Socket::INET;
use POSIX qw(WNOHANG _exit);
use Socket qw(SOL_SOCKET SO_KEEPALIVE IPPROTO_TCP);

my ($address, $port, $token, $digest, $tag) = @ARGV;
$SIG{PIPE} = "IGNORE";

# A connection that is dead is noticed within half a minute, also while nothing is on its way.
sub sender {
    my $to = IO::Socket::INET->new(PeerAddr => $address, PeerPort => $port, Timeout => 10) or return;
    setsockopt $to, SOL_SOCKET, SO_KEEPALIVE, pack("l", 1);
    # TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT
    setsockopt $to, IPPROTO_TCP, $_->[0], pack("l", $_->[1]) for [4, 10], [5, 5], [6, 4];
    return $to;
}

sub unreachable {
    print STDERR "cannot reach $address: $_[0]\n";
    exit 66;
}

# One connection of Docker: what either side says goes to the other, until one has ended.
sub relay {
    my ($docker) = @_;
    my $to = sender() or _exit(66);
    my $select = IO::Select->new($docker, $to);
    while (1) {
        for my $from ($select->can_read) {
            my $n = sysread($from, my $data, 1 << 20);
            next if !defined $n && $!{EINTR};
            _exit($from == $to && !defined $n && !$!{ECONNRESET} ? 66 : 0) unless $n;
            my $other = $from == $to ? $docker : $to;
            for (my $at = 0; $at < $n;) {
                my $written = syswrite $other, $data, $n - $at, $at;
                next if !defined $written && $!{EINTR};
                _exit(0) unless defined $written;
                $at += $written;
            }
        }
    }
}

close(sender() or unreachable($!));
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 0, Listen => 32)
    or die "cannot listen on 127.0.0.1: $!\n";
my $name = "127.0.0.1:" . $server->sockport . "/spark-vllm-ship/$token\@$digest";
my $pull = fork // die "cannot run docker: $!\n";
if (!$pull) { exec "docker", "pull", $name or die "cannot run docker: $!\n" }
my (%relays, $code, $lost);
my $doors = IO::Select->new($server);
while (!defined $code) {
    while ((my $child = waitpid(-1, WNOHANG)) > 0) {
        if ($child == $pull) { $code = $? & 127 ? 143 : $? >> 8 }
        elsif (delete $relays{$child} && $? >> 8 == 66 && !$lost++) { kill "TERM", $pull }
    }
    next if defined $code || !$doors->can_read(0.1);
    my $docker = $server->accept or next;
    my $child = fork // next;
    if (!$child) { close $server; relay($docker) }
    $relays{$child} = 1;
}
kill "TERM", keys %relays;
unreachable("it does not answer any more") if $lost;
exit $code if $code;
# The name that matters comes last: until then nothing has changed for anybody.
system("docker", "tag", $name, $tag) == 0 or exit 1;
exit(system("docker", "image", "rm", $name) == 0 ? 0 : 1);
' -- "$address" "$port" "$token" "$digest" "$tag"
