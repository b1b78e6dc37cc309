# An adapter that misbehaves: MODE [FILE], where FILE gets the ids of its processes.
import os, signal, sys, time

mode = sys.argv[1]


def note():
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a") as f:
            f.write("%d\n" % os.getpid())


def say(text):
    os.write(1, text if isinstance(text, bytes) else text.encode())


def frame(id, body, kind="t"):
    return b"%d %s %d\n%b\n" % (id, kind.encode(), len(body), body)


def requests():
    for line in sys.stdin.buffer:
        id, _, length = line.split()
        yield int(id), sys.stdin.buffer.read(int(length) + 1)[:-1]


def forever():
    while True:
        time.sleep(100)


note()
os.write(2, b"this is %s\n" % mode.encode())
if mode == "no-hello":
    forever()
if mode == "exit-early":
    sys.exit(5)
say({
    "hello-garbage": "Welcome to 1.0\n",
    "hello-endless": "x" * 1000,
    "wrong-version": "argvdiff-adapter 2 quoter bad 1\n",
    "wrong-role": "argvdiff-adapter 1 guard bad 1\n",
    "no-role": "argvdiff-adapter 1 cook bad 1\n",
    "is-splitter": "argvdiff-adapter 1 splitter bad 1\n",
    "is-guard": "argvdiff-adapter 1 guard bad 1\n",
    "is-wrapper": "argvdiff-adapter 1 wrapper bad 1\n",
    "is-runner": "argvdiff-adapter 1 runner bad 1\n",
}.get(mode, "argvdiff-adapter 1 quoter bad 1.2 of today\n"))
if mode == "deaf":
    forever()
if mode == "ignores-term":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

served = 0
for id, body in requests():
    served += 1
    if mode in ("sleeps", "ignores-term") or mode == "sleeps-at" and body == b"bad":
        forever()
    elif mode == "exits" or mode == "exits-at" and body == b"bad":
        os.write(2, b"boom\n")
        sys.exit(3)
    elif mode == "exits-third" and served == 3:
        sys.exit(1)
    elif mode == "signal":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "garbage":
        say("debug: got %d bytes\n" % len(body))
    elif mode == "binary":
        say(b"\x00\xff")
    elif mode == "head":
        say("1 tt 4\nword\n")
    elif mode == "other":
        say(frame(id + 7, body))
    elif mode == "twice" or mode == "twice-at" and body == b"bad":
        say(frame(id, body) + frame(id, body))
    elif mode == "twice-late":
        say(frame(id, body))
        time.sleep(0.02)
        say(frame(id, body))
    elif mode == "chatters":
        say(frame(id, body) + b"debug: done\n")
    elif mode == "chatters-late":
        say(frame(id, body))
        time.sleep(0.02)
        say("debug: done\n")
    elif mode == "floods":
        say(frame(id, body))
        while True:
            say("x" * 4096)
    elif mode == "huge":
        say("%d t 99999999999\nx\n" % id)
    elif mode == "short":
        say("%d t 10\nabc\n" % id)
    elif mode == "long":
        say("%d t 2\nabcdef\n" % id)
    elif mode == "cut":
        say("%d t 10\nabc" % id)
        sys.exit(0)
    elif mode == "closes":
        os.close(1)
        forever()
    elif mode in ("forks", "forks-away"):
        if os.fork() == 0:
            note()
            if mode == "forks-away":
                os.setsid()
            time.sleep(4)
            os._exit(0)
        os._exit(4)
    elif mode == "form":
        say(frame(id, b"w 1\nx\n", "l"))
    elif mode == "is-splitter":
        say(frame(id, {b"empty": b"", b"short": b"w 9\nx\n", b"kind": b"x 1\nx\n"}.get(body, b"w 3\na\nb\no 2\n&&\ng 1\n*\nc 0\n\n"), "l"))
    elif mode == "is-guard":
        say(frame(id, {b"rm": b"hit rm -rf", b"odd": b"maybe"}.get(body, b"clear"), "v"))
    elif mode == "is-wrapper":
        say(frame(id, b"" if body == b"none" else b"w 4\nbash\nw 2\n-c\nw %d\n%b\n" % (len(body), body), "l"))
    elif mode == "is-runner":
        say(frame(id, b"7", "d"))
    elif body == b"no":
        say(frame(id, b"not this one", "n"))
    else:
        say(frame(id, body))
        if mode == "one-each":
            sys.exit(0)
    if mode in ("twice", "chatters", "short", "long", "garbage"):
        sys.stdin.buffer.read()
if mode == "stays":
    forever()
