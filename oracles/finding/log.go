package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

// LogName is the file of a campaign's folder that holds its findings.
const LogName = "findings.jsonl"

// A Log is the append-only file of a campaign's findings, one JSON object a
// line. It may be used by several goroutines, but a second process is refused.
type Log struct {
	mu   sync.Mutex
	file *os.File
	path string
	// size is the length of the whole lines. What lies behind it is the rest of
	// a write that failed.
	size int64
	torn bool
}

// Open opens the log in the folder, which it creates where it is missing. A
// last line that was torn when its writer died is cut off: it was never
// announced.
func Open(dir string) (*Log, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, LogName)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	l := &Log{file: f, path: name}
	if err := l.settle(dir); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// settle takes the file for this process and cuts off a torn line.
func (l *Log) settle(dir string) error {
	if err := syscall.Flock(int(l.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("%s is in use by another process", l.path)
		}
		return fmt.Errorf("failed to lock %s: %w", l.path, err)
	}
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if l.size, err = wholeLines(l.file, info.Size()); err != nil {
		return fmt.Errorf("failed to read %s: %w", l.path, err)
	}
	if l.size < info.Size() {
		l.torn = true
		if err := l.mend(); err != nil {
			return err
		}
	}
	// A new file lasts only once its folder does.
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("failed to sync %s: %w", dir, err)
	}
	return nil
}

// wholeLines returns the offset behind the last newline in front of end.
func wholeLines(r io.ReaderAt, end int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end > 0 {
		from := max(end-int64(len(block)), 0)
		b := block[:end-from]
		if _, err := r.ReadAt(b, from); err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		end = from
	}
	return 0, nil
}

// mend takes away the rest of a write that failed.
func (l *Log) mend() error {
	if !l.torn {
		return nil
	}
	if err := l.file.Truncate(l.size); err != nil {
		return fmt.Errorf("failed to cut a torn line off %s: %w", l.path, err)
	}
	l.torn = false
	return nil
}

// Append adds a finding. When it returns without error the finding is on the
// disk and may be announced; after an error the log is as it was before.
func (l *Log) Append(f Finding) error { return l.write(f) }

// later is what is told of a finding later on.
type later struct {
	ID     string   `json:"id"`
	Count  uint64   `json:"count"`
	Differ []string `json:"shells_differ"`
	Same   []string `json:"shells_same"`
}

// Shells are the ids of the shells that show a finding and that do not.
type Shells struct {
	Differ, Same []string
}

// Update adds a line that replaces the count and the shells of a finding.
func (l *Log) Update(id string, count uint64, shells Shells) error {
	return l.write(later{id, count, listed(shells.Differ), listed(shells.Same)})
}

func (l *Log) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("failed to encode a finding: %w", err)
	}
	line = append(line, '\n')
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.mend(); err != nil {
		return err
	}
	// The errors of the file name its path and the cause.
	if _, err = l.file.Write(line); err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.torn = true
		if cause := l.mend(); cause != nil {
			// The next write, or the next Open, tries again.
			return fmt.Errorf("failed to keep a finding: %w (and %v)", err, cause)
		}
		return fmt.Errorf("failed to keep a finding: %w", err)
	}
	l.size += int64(len(line))
	return nil
}

// Close closes the log. There is nothing left to write.
func (l *Log) Close() error { return l.file.Close() }

// Load returns the findings of the folder in the order of their first lines,
// with later lines merged: the last one wins. A torn last line is left out, and
// a folder without a log has no findings.
func Load(dir string) ([]Finding, error) {
	name := filepath.Join(dir, LogName)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Finding
	for n := 1; ; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		if !whole {
			return list, nil
		}
		data = rest
		if list, err = merge(list, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
}

// merge applies one line of a log.
func merge(list []Finding, line []byte) ([]Finding, error) {
	var head struct {
		later
		Kind *string `json:"kind"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(list, func(f Finding) bool { return f.ID == head.ID })
	if head.Kind == nil {
		if at < 0 {
			return nil, fmt.Errorf("an update of %q, which was never found", head.ID)
		}
		list[at].Count, list[at].Differ, list[at].Same = head.Count, head.Differ, head.Same
		return list, nil
	}
	var f Finding
	if err := json.Unmarshal(line, &f); err != nil {
		return nil, err
	}
	if at >= 0 {
		list[at] = f
		return list, nil
	}
	return append(list, f), nil
}
