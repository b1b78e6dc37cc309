package wire

import "time"

// A Loop asks for one program to be started many times, one after another, with
// nothing watched, bounded or compared: what a plain loop of spawns costs in the
// same place.
type Loop struct {
	// Program is a name in the home's Bin; "" is the shell.
	Program string
	// Argv is its argument vector, with argv[0].
	Argv [][]byte
	// For is how long new starts are begun.
	For time.Duration
}

// Encode returns the body of a Repeat frame.
func (l Loop) Encode() []byte {
	var e encoder
	e.bytes([]byte(l.Program))
	e.list(l.Argv)
	e.uint(uint64(l.For))
	return e.b
}

// DecodeLoop reads the body of a Repeat frame.
func DecodeLoop(b []byte) (Loop, error) {
	d := decoder{b: b}
	l := Loop{Program: string(d.bytes()), Argv: d.list(), For: time.Duration(d.uint())}
	return l, d.end()
}

// A Lap is what a loop came to.
type Lap struct {
	// Starts is how often the program was started, Records how many probes have
	// reported.
	Starts, Records int
	// Wall is the time from the first start to the last end.
	Wall time.Duration
}

// Encode returns the body of a Repeated frame.
func (l Lap) Encode() []byte {
	var e encoder
	e.uint(uint64(l.Starts))
	e.uint(uint64(l.Records))
	e.uint(uint64(l.Wall))
	return e.b
}

// DecodeLap reads the body of a Repeated frame.
func DecodeLap(b []byte) (Lap, error) {
	d := decoder{b: b}
	l := Lap{Starts: int(d.uint()), Records: int(d.uint()), Wall: time.Duration(d.uint())}
	return l, d.end()
}
