package program

import (
	"slices"
	"strings"
)

func containers(t *table) {
	for _, n := range []string{"docker", "podman", "nerdctl"} {
		t.named[n] = container
	}
	t.named["docker-compose"] = func(argv []string, on Terminals) string { return compose("docker-compose", argv[1:], on) }
	t.named["kubectl"] = kubectl
	t.named["oc"] = kubectl
}

// The options of these programs are many, and most take a value: what is named here
// takes none.
var (
	dockerGlobal  = grammarOf("Dhv", "debug help version tls tlsverify").eager().ended().full()
	dockerLogs    = grammarOf("ft", "follow timestamps details help").eager().full()
	dockerAttach  = grammarOf("h", "no-stdin sig-proxy=? help").eager().full()
	dockerExec    = grammarOf("dith", "detach interactive tty privileged help").eager().ended().full()
	dockerRun     = grammarOf("ditPhqN", "detach init interactive tty rm privileged publish-all read-only no-healthcheck oom-kill-disable sig-proxy=? disable-content-trust=? help quiet replace").eager().ended().full()
	dockerStart   = grammarOf("aih", "attach interactive help").eager().full()
	composeGlobal = grammarOf("hvD", "help version verbose dry-run all-resources compatibility").eager().ended().full()
	composeLogs   = grammarOf("ft", "follow timestamps no-color no-log-prefix help").eager().full()
	composeExec   = grammarOf("dTith", "detach no-TTY no-tty privileged interactive=? tty=? help").eager().ended().full()
	composeRun    = grammarOf("dTiPhq", "detach no-TTY no-tty rm no-deps build service-ports use-aliases quiet-pull quiet-build quiet remove-orphans interactive=? tty=? help").eager().ended().full()
	kubeGlobal    = grammarOf("hitfwqRA", "insecure-skip-tls-verify=? match-server-version=? warnings-as-errors=? disable-compression=? help follow=? previous=? timestamps=? all-containers=? all-pods=? prefix=? ignore-errors=? insecure-skip-tls-verify-backend=? stdin=? tty=? quiet=? watch=? watch-only=? all-namespaces=? recursive=? rm=? attach=? command=? leave-stdin-open=? privileged=? expose=? show-labels=? no-headers=? output-watch-events=? stdin-once=?").eager().full()
)

// inside returns a name where what runs in a container waits. Its input and output
// are the caller's terminal only as far as the options hand them on, and without a
// command it is the image's, which is taken for a shell.
func inside(name string, command []string, input, tty bool, on Terminals) string {
	if tty && !on.In {
		return "" // refused
	}
	there := Terminals{In: input && on.In, Out: tty && on.Out, Err: tty && on.Err}
	if len(command) == 0 {
		command = []string{"sh"}
	}
	if Waits(command, there) == "" {
		return ""
	}
	return name
}

func container(argv []string, on Terminals) string {
	base := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	g := dockerGlobal.read(argv[1:])
	args := g.operands
	if g.has("--help", "-h", "--version", "-v") || len(args) == 0 {
		return ""
	}
	if args[0] == "container" {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	sub, args := args[0], args[1:]
	name := base + " " + sub
	switch sub {
	case "compose":
		return compose(name, args, on)
	case "logs":
		if l := dockerLogs.read(args); l.on("-f", "--follow") && !l.has("--help", "--until") {
			return name + " -f"
		}
	case "attach":
		if l := dockerAttach.read(args); !l.has("--help") && len(l.operands) > 0 {
			return name
		}
	case "start":
		if l := dockerStart.read(args); l.on("-a", "--attach", "-i", "--interactive") && !l.has("--help") {
			return name
		}
	case "exec":
		l := dockerExec.read(args)
		if len(l.operands) > 1 && !l.on("-d", "--detach") && !l.has("--help") {
			return inside(name, l.operands[1:], l.on("-i", "--interactive"), l.on("-t", "--tty"), on)
		}
	case "run":
		l := dockerRun.read(args)
		command := l.operands
		if entry, ok := l.value("--entrypoint"); ok && len(command) > 0 && entry != "" {
			command = append([]string{command[0], entry}, command[1:]...)
		}
		if len(command) > 0 && !l.on("-d", "--detach") && !l.has("--help") {
			return inside(name, command[1:], l.on("-i", "--interactive"), l.on("-t", "--tty"), on)
		}
	case "stats":
		if !slices.Contains(args, "--no-stream") && !slices.Contains(args, "--no-stream=true") && !slices.Contains(args, "--help") {
			return name
		}
	case "events":
		if l := dockerLogs.read(args); !l.has("--until", "--help") {
			return name
		}
	case "login":
		l := grammarOf("p:u:", "password= password-stdin username= help").full().read(args)
		if on.In && !l.has("-p", "--password", "--password-stdin", "--help") {
			return name
		}
	}
	return ""
}

// compose gives what it starts a terminal by itself.
func compose(name string, args []string, on Terminals) string {
	g := composeGlobal.read(args)
	if g.has("--help", "-h", "--version", "-v") || len(g.operands) == 0 {
		return ""
	}
	sub, args := g.operands[0], g.operands[1:]
	name += " " + sub
	var l line
	switch sub {
	case "logs":
		if l = composeLogs.read(args); l.on("-f", "--follow") && !l.has("--help") {
			return name + " -f"
		}
		return ""
	case "exec":
		l = composeExec.read(args)
	case "run":
		l = composeRun.read(args)
	default:
		return ""
	}
	tty := !l.on("-T", "--no-TTY", "--no-tty")
	if len(l.operands) == 0 || sub == "exec" && len(l.operands) == 1 || l.on("-d", "--detach") || l.has("--help") {
		return ""
	}
	return inside(name, l.operands[1:], true, tty && on.In, on)
}

func kubectl(argv []string, on Terminals) string {
	base := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	// -f, -w and -p are switches or take a file by the command.
	early := grammarOf("h", "insecure-skip-tls-verify=? match-server-version=? warnings-as-errors=? disable-compression=? help").eager().full().ended().read(argv[1:])
	if len(early.operands) == 0 || early.has("--help", "-h") {
		return ""
	}
	sub, args := early.operands[0], early.operands[1:]
	name := base + " " + sub
	l := kubeGlobal.read(args)
	if l.has("--help", "-h") {
		return ""
	}
	command := l.operands[len(l.operands)-l.behind:]
	input, tty := l.on("-i", "--stdin"), l.on("-t", "--tty")
	switch sub {
	case "logs":
		if grammarOf("fph", "follow=? previous=? timestamps=? all-containers=? all-pods=? prefix=? ignore-errors=?").eager().full().read(args).on("-f", "--follow") {
			return name + " -f"
		}
	case "get":
		if grammarOf("wAhR", "watch=? watch-only=? all-namespaces=? show-labels=? no-headers=? output-watch-events=?").eager().full().read(args).on("-w", "--watch", "--watch-only") {
			return name + " -w"
		}
	case "edit":
		if len(l.operands) > 0 || l.has("-f") {
			return name
		}
	case "attach":
		if len(l.operands) > 0 {
			return name
		}
	case "exec":
		if l.behind == 0 && len(l.operands) > 1 { // the old form, without --
			command = l.operands[1:]
		}
		if len(command) > 0 {
			return inside(name, command, input, tty, on)
		}
	case "run":
		if len(l.operands) > 0 && (input || tty) {
			return inside(name, command, input, tty, on)
		}
	case "debug":
		if len(l.operands) > 0 && (input || tty) {
			return inside(name, command, input, tty, on)
		}
	}
	return ""
}
