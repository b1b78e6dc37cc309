package home

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/argvdiff/argvdiff/oracles/agent"
	"github.com/argvdiff/argvdiff/oracles/wire"
)

func TestMain(m *testing.M) {
	agent.Main()
	os.Exit(m.Run())
}

func request(text string) wire.Request {
	return wire.Request{Argv: [][]byte{[]byte("bash"), []byte("-c"), []byte(text)}}
}

func TestX(t *testing.T) {
	for _, k := range Kinds[:1] {
		h, err := k.Open(context.Background(), Shell{Path: "/usr/bin/bash"})
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		fmt.Println(h.Layout())
		for _, c := range []string{"probe a 'b c' ''; echo hi; pwd; ulimit -a", "echo x | probe y; exit 3", ":(){ :|:& };:", "while :; do :; done", "read < <(read <&2)", "read x </dev/pts/ptmx"} {
			r, err := h.Run(context.Background(), request(c))
			fmt.Printf("%+v\n", r)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func BenchmarkRun(b *testing.B) {
	h, err := Namespaces.Open(context.Background(), Shell{Path: "/usr/bin/bash"})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	for b.Loop() {
		if _, err := h.Run(context.Background(), request("probe a b")); err != nil {
			b.Fatal(err)
		}
	}
}
