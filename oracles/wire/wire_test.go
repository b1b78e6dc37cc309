package wire

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/argvdiff/argvdiff/targets/pty"
)

func TestFrames(t *testing.T) {
	frames := []Frame{{Run, 1, []byte("body")}, {Done, 1 << 60, []byte{}}, {Fault, 0, bytes.Repeat([]byte{0xff}, 70_000)}}
	var stream []byte
	for _, f := range frames {
		stream = AppendFrame(stream, f)
	}
	r := bytes.NewReader(stream)
	for _, want := range frames {
		got, err := ReadFrame(r)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %c %d %d bytes, %v", got.Kind, got.ID, len(got.Body), err)
		}
	}
	if _, err := ReadFrame(r); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	if _, err := ReadFrame(bytes.NewReader(stream[:15])); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("inside a frame: %v", err)
	}
	huge := AppendFrame(nil, Frame{Kind: Run})
	huge[12] = 0xff
	if _, err := ReadFrame(bytes.NewReader(huge)); err == nil {
		t.Error("a frame over the bound was read")
	}
}

func TestMessages(t *testing.T) {
	node := Node{Path: "/a", Link: "b", Dir: true, Executable: true, Data: []byte{0, 1}}
	if got, err := DecodeNode(node.Encode()); err != nil || !reflect.DeepEqual(got, node) {
		t.Errorf("%+v, %v", got, err)
	}
	setup := Setup{Version: 7, Shell: "/bin/bash", Scratch: 1 << 40, Names: []string{"probe", ""}, Tools: true, Acts: true}
	if got, err := DecodeSetup(setup.Encode()); err != nil || !reflect.DeepEqual(got, setup) {
		t.Errorf("%+v, %v", got, err)
	}
	layout := Layout{Version: 7, Bin: "/b", Terminal: "/m", Work: "/w", Temp: "/t", Memory: "m"}
	if got, err := DecodeLayout(layout.Encode()); err != nil || !reflect.DeepEqual(got, layout) {
		t.Errorf("%+v, %v", got, err)
	}
	request := Request{
		Argv: [][]byte{[]byte("bash"), {}, []byte("\xff\n")}, Env: [][]byte{[]byte("A=b")}, Stdin: []byte{}, PTY: true,
		Limits: Limits{CPU: time.Second, Quiet: 2, Wall: 3, Output: 4, Mark: []byte(":1:")},
	}
	if got, err := DecodeRequest(request.Encode()); err != nil || !reflect.DeepEqual(got, request) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err := DecodeRequest(Request{}.Encode())
	if err != nil || got.Stdin != nil || !reflect.DeepEqual(got.Limits, Limits{DefaultCPU, DefaultQuiet, DefaultWall, DefaultOutput, []byte{}}) {
		t.Errorf("without limits: %+v, %v", got, err)
	}
	typing := Typing{
		Argv: [][]byte{[]byte("bash")}, Env: [][]byte{[]byte("A=b")}, Rows: 40, Columns: 160, Prompt: []byte("> "), Begin: [][]byte{[]byte("x")},
		Sessions: []Session{
			{Fresh: true, Lines: []Line{{Text: []byte("a"), File: "/f", Data: []byte("d")}, {Text: []byte{}, Data: []byte{}}}},
			{Prepare: []byte{}, Lines: []Line{}},
		},
		Bare: true, Limits: Limits{CPU: 1, Quiet: 2, Wall: 3, Output: 4, Mark: []byte{}},
	}
	if got, err := DecodeTyping(typing.Encode()); err != nil || !reflect.DeepEqual(got, typing) {
		t.Errorf("%+v, %v", got, err)
	}
	script := Typescript{
		Sessions: [][]Typed{
			{{Output: []byte("o"), Records: []Record{{Argv: [][]byte{[]byte("probe")}}}, Settled: Prompted, Status: 3, Signal: "SIGHUP", Took: time.Second}},
			{},
		},
		Fresh: 2, Slowest: time.Minute, Refused: "why",
	}
	if got, err := DecodeTypescript(script.Encode()); err != nil || !reflect.DeepEqual(got, script) {
		t.Errorf("%+v, %v", got, err)
	}
	playing := Playing{
		Argv: [][]byte{[]byte("bash")}, Env: [][]byte{[]byte("A=b")}, Rows: 40, Columns: 160, Begin: []byte("x"), MacOS: true, Deadline: time.Hour,
		Commands: []Command{{Line{Text: []byte("a"), File: "/f", Data: []byte("d")}, "1"}, {Line{Text: []byte{}, Data: []byte{}}, ""}},
		Limits:   Limits{CPU: 1, Quiet: 2, Wall: 3, Output: 4, Mark: []byte{}},
	}
	if got, err := DecodePlaying(playing.Encode()); err != nil || !reflect.DeepEqual(got, playing) {
		t.Errorf("%+v, %v", got, err)
	}
	answers := []Answer{
		{
			Outcome: pty.Outcome{Text: "t\n", Reason: pty.Completed, Status: 7, Waited: 8, Reset: true, Incomplete: true, Sends: []pty.Send{{Wait: pty.WaitRead, Took: 9}}},
			Records: []Record{{Argv: [][]byte{[]byte("probe")}}},
			Fresh:   true,
		},
		{Outcome: pty.Outcome{Reason: pty.Failed, Sends: []pty.Send{}, Err: errors.New("why")}, Records: []Record{}},
	}
	if got, err := DecodeAnswers(EncodeAnswers(answers)); err != nil || !reflect.DeepEqual(got, answers) {
		t.Errorf("%+v, %v", got, err)
	}
	result := Result{
		Observation: Observation{
			Records: []Record{{Argv: [][]byte{[]byte("probe"), {}}}, {Argv: [][]byte{}, Stdin: []byte{}, StdinCut: true, Part: 9, InTTY: true, OutTTY: true, ErrTTY: true}},
			Stdout:  []byte("out"), Status: 130, Ended: Spinning,
		},
		Stderr: []byte("err"), CPU: time.Second, Refused: "why",
	}
	if got, err := DecodeResult(result.Encode()); err != nil || !reflect.DeepEqual(got, result) {
		t.Errorf("%+v, %v", got, err)
	}
	// No prefix of a body is a body, and nothing may follow one.
	body := result.Encode()
	for n := range body {
		if _, err := DecodeResult(body[:n]); err == nil {
			t.Errorf("a body cut at %d of %d was read", n, len(body))
		}
	}
	if _, err := DecodeResult(append(body, 0)); err == nil {
		t.Error("a body with a byte behind it was read")
	}
}

