# Whether TCP ports of this node and of others open over the fabric, while every node runs this at once. Arguments:
#   seconds=N from=ADDRESS guests=NODES listen=ADDRESS:PORT… connect=ADDRESS:PORT…
# Each listen waits for as many nodes as `guests`, so that nobody is refused who comes late; a node counts once, however
# often it comes, and whoever of it comes.
# Prints `open|refused|silent ADDRESS PORT` for each connect, `busy ADDRESS PORT` for a listen that was not possible.
# Status 69: there is no Perl. It is part of every Debian and Ubuntu, which Python and netcat are not.
# shellcheck shell=sh
command -v perl >/dev/null || exit 69
# shellcheck disable=SC2016 # the dollar signs are perl's
exec perl -e '
use strict; use Socket; use Errno qw(EINPROGRESS); use Fcntl; use IO::Select;
my (%one, @listen, @connect);
for (@ARGV) {
    my ($name, $value) = split /=/, $_, 2;
    my ($address, $port) = split /:/, $value;
    if ($name eq "listen") { push @listen, [$address, $port] }
    elsif ($name eq "connect") { push @connect, { address => $address, port => $port, state => "silent", at => 0 } }
    else { $one{$name} = $value }
}
my $end = time + $one{seconds};
my ($read, $write) = (IO::Select->new, IO::Select->new);
my (%server, %try, %guest, %seen);
my ($accepted, $awaited, $tick) = (0, 0, 0);
sub fresh { socket(my $s, PF_INET, SOCK_STREAM, 0) or die "socket: $!\n"; $s }
for (@listen) {
    my $s = fresh;
    setsockopt $s, SOL_SOCKET, SO_REUSEADDR, 1;
    if (bind($s, pack_sockaddr_in($_->[1], inet_aton($_->[0]))) && listen($s, 64)) {
        $server{$s} = 1; $read->add($s); $awaited += $one{guests};
    } else { print "busy $_->[0] $_->[1]\n" }
}
# A reset leaves no port waiting behind, so the engine finds both ends free.
sub leave { setsockopt $_[0], SOL_SOCKET, SO_LINGER, pack("ii", 1, 0); close $_[0] }
sub attempt {
    my $to = shift;
    my $s = fresh;
    fcntl $s, F_SETFL, fcntl($s, F_GETFL, 0) | O_NONBLOCK;
    bind $s, pack_sockaddr_in(0, inet_aton($one{from}));
    if (connect($s, pack_sockaddr_in($to->{port}, inet_aton($to->{address})))) { $to->{state} = "open"; leave($s) }
    elsif ($! == EINPROGRESS) { $to->{pending} = 1; $try{$s} = $to; $write->add($s) }
    else { $to->{at} = $tick + 2 }
}
while (time < $end) {
    my @open = grep { $_->{state} eq "open" } @connect;
    last if @open == @connect && $accepted >= $awaited;
    for (@connect) { attempt($_) if $_->{state} ne "open" && !$_->{pending} && $tick >= $_->{at} }
    my ($readable, $writable) = IO::Select->select($read, $write, undef, 0.05);
    $tick++ unless $readable || $writable;
    for my $s (@{ $writable || [] }) {
        my $to = delete $try{$s};
        my $error = unpack "i", getsockopt($s, SOL_SOCKET, SO_ERROR);
        $write->remove($s);
        $to->{pending} = 0;
        # The other node may not listen yet: refused counts only when it stays so.
        $to->{state} = $error == 0 ? "open" : "refused";
        $to->{at} = $tick + 2;
        leave($s);
    }
    for my $s (@{ $readable || [] }) {
        if ($server{$s}) {
            my $peer = accept(my $guest, $s) or next;
            my ($port, $address) = unpack_sockaddr_in($peer);
            $accepted++ unless $seen{$s}{$address}++;
            $read->add($guest); $guest{$guest} = $guest;
        } else { $read->remove($s); delete $guest{$s}; leave($s) }
    }
}
print "$_->{state} $_->{address} $_->{port}\n" for @connect;
' "$@"
