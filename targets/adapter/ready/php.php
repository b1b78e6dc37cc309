// Adapts escapeshellarg. PHP drops bytes that its locale does not know, so the
// locale is one of UTF-8, as a program that cares would have set it.
setlocale(LC_CTYPE, 'C.UTF-8');
echo 'argvdiff-adapter 1 quoter escapeshellarg ', PHP_VERSION, "\n";
while (($line = fgets(STDIN)) !== false) {
    [$id, , $length] = explode(' ', rtrim($line));
    $text = stream_get_contents(STDIN, (int) $length);
    fgetc(STDIN);
    try {
        [$kind, $body] = ['t', escapeshellarg($text)];
    } catch (\Throwable $e) {
        [$kind, $body] = ['n', $e->getMessage()];
    }
    echo "$id $kind ", strlen($body), "\n$body\n";
    flush();
}
