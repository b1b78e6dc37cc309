package adapter

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Version is the version of the protocol.
const Version = 1

// magic is the first word of a hello.
const magic = "argvdiff-adapter"

// The kinds of answers. The kind of a request is the first letter of the role.
const (
	kindText    = 't'
	kindList    = 'l'
	kindVerdict = 'v'
	kindDone    = 'd'
	kindRefused = 'n'
)

// The bounds on a first line and on the head of a frame, with the newline.
const (
	maxHello = 256
	maxHead  = 40
)

// A Role is what an adapter does.
type Role string

// The roles.
const (
	Quoter   Role = "quoter"   // a payload becomes a word
	Splitter Role = "splitter" // a text becomes a list of pieces
	Guard    Role = "guard"    // a text is a hit or clear
	Wrapper  Role = "wrapper"  // a command becomes the argv to execute
	Runner   Role = "runner"   // a command is executed
)

// roles lists every role, with the kind of its answers.
var roles = []struct {
	role   Role
	answer byte
}{
	{Quoter, kindText},
	{Splitter, kindList},
	{Guard, kindVerdict},
	{Wrapper, kindList},
	{Runner, kindDone},
}

// answer returns the kind of the answers of a role, or 0 for what is none.
func (r Role) answer() byte {
	for _, known := range roles {
		if known.role == r {
			return known.answer
		}
	}
	return 0
}

// A Hello is what an adapter says of itself.
type Hello struct {
	Role Role
	Name string
	// Version is that of the thing adapted.
	Version string
}

// A helloError is a first line that is no hello, or of another version.
type helloError struct {
	what   What
	detail string
}

func (e *helloError) Error() string { return string(e.what) + ": " + e.detail }

// parseHello reads a first line, without its newline.
func parseHello(line string) (Hello, error) {
	rest, ok := strings.CutPrefix(line, magic+" ")
	if !ok {
		return Hello{}, &helloError{Garbage, "where the hello should stand: " + shown([]byte(line))}
	}
	version, rest, _ := strings.Cut(rest, " ")
	if version != strconv.Itoa(Version) {
		return Hello{}, &helloError{WrongVersion, fmt.Sprintf("%s instead of %d", shown([]byte(version)), Version)}
	}
	role, rest, _ := strings.Cut(rest, " ")
	h := Hello{Role: Role(role)}
	h.Name, h.Version, _ = strings.Cut(rest, " ")
	if h.Role.answer() == 0 {
		return Hello{}, &helloError{WrongRole, shown([]byte(role)) + " is no role"}
	}
	if h.Name == "" {
		return Hello{}, &helloError{Garbage, "a hello without a name: " + shown([]byte(line))}
	}
	return h, nil
}

// A frame is a request or an answer.
type frame struct {
	id   uint64
	kind byte
	body []byte
}

func appendFrame(b []byte, f frame) []byte {
	b = strconv.AppendUint(b, f.id, 10)
	b = append(b, ' ', f.kind, ' ')
	b = strconv.AppendInt(b, int64(len(f.body)), 10)
	b = append(b, '\n')
	b = append(b, f.body...)
	return append(b, '\n')
}

// parseHead reads the first line of a frame, without its newline: the id, the
// kind and the length of the body.
func parseHead(line []byte) (f frame, size int64, ok bool) {
	id, rest, _ := bytes.Cut(line, []byte(" "))
	kind, length, _ := bytes.Cut(rest, []byte(" "))
	n, okID := decimal(id)
	m, okLength := decimal(length)
	if !okID || !okLength || len(kind) != 1 || kind[0] < 'a' || 'z' < kind[0] {
		return frame{}, 0, false
	}
	return frame{id: uint64(n), kind: kind[0]}, m, true
}

// decimal reads digits and nothing else.
func decimal(b []byte) (int64, bool) {
	if len(b) == 0 || b[0] < '0' || '9' < b[0] {
		return 0, false
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	return n, err == nil
}

// A Piece is one item of what a splitter makes of a text.
type Piece struct {
	Kind PieceKind
	Text []byte
}

// A PieceKind is a letter that says what a piece is.
type PieceKind byte

// The kinds of pieces.
const (
	Word     PieceKind = 'w'
	Operator PieceKind = 'o'
	Glob     PieceKind = 'g'
	Comment  PieceKind = 'c'
)

// appendPiece writes a piece as it stands in the body of a list.
func appendPiece(b []byte, p Piece) []byte {
	b = append(b, byte(p.Kind), ' ')
	b = strconv.AppendInt(b, int64(len(p.Text)), 10)
	b = append(b, '\n')
	b = append(b, p.Text...)
	return append(b, '\n')
}

// parsePieces reads the body of a list.
func parsePieces(b []byte) ([]Piece, error) {
	list := []Piece{}
	for len(b) > 0 {
		head, rest, found := bytes.Cut(b, []byte("\n"))
		kind, length, _ := bytes.Cut(head, []byte(" "))
		n, ok := decimal(length)
		if !found || !ok || len(kind) != 1 || !bytes.Contains([]byte("wogc"), kind) {
			return nil, fmt.Errorf("item %d of the list begins with %s", len(list)+1, shown(b))
		}
		if n >= int64(len(rest)) || rest[n] != '\n' {
			return nil, fmt.Errorf("item %d of the list is not %d bytes and a newline", len(list)+1, n)
		}
		list = append(list, Piece{PieceKind(kind[0]), rest[:n:n]})
		b = rest[n+1:]
	}
	return list, nil
}

// words returns the texts of pieces that are all words.
func words(list []Piece) ([][]byte, error) {
	argv := make([][]byte, len(list))
	for i, p := range list {
		if p.Kind != Word {
			return nil, fmt.Errorf("item %d of the list is no word", i+1)
		}
		argv[i] = p.Text
	}
	return argv, nil
}

// A Verdict is the answer of a guard.
type Verdict struct {
	Hit bool
	// Name says what was hit, if the guard tells.
	Name string
}

// parseVerdict reads "hit NAME" or "clear NAME", of which NAME may be missing.
func parseVerdict(b []byte) (Verdict, error) {
	word, name, _ := strings.Cut(string(b), " ")
	if word != "hit" && word != "clear" {
		return Verdict{}, fmt.Errorf("a verdict begins with %s", shown(b))
	}
	return Verdict{word == "hit", name}, nil
}
