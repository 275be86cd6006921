#!/bin/sh
# Takes what serve.sh on another node sends into a command: `sh -s -- ADDRESS PORT NODE COMMAND…`; stdin: the token.
# The stream ends in its own sha256. The last MiB is held back until that is seen to be right: an archive without its
# end is none, so the command is ended before it could accept a damaged one. Exit codes: 65 refused, else the command's.
command -v perl >/dev/null || {
    echo "there is no perl, which takes the image in" >&2
    exit 1
}
# shellcheck disable=SC2016 # the dollar signs are Perl's
exec perl -e '
use strict;
use IO::Socket::INET;

my ($address, $port, $node, @command) = @ARGV;
my ($held, $taken, $mib) = ("", 0, 1 << 20);
chomp(my $token = <STDIN>);
$SIG{PIPE} = "IGNORE";
my $from = IO::Socket::INET->new(PeerAddr => $address, PeerPort => $port, Timeout => 10)
    or die "cannot reach $address: $!\n";
syswrite $from, "$token $node\n";

my $pid = open(my $to, "|-", @command) or die "cannot run $command[0]: $!\n";
pipe(my $summed, my $sum) or die;
my $summing = open(my $digest, "-|") // die "cannot run sha256sum: $!\n";
if (!$summing) {
    open STDIN, "<&", $summed;
    $SIG{PIPE} = "DEFAULT"; # where the command ends first, nobody wants the sum: no word about it
    exec "sha256sum" or die "cannot run sha256sum: $!\n";
}
close $summed;
fcntl($_, 1031, $mib) for $to, $sum; # F_SETPIPE_SZ: fewer, larger writes
# Else Perl waits at its end for sha256sum, which waits for more.
END { close $sum if $sum }

sub put {
    my ($pipe) = @_;
    my $at = 0;
    while ($at < length $_[1]) {
        my $n = syswrite($pipe, $_[1], length($_[1]) - $at, $at);
        next if !defined $n && $!{EINTR};
        return unless defined $n;
        $at += $n;
    }
    return 1;
}

# The command has said why on stderr, unless it was killed.
sub ended {
    close $to;
    print STDERR "$command[0] was ended by signal ", $? & 127, "\n" if $? & 127;
    exit(($? >> 8) || 1);
}

while (1) {
    my $n = sysread($from, $held, $mib, length $held);
    next if !defined $n && $!{EINTR};
    last unless $n;
    next if length $held < 2 * $mib;
    my $block = substr($held, 0, length($held) - $mib, "");
    $taken += length $block;
    put($sum, $block) or die "sha256sum ended early\n";
    put($to, $block) or ended();
}
my $right = substr($held, -64, 64, "") if length $held >= 64;
$taken += length $held;
put($sum, $held);
close $sum;
my $seen = substr(<$digest> // "", 0, 64);
if (($right // "") ne $seen) {
    kill "TERM", $pid;
    print STDERR "the stream was refused after $taken bytes: ",
        ($right // "") =~ /^[0-9a-f]{64}$/ ? "its sha256 is $seen, sent was $right\n" : "it broke off\n";
    exit 65;
}
put($to, $held);
ended() unless close $to;
' -- "$@"
