package applet

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	cmpUsage    = "[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]"
	cmpSuffixes = "kKMGTPEZY0"
	cmpBuffer   = 4096
)

// A comparison is what cmp compares, and how.
type comparison struct {
	*tool
	files  [2]string
	skip   [2]uint64
	limit  uint64 // of bytes
	kind   kind
	octets bool // whether to print the bytes that differ
	fds    [2]int
	at     [2]int64 // where the files begin, or -1
	stats  [2]unix.Stat_t
	out    []byte

	terminal bool // out is one, or something like it
}

// A kind is what cmp says of differences.
type kind int

const (
	first  kind = iota // the first one
	every              // all of them
	silent             // nothing at all
	unseen             // nothing, since the output goes nowhere
)

// trouble is fail with the status of trouble.
func (t *tool) trouble(message string) int {
	t.warn(message)
	return 2
}

// cmpMisused is misused in the words of diffutils.
func (t *tool) cmpMisused(message string) int {
	t.warn(message + "\n" + t.name + ": Try '" + t.name + " --help' for more information.")
	return 2
}

// cmp compares two files.
func (t *tool) cmp(args []string) int {
	l := parse(args, "bci:ln:sv", []long{
		{"print-bytes", 'b'}, {"print-chars", 'c'}, {"ignore-initial", 'i'}, {"verbose", 'l'},
		{"bytes", 'n'}, {"silent", 's'}, {"quiet", 's'}, {"version", 'v'}, help,
	})
	c := comparison{tool: t, limit: math.MaxUint64}
	ignore := func(which int, s string) bool {
		n, f := number(s, cmpSuffixes)
		c.skip[which] = max(c.skip[which], n)
		return f == valid && n <= math.MaxInt64
	}
	const badSkip = "invalid --ignore-initial value '"
	for _, o := range l.options {
		switch o.short {
		case 'b', 'c':
			c.octets = true
		case 'i':
			one, two, both := strings.Cut(o.value, ":")
			if !both {
				two = one
			}
			if !ignore(0, one) {
				return t.cmpMisused(badSkip + o.value + "'")
			}
			if !ignore(1, two) {
				return t.cmpMisused(badSkip + two + "'")
			}
		case 'l', 's':
			kind := every
			if o.short == 's' {
				kind = silent
			}
			if c.kind != first && c.kind != kind {
				return t.cmpMisused("options -l and -s are incompatible")
			}
			c.kind = kind
		case 'n':
			n, f := number(o.value, cmpSuffixes)
			if f != valid {
				return t.cmpMisused("invalid --bytes value '" + o.value + "'")
			}
			c.limit = min(c.limit, n)
		case 'v':
			return t.tell("version", cmpUsage)
		case help.short:
			return t.tell("help", cmpUsage)
		}
	}
	switch {
	case l.wrong != "":
		return t.cmpMisused(l.wrong)
	case len(l.operands) == 0:
		last := t.name
		if len(args) > 0 {
			last = args[len(args)-1]
		}
		return t.cmpMisused("missing operand after '" + last + "'")
	}
	c.files = [2]string{l.operands[0], "-"}
	for i, o := range l.operands[1:] {
		switch {
		case i == 0:
			c.files[1] = o
		case i > 2:
			return t.cmpMisused("extra operand '" + o + "'")
		case !ignore(i-1, o):
			return t.cmpMisused(badSkip + o + "'")
		}
	}
	status, done := c.open()
	if !done {
		status = c.compare()
	}
	if status == 2 {
		return status
	}
	if err := writeAll(t.out, c.out); err != nil {
		return t.trouble("standard output: " + problem(err))
	}
	return status
}

// open opens the files and sees whether they are one.
func (c *comparison) open() (status int, done bool) {
	for i := range 2 {
		f := i
		if c.files[1] == "-" {
			f = 1 - i
		}
		if i == 1 && c.skip[0] == c.skip[1] && c.files[0] == c.files[1] {
			return 0, true
		}
		var err error
		if c.fds[f] = c.in; c.files[f] != "-" {
			if c.fds[f], err = open(c.files[f], 0); err != nil && c.kind == silent {
				return 2, true
			}
		}
		if err == nil {
			err = unix.Fstat(c.fds[f], &c.stats[f])
		}
		if err != nil {
			return c.trouble(c.files[f] + ": " + problem(err)), true
		}
	}
	for f, fd := range c.fds {
		var err error
		if c.at[f], err = unix.Seek(fd, int64(c.skip[f]), 1); err != nil {
			c.at[f] = -1
		}
	}
	if c.stats[0].Dev == c.stats[1].Dev && c.stats[0].Ino == c.stats[1].Ino && c.at[0] == c.at[1] {
		return 0, true
	}
	if c.kind != silent {
		var out, null unix.Stat_t
		if unix.Fstat(c.tool.out, &out) != nil {
			return 0, false
		}
		c.terminal = out.Mode&unix.S_IFMT == unix.S_IFCHR
		if c.terminal && unix.Stat("/dev/null", &null) == nil && out.Dev == null.Dev && out.Ino == null.Ino {
			c.kind = unseen
		}
	}
	return 0, false
}

// width is that of the numbers of bytes.
func (c *comparison) width() int {
	most := min(c.limit, math.MaxInt64)
	for f := range c.stats {
		if c.stats[f].Mode&unix.S_IFMT == unix.S_IFREG {
			most = min(most, uint64(max(0, c.stats[f].Size-c.at[f])))
		}
	}
	return len(strconv.FormatUint(most, 10))
}

