#!/bin/sh
# Sends what a command prints to other nodes, once, over TCP: one reader of the command, any number of receivers.
# `sh -s -- ADDRESS RECEIVERS JOIN_SECONDS STALL_SECONDS COMMAND…`; stdin: the token, then names of members to leave out
# when the command prints a tar archive. Listens on that address alone, on a free port, until all have joined or the
# time is over. The stream ends in its own sha256, 64 hex digits. Perl, because every Debian and Ubuntu has it.
# Prints: listening PORT, joined NODE, closed, sent BYTES (each second), lost NODE WHY, done BYTES.
command -v perl >/dev/null || {
    echo "there is no perl, which sends the image" >&2
    exit 1
}
# shellcheck disable=SC2016 # the dollar signs are Perl's
exec perl -e '
use strict;
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_SNDTIMEO);

my ($address, $receivers, $join, $stall, @command) = @ARGV;
chomp(my ($token, @left_out) = <STDIN>);
my %left_out = map { $_ => 1 } @left_out;
my ($sent, $said) = (0, 0);
my %peers;
$SIG{PIPE} = "IGNORE";
$| = 1;

# Whoever connects has five seconds to say the token and its name.
sub greeting {
    my ($peer) = @_;
    my $line = "";
    my $until = time + 5;
    while ($line !~ /\n/ && length($line) < 200) {
        my $in = "";
        vec($in, fileno($peer), 1) = 1;
        return unless $until > time && select($in, undef, undef, $until - time);
        return unless sysread($peer, $line, 1, length $line);
    }
    return $line =~ /^\Q$token\E (\S+)\n/ ? $1 : undef;
}

my $server = IO::Socket::INET->new(LocalAddr => $address, LocalPort => 0, Listen => $receivers + 4)
    or die "cannot listen on $address: $!\n";
print "listening ", $server->sockport, "\n";
my $until = time + $join;
while (keys %peers < $receivers && $until > time) {
    my $in = "";
    vec($in, fileno($server), 1) = 1;
    next unless select($in, undef, undef, 1);
    my $peer = $server->accept or next;
    my $name = greeting($peer);
    next if !defined $name || $peers{$name};
    setsockopt($peer, SOL_SOCKET, SO_SNDTIMEO, pack("l!l!", $stall, 0));
    $peers{$name} = $peer;
    print "joined $name\n";
}
close $server;
print "closed\n";
die "no receiver joined within $join s\n" unless %peers;

# A process of its own, so that it takes another core; perl-base has no module for it.
pipe(my $summed, my $sum) or die;
my $summing = open(my $digest, "-|") // die "cannot run sha256sum: $!\n";
if (!$summing) {
    open STDIN, "<&", $summed;
    $SIG{PIPE} = "DEFAULT"; # where the sender ends early, nobody wants the sum: no word about it
    exec "sha256sum" or die "cannot run sha256sum: $!\n";
}
close $summed;
fcntl($sum, 1031, 1 << 20); # F_SETPIPE_SZ: fewer, larger writes
# Else Perl waits at its end for sha256sum, which waits for more.
END { close $sum if $sum }

sub out {
    for my $name (sort keys %peers) {
        my $at = 0;
        while ($at < length $_[0]) {
            my $n = syswrite($peers{$name}, $_[0], length($_[0]) - $at, $at);
            if (!defined $n) {
                next if $!{EINTR};
                print "lost $name ", ($!{EAGAIN} ? "it took nothing for $stall s" : "$!"), "\n";
                close delete $peers{$name};
                last;
            }
            $at += $n;
        }
    }
    exit 1 unless %peers;
    return unless $sum;
    syswrite($sum, $_[0]) == length $_[0] or die "sha256sum ended early\n";
    $sent += length $_[0];
    if (time > $said) {
        $said = time;
        print "sent $sent\n";
    }
}

my $pid = open(my $source, "-|", @command) or die "cannot run $command[0]: $!\n";
fcntl($source, 1031, 1 << 20);

# Hands on $left bytes in blocks, or drops them.
sub pass {
    my ($left, $drop) = @_;
    while ($left > 0) {
        my $n = sysread($source, my $block, $left < 1 << 20 ? $left : 1 << 20);
        return unless $n;
        out($block) unless $drop;
        $left -= $n;
    }
}

sub take {
    my ($want) = @_;
    my $data = "";
    while (length $data < $want) {
        sysread($source, $data, $want - length $data, length $data) or last;
    }
    return $data;
}

# A tar archive: headers of 512 bytes, each followed by its content in whole blocks of 512.
sub filter {
    my ($held, $long) = ("", undef);
    while (length(my $header = take(512)) == 512) {
        my ($name, $size, $type) = unpack "Z100 x24 a12 x20 a1", $header;
        # Above 8 GiB: binary, or in an extended header.
        $size = ord($size) & 128 ? unpack("Q>", substr($size, 4)) : oct($size =~ s/[^0-7]//gr || 0);
        if ($type =~ /[xgLK]/) {
            my $body = take(($size + 511) & ~511);
            $long = $1 if $type eq "x" && $body =~ /(?:^|\n)\d+ size=(\d+)\n/;
            $held .= $header . $body;
            next;
        }
        $size = $long if defined $long;
        my $drop = $left_out{$name};
        out($held . $header) unless $drop;
        pass(($size + 511) & ~511, $drop);
        ($held, $long) = ("", undef);
    }
}

%left_out ? filter() : pass(9e15);
close $source;
die "$command[0] ended with code " . ($? >> 8) . "\n" if $?;
close $sum;
undef $sum;
out(substr(<$digest>, 0, 64));
close $_ for values %peers;
print "done $sent\n";
' -- "$@"
