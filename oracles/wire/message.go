package wire

import "time"

// A Node is one file, folder or link of the home's root.
type Node struct {
	// Path is absolute.
	Path string
	// Link is the target where the node is a symbolic link.
	Link string
	// Dir says that the node is a folder.
	Dir bool
	// Executable files get mode 0755, others 0644.
	Executable bool
	Data       []byte
}

// Encode returns the body of a File frame.
func (n Node) Encode() []byte {
	var e encoder
	e.bytes([]byte(n.Path))
	e.bytes([]byte(n.Link))
	e.bool(n.Dir)
	e.bool(n.Executable)
	e.bytes(n.Data)
	return e.b
}

// DecodeNode reads the body of a File frame.
func DecodeNode(b []byte) (Node, error) {
	d := decoder{b: b}
	n := Node{Path: string(d.bytes()), Link: string(d.bytes()), Dir: d.bool(), Executable: d.bool(), Data: d.bytes()}
	return n, d.end()
}

// A Setup says how the home is to be built once all files have arrived.
type Setup struct {
	Version uint64
	// Shell is the path of the shell in the home, or on the bare host.
	Shell string
	// Scratch is the bound on the bytes that commands may leave in the home.
	Scratch uint64
	// Names are the names under which the probe lies on PATH.
	Names []string
	// Tools lays the host's /usr into the root, read-only, and puts it on PATH:
	// a home for reproductions, which need the tools of a system.
	Tools bool
	// Acts makes a home in which programs that run others really do so: the
	// shells and the wrappers (see package program) record, and go on.
	Acts bool
}

// Encode returns the body of a Start frame.
func (s Setup) Encode() []byte {
	var e encoder
	e.uint(s.Version)
	e.bytes([]byte(s.Shell))
	e.uint(s.Scratch)
	e.uint(uint64(len(s.Names)))
	for _, n := range s.Names {
		e.bytes([]byte(n))
	}
	e.bool(s.Tools)
	e.bool(s.Acts)
	return e.b
}

// DecodeSetup reads the body of a Start frame.
func DecodeSetup(b []byte) (Setup, error) {
	d := decoder{b: b}
	s := Setup{Version: d.uint(), Shell: string(d.bytes()), Scratch: d.uint()}
	for range d.count() {
		s.Names = append(s.Names, string(d.bytes()))
	}
	s.Tools, s.Acts = d.bool(), d.bool()
	return s, d.end()
}

// A Layout says where things lie in a home that stands. It is the body of a
// Ready frame.
type Layout struct {
	Version uint64 `json:"-"`
	// Bin is the only folder on PATH: the probe names and bash.
	Bin string
	// Terminal is the only folder on PATH for shells in terminals: as Bin, but
	// for the few programs that must do their work there (see package applet). It
	// is "" where there is none, as in a home that acts.
	Terminal string
	// Work is the folder in which each case starts, empty.
	Work string
	// Temp is a writable folder outside Work, emptied with it.
	Temp string
	// Memory says how memory is bounded.
	Memory string
}

// Encode returns the body of a Ready frame.
func (l Layout) Encode() []byte {
	var e encoder
	e.uint(l.Version)
	for _, s := range []string{l.Bin, l.Terminal, l.Work, l.Temp, l.Memory} {
		e.bytes([]byte(s))
	}
	return e.b
}

// DecodeLayout reads the body of a Ready frame.
func DecodeLayout(b []byte) (Layout, error) {
	d := decoder{b: b}
	l := Layout{Version: d.uint(), Bin: string(d.bytes()), Terminal: string(d.bytes()), Work: string(d.bytes()), Temp: string(d.bytes()), Memory: string(d.bytes())}
	return l, d.end()
}

// Limits bound one run. A zero field means the default.
type Limits struct {
	// CPU is the processor time of all processes together.
	CPU time.Duration
	// Quiet is how long every process may sleep with nothing moving.
	Quiet time.Duration
	// Wall is the time from the start after which a run is ended in any case.
	Wall time.Duration
	// Output is how many bytes of standard output, and of all records
	// together, are kept.
	Output int
	// Mark, where it is not empty, is a text by which the shell says on its
	// standard output that one more of several cases is done: the budgets of
	// CPU and Quiet begin anew.
	Mark []byte
}