// compare compares the files from where they begin.
func (c *comparison) compare() (status int) {
	var storage [2][cmpBuffer]byte
	for f, at := range c.at {
		for rest := c.skip[f]; at < 0 && rest > 0; {
			n, err := fill(c.fds[f], storage[f][:min(rest, cmpBuffer)])
			if err != nil {
				return c.trouble(c.files[f] + ": " + problem(err))
			}
			if n == 0 {
				break
			}
			rest -= uint64(n)
		}
	}
	width := c.width()
	byteNumber, lineNumber, lineStart := uint64(1), uint64(1), true
	for rest := c.limit; ; {
		size := min(rest, cmpBuffer)
		rest -= size
		var b [2][]byte
		for f := range b {
			n, err := fill(c.fds[f], storage[f][:size])
			if err != nil {
				return c.trouble(c.files[f] + ": " + problem(err))
			}
			b[f] = storage[f][:n]
		}
		both := min(len(b[0]), len(b[1]))
		i := common(b[0][:both], b[1][:both])
		byteNumber += uint64(i)
		if i > 0 {
			lineNumber += uint64(bytes.Count(b[0][:i], []byte{'\n'}))
			lineStart = b[0][i-1] == '\n'
		}
		if i < both {
			switch c.kind {
			case first:
				c.differ(byteNumber, lineNumber, b[0][i], b[1][i])
				return 1
			case silent, unseen:
				return 1
			}
			status = 1
			for ; i < both; i, byteNumber = i+1, byteNumber+1 {
				if x, y := b[0][i], b[1][i]; x != y {
					c.list(width, byteNumber, x, y)
				}
			}
			if err := c.flush(); err != nil {
				return c.trouble("standard output: " + problem(err))
			}
		}
		if len(b[0]) != len(b[1]) {
			c.end(b, byteNumber, lineNumber, lineStart)
			return 1
		}
		if both < cmpBuffer {
			return status
		}
	}
}

// flush writes what the C library would have written: all to a terminal, and
// else only full buffers, so that messages come before the rest.
func (c *comparison) flush() error {
	n := len(c.out)
	if !c.terminal {
		n -= n % cmpBuffer
	}
	err := writeAll(c.tool.out, c.out[:n])
	c.out = append(c.out[:0], c.out[n:]...)
	return err
}

// end says which file ended first.
func (c *comparison) end(b [2][]byte, byteNumber, lineNumber uint64, lineStart bool) {
	if c.kind == silent {
		return
	}
	name := c.files[0]
	if len(b[1]) < len(b[0]) {
		name = c.files[1]
	}
	message := "EOF on " + name
	if byteNumber == 1 {
		c.warn(message + " which is empty")
		return
	}
	message += " after byte " + strconv.FormatUint(byteNumber-1, 10)
	switch {
	case c.kind != first:
	case lineStart:
		message += ", line " + strconv.FormatUint(lineNumber-1, 10)
	default:
		message += ", in line " + strconv.FormatUint(lineNumber, 10)
	}
	c.warn(message)
}

// differ says where the files differ.
func (c *comparison) differ(byteNumber, lineNumber uint64, x, y byte) {
	unit := "byte"
	if !c.octets && inC() {
		unit = "char" // POSIX asks for that word there
	}
	s := c.files[0] + " " + c.files[1] + " differ: " + unit + " " + strconv.FormatUint(byteNumber, 10) +
		", line " + strconv.FormatUint(lineNumber, 10)
	c.out = append(c.out, s...)
	if c.octets {
		c.out = append(c.out, " is "...)
		c.out = append(appendOctal(c.out, x), ' ')
		c.out = append(appendVisible(c.out, x), ' ')
		c.out = append(appendOctal(c.out, y), ' ')
		c.out = appendVisible(c.out, y)
	}
	c.out = append(c.out, '\n')
}

// list says that one byte differs.
func (c *comparison) list(width int, byteNumber uint64, x, y byte) {
	n := strconv.FormatUint(byteNumber, 10)
	for i := len(n); i < width; i++ {
		c.out = append(c.out, ' ')
	}
	c.out = append(c.out, n...)
	c.out = append(c.out, ' ')
	c.out = append(appendOctal(c.out, x), ' ')
	if c.octets {
		before := len(c.out)
		c.out = appendVisible(c.out, x)
		for len(c.out) < before+4 {
			c.out = append(c.out, ' ')
		}
		c.out = append(c.out, ' ')
	}
	c.out = appendOctal(c.out, y)
	if c.octets {
		c.out = appendVisible(append(c.out, ' '), y)
	}
	c.out = append(c.out, '\n')
}

// appendOctal appends a byte in three columns.
func appendOctal(b []byte, c byte) []byte {
	s := strconv.FormatUint(uint64(c), 8)
	for i := len(s); i < 3; i++ {
		b = append(b, ' ')
	}
	return append(b, s...)
}

// common is the length of the part that two texts of one length begin with.
func common(a, b []byte) int {
	if bytes.Equal(a, b) {
		return len(a)
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return i
}

// fill reads until the buffer is full or the file ends.
func fill(fd int, b []byte) (n int, err error) {
	for n < len(b) {
		m, err := read(fd, b[n:])
		if err != nil {
			return n, err
		}
		if m == 0 {
			break
		}
		n += m
	}
	return n, nil
}
