# Adapts one function of the module shlex: FUNCTION. Bytes that are not UTF-8
# travel through its strings as surrogates and come out as they were.
import os, platform, shlex, sys

calls = {
    "quote": ("quoter", "t", lambda s: os.fsencode(shlex.quote(s))),
    "join": ("quoter", "t", lambda s: os.fsencode(shlex.join([s]))),
    "split": ("splitter", "l", lambda s: b"".join(b"w %d\n%b\n" % (len(w), w) for w in map(os.fsencode, shlex.split(s)))),
}
role, kind, call = calls[sys.argv[1]]
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
stdout.write(("argvdiff-adapter 1 %s shlex.%s %s\n" % (role, sys.argv[1], platform.python_version())).encode())
stdout.flush()
for line in stdin:
    id, _, length = line.split()
    text = stdin.read(int(length) + 1)[:-1]
    try:
        answer, body = kind, call(os.fsdecode(text))
    except ValueError as e:
        answer, body = "n", str(e).encode()
    stdout.write(b"%b %b %d\n%b\n" % (id, answer.encode(), len(body), body))
    stdout.flush()
