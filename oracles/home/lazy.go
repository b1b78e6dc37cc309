package home

import "context"

// Acting returns the shell for homes in which wrappers and shells on PATH do what
// they are for.
func (s Shell) Acting() Shell {
	s.Acts = true
	return s
}

// A Lazy is a home that is opened when it is first needed. It is not safe for
// concurrent use.
type Lazy struct {
	kind  Kind
	shell Shell
	home  Home
}

// NewLazy returns a home of the kind for the shell that is not open yet.
func NewLazy(k Kind, s Shell) *Lazy { return &Lazy{kind: k, shell: s} }

// Open returns the home.
func (l *Lazy) Open(ctx context.Context) (Home, error) {
	if l.home == nil {
		h, err := l.kind.Open(ctx, l.shell)
		if err != nil {
			return nil, err
		}
		l.home = h
	}
	return l.home, nil
}

// Close closes the home if it is open.
func (l *Lazy) Close() error {
	if l.home == nil {
		return nil
	}
	err := l.home.Close()
	l.home = nil
	return err
}
