# Adapts shell_quote of String::ShellQuote.
use strict;
use warnings;
use String::ShellQuote ();

binmode STDIN;
binmode STDOUT;
$| = 1;
print "argvdiff-adapter 1 quoter String::ShellQuote $String::ShellQuote::VERSION\n";
while (my $line = <STDIN>) {
    my ($id, undef, $length) = split ' ', $line;
    read STDIN, my $text, $length + 1;
    chop $text;
    my $kind = 't';
    my $body = eval { String::ShellQuote::shell_quote($text) };
    ($kind, $body) = ('n', "$@") unless defined $body;
    print "$id $kind " . length($body) . "\n$body\n";
}