// Default limits of a run. The budget of CPU time is many times what a shell
// needs for one case; a case that sleeps is hung for good, since a home holds
// nothing that a command could wait for.
const (
	DefaultCPU    = 50 * time.Millisecond
	DefaultQuiet  = 100 * time.Millisecond
	DefaultWall   = 10 * time.Second
	DefaultOutput = 1 << 20
)

// A Request asks for one run of the home's shell.
type Request struct {
	// Argv is the argument vector of the shell, with argv[0].
	Argv [][]byte
	// Env holds more variables, as NAME=value, behind those of every run.
	Env [][]byte
	// Stdin is what the shell reads; nil means /dev/null.
	Stdin []byte
	// PTY gives the shell a terminal, on which Stdin is typed and whose output
	// is the standard output of the result.
	PTY    bool
	Limits Limits
}

// Encode returns the body of a Run frame.
func (r Request) Encode() []byte {
	var e encoder
	e.list(r.Argv)
	e.list(r.Env)
	e.maybe(r.Stdin)
	e.bool(r.PTY)
	e.limits(r.Limits)
	return e.b
}

func (e *encoder) limits(l Limits) {
	e.uint(uint64(l.CPU))
	e.uint(uint64(l.Quiet))
	e.uint(uint64(l.Wall))
	e.uint(uint64(l.Output))
	e.bytes(l.Mark)
}

// limits reads limits, with defaults filled in.
func (d *decoder) limits() Limits {
	l := Limits{
		CPU:    time.Duration(d.uint()),
		Quiet:  time.Duration(d.uint()),
		Wall:   time.Duration(d.uint()),
		Output: int(d.uint()),
		Mark:   d.bytes(),
	}
	if l.CPU == 0 {
		l.CPU = DefaultCPU
	}
	if l.Quiet == 0 {
		l.Quiet = DefaultQuiet
	}
	if l.Wall == 0 {
		l.Wall = DefaultWall
	}
	if l.Output == 0 {
		l.Output = DefaultOutput
	}
	return l
}

// DecodeRequest reads the body of a Run frame, with defaults filled in.
func DecodeRequest(b []byte) (Request, error) {
	d := decoder{b: b}
	r := Request{Argv: d.list(), Env: d.list(), Stdin: d.maybe(), PTY: d.bool()}
	r.Limits = d.limits()
	return r, d.end()
}

// A Result is what a run has shown, with what is not compared.
type Result struct {
	Observation
	// Stderr holds the beginning of what was written to standard error.
	Stderr []byte
	// CPU is the processor time of all processes of the run.
	CPU time.Duration
	// Refused is why the kernel did not start the shell: for example
	// "argument list too long". Nothing was run.
	Refused string
}

// Encode returns the body of a Done frame.
func (r Result) Encode() []byte {
	var e encoder
	e.records(r.Records)
	e.bytes(r.Stdout)
	e.uint(uint64(r.Status))
	e.bytes([]byte(r.Ended))
	e.bytes(r.Stderr)
	e.uint(uint64(r.CPU))
	e.bytes([]byte(r.Refused))
	return e.b
}

// DecodeResult reads the body of a Done frame.
func DecodeResult(b []byte) (Result, error) {
	d := decoder{b: b}
	var r Result
	r.Records = d.records()
	r.Stdout = d.bytes()
	r.Status = int(d.uint())
	r.Ended = Ended(d.bytes())
	r.Stderr = d.bytes()
	r.CPU = time.Duration(d.uint())
	r.Refused = string(d.bytes())
	return r, d.end()
}

func (e *encoder) records(list []Record) {
	e.uint(uint64(len(list)))
	for _, r := range list {
		e.list(r.Argv)
		e.maybe(r.Stdin)
		e.bool(r.StdinCut)
		e.uint(r.Part)
		e.bool(r.InTTY)
		e.bool(r.OutTTY)
		e.bool(r.ErrTTY)
	}
}

func (d *decoder) records() []Record {
	list := make([]Record, d.count())
	for i := range list {
		list[i] = Record{Argv: d.list(), Stdin: d.maybe(), StdinCut: d.bool(), Part: d.uint(), InTTY: d.bool(), OutTTY: d.bool(), ErrTTY: d.bool()}
	}
	return list
}
