package guard

import (
	"reflect"
	"testing"
)

// parsedRows is how many results of shell-quote's parse testdata holds.
const parsedRows = 15500

// plain gives tokens the form of the recordings.
func plain(tokens []Token) []any {
	list := []any{}
	for _, t := range tokens {
		switch t.Kind {
		case Operator:
			list = append(list, map[string]any{"op": t.Op})
		case Glob:
			list = append(list, map[string]any{"op": t.Op, "pattern": t.Pattern})
		case Comment:
			list = append(list, map[string]any{"comment": t.Comment})
		default:
			list = append(list, t.Text)
		}
	}
	return list
}

// Every result that was recorded of the real packages is the same here.
func TestParseRecorded(t *testing.T) {
	type row struct {
		Version string
		Input   []byte
		Tokens  []any
		Error   string
	}
	wrong := 0
	rows := recorded(t, "shell-quote-parse.jsonl.gz", func(r row) {
		p, err := NewParser(r.Version)
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := p.Parse(string(r.Input))
		said := ""
		if err != nil {
			said = err.Error()
		}
		if said != r.Error || err == nil && !reflect.DeepEqual(plain(tokens), r.Tokens) {
			if wrong++; wrong <= 15 {
				t.Errorf("%s of %q: %q %q, recorded %q %q", r.Version, r.Input, plain(tokens), said, r.Tokens, r.Error)
			}
		}
	})
	if rows != parsedRows || wrong > 0 {
		t.Errorf("%d of %d rows are wrong, want none of %d", wrong, rows, parsedRows)
	}
}