func TestEqual(t *testing.T) {
	record := func(stdin []byte, argv ...string) Record {
		r := Record{Stdin: stdin}
		for _, a := range argv {
			r.Argv = append(r.Argv, []byte(a))
		}
		return r
	}
	a, b := record(nil, "probe", "a"), record([]byte{}, "probe", "b")
	base := Observation{Records: []Record{a, b}, Stdout: []byte("x")}
	for name, test := range map[string]struct {
		other Observation
		want  bool
	}{
		"itself":          {base, true},
		"another order":   {Observation{Records: []Record{b, a}, Stdout: []byte("x")}, true},
		"twice the same":  {Observation{Records: []Record{a, a}, Stdout: []byte("x")}, false},
		"a record less":   {Observation{Records: []Record{a}, Stdout: []byte("x")}, false},
		"empty for nil":   {Observation{Records: []Record{record([]byte{}, "probe", "a"), b}, Stdout: []byte("x")}, false},
		"cut":             {Observation{Records: []Record{a, {Argv: b.Argv, Stdin: b.Stdin, StdinCut: true}}, Stdout: []byte("x")}, false},
		"another output":  {Observation{Records: []Record{a, b}, Stdout: []byte("y")}, false},
		"another status":  {Observation{Records: []Record{a, b}, Stdout: []byte("x"), Status: 1}, false},
		"ended by force":  {Observation{Records: []Record{a, b}, Stdout: []byte("x"), Ended: Hung}, false},
		"joined argument": {Observation{Records: []Record{record(nil, "probea"), b}, Stdout: []byte("x")}, false},
	} {
		if got := base.Equal(test.other); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		if got := test.other.Equal(base); got != test.want {
			t.Errorf("%s, the other way: %v", name, got)
		}
	}
	// How far a run came that was ended from outside is chance.
	if !(Observation{Ended: Spinning, Stdout: []byte("a")}).Equal(Observation{Ended: Spinning}) {
		t.Error("two spinning runs differ")
	}
	if (Observation{Ended: Spinning}).Equal(Observation{Ended: Hung}) {
		t.Error("spinning is hung")
	}
}

// Whatever comes from the other side, reading it ends and does not panic, and
// what was read is written as it was.
func FuzzDecode(f *testing.F) {
	f.Add(Result{}.Encode())
	f.Add(Request{Argv: [][]byte{[]byte("bash")}}.Encode())
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := DecodeResult(b); err == nil {
			if again, err := DecodeResult(r.Encode()); err != nil || !reflect.DeepEqual(again, r) {
				t.Errorf("%+v became %+v, %v", r, again, err)
			}
		}
		DecodeRequest(b)
		DecodeNode(b)
		DecodeSetup(b)
		DecodeLayout(b)
		DecodePlaying(b)
		DecodeTyping(b)
		DecodeTypescript(b)
		DecodeAnswers(b)
	})
}
