// Package corpus holds the known faults: data that every campaign replays
// first, so that what is known is told from what is new.
package corpus

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// The known faults of quoting paths, and those of code that reads commands.
var (
	//go:embed faults.txt
	faults string
	//go:embed guards.txt
	guards string
)

// A Fault is one known fault, with the smallest input that shows it.
type Fault struct {
	// Name identifies the fault.
	Name string
	// Path is the quoting path on which it shows.
	Path string
	// Shells says on which bash versions: "all", or a bound such as "<4.0" or
	// ">=4.4".
	Shells string
	// Kind is "command", "payload", "session" or, for what is read, "guard".
	Kind string
	// Input is the command, or the payloads, or the commands of the session.
	Input [][]byte
	// Reference says where the fault is documented.
	Reference string
	// Why says what goes wrong.
	Why string
}

// Faults returns the known faults, in the order of the files.
func Faults() []Fault {
	all, err := Parse(faults + "\n" + guards)
	if err != nil {
		panic(err) // the embedded file is wrong
	}
	return all
}

// Digest tells one state of the known faults from another.
func Digest() string {
	sum := sha256.Sum256([]byte(faults + guards))
	return hex.EncodeToString(sum[:6])
}

// Parse reads faults in the format of faults.txt: stanzas of "key: value"
// lines, set apart by blank lines; a line that begins with # is a comment. The
// value of input is a Go string literal; the key may repeat.
func Parse(text string) ([]Fault, error) {
	var all []Fault
	var f *Fault
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		if strings.TrimSpace(line) == "" {
			f = nil
			continue
		}
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("line %d: %q is not \"key: value\"", n, line)
		}
		if f == nil {
			all = append(all, Fault{Kind: "command", Shells: "all"})
			f = &all[len(all)-1]
		}
		switch key {
		case "name":
			f.Name = value
		case "path":
			f.Path = value
		case "shells":
			f.Shells = value
		case "kind":
			f.Kind = value
		case "reference":
			f.Reference = value
		case "why":
			f.Why = value
		case "input":
			s, err := strconv.Unquote(value)
			if err != nil {
				return nil, fmt.Errorf("line %d: input %s is not a Go string literal", n, value)
			}
			f.Input = append(f.Input, []byte(s))
		default:
			return nil, fmt.Errorf("line %d: unknown key %q", n, key)
		}
	}
	for _, f := range all {
		if f.Name == "" || f.Path == "" || len(f.Input) == 0 || f.Why == "" || f.Reference == "" {
			return nil, fmt.Errorf("the fault %q lacks one of name, path, input, reference, why", f.Name)
		}
		if one := f.Kind == "command" || f.Kind == "guard" || f.Kind == "splitter"; one && len(f.Input) != 1 || !one && f.Kind != "payload" && f.Kind != "session" {
			return nil, fmt.Errorf("the fault %q: kind %q with %d inputs", f.Name, f.Kind, len(f.Input))
		}
		if _, err := matchVersion(f.Shells, "5.2"); err != nil {
			return nil, fmt.Errorf("the fault %q: %w", f.Name, err)
		}
	}
	return all, nil
}

// Shows reports whether the fault shows on a bash of that version.
func (f Fault) Shows(version string) bool {
	ok, err := matchVersion(f.Shells, version)
	return err == nil && ok
}

func matchVersion(bound, version string) (bool, error) {
	if bound == "all" {
		return true, nil
	}
	for _, op := range []string{"<", ">="} {
		if other, ok := strings.CutPrefix(bound, op); ok {
			a, errA := number(version)
			b, errB := number(other)
			if errA != nil {
				return false, errA
			}
			if errB != nil {
				return false, errB
			}
			return (a < b) == (op == "<"), nil
		}
	}
	return false, fmt.Errorf("%q is no bound on versions", bound)
}

// number makes major and minor of a version comparable.
func number(version string) (int, error) {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	a, err := strconv.Atoi(major)
	if err != nil {
		return 0, fmt.Errorf("%q is no version", version)
	}
	b, _ := strconv.Atoi(minor)
	return a*1000 + b, nil
}
