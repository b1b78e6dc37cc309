package adapter

import (
	"fmt"
	"strings"
)

// A Refusal says that the thing under test declines the input. It is an answer,
// not a fault.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string {
	if r.Reason == "" {
		return "refused"
	}
	return "refused: " + r.Reason
}

// A What names how an adapter misbehaves.
type What string

// The ways to misbehave.
const (
	DidNotStart  What = "did not start"
	NoHello      What = "gave no hello"
	WrongVersion What = "speaks another version of the protocol"
	WrongRole    What = "has another role"
	Sleeps       What = "sleeps"
	Exited       What = "exited"
	ClosedOutput What = "closed its output"
	Garbage      What = "prints garbage"
	OtherRequest What = "answers another request"
	Twice        What = "answers twice"
	Chatters     What = "chatters"
	LiesLength   What = "lies about a length"
	TooMuch      What = "writes too much"
	WrongForm    What = "answers in another form"
	GivenUp      What = "was restarted too often"
)

// A Fault is the adapter's own, never a finding about what it adapts.
type Fault struct {
	// Adapter names the adapter.
	Adapter string
	What    What
	// Detail says more, as "no answer within 10s".
	Detail string
	// Stderr is the end of what the adapter wrote there.
	Stderr []byte
	// OfInput says that the fault came while exactly one request was open, so
	// that it is about that input. Any other came before the adapter had been
	// asked, or between requests.
	OfInput bool
	// Cause is the fault before the last restart, of GivenUp.
	Cause *Fault
}

func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "adapter %s %s", f.Adapter, f.What)
	if f.Detail != "" {
		fmt.Fprintf(&b, ": %s", f.Detail)
	}
	if len(f.Stderr) > 0 {
		fmt.Fprintf(&b, "; the end of its standard error: %q", f.Stderr)
	}
	if f.Cause != nil {
		fmt.Fprintf(&b, "; the last fault: %v", f.Cause)
	}
	return b.String()
}

func (f *Fault) Unwrap() error {
	if f.Cause == nil {
		return nil
	}
	return f.Cause
}

// A MissingError says what is not on this machine, and how to get it.
type MissingError struct{ What string }

func (e *MissingError) Error() string { return e.What }

// shown quotes the beginning of bytes that should have been something else.
func shown(b []byte) string {
	if len(b) > shownBytes {
		return fmt.Sprintf("%q...", b[:shownBytes])
	}
	return fmt.Sprintf("%q", b)
}

const shownBytes = 64
