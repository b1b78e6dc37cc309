package quote

import (
	"strings"
	"testing"
)

// benchPayloads are of the sizes and kinds that a campaign makes: words that
// need nothing, words that need all there is, and one long text.
var benchPayloads = [][]byte{
	[]byte("plain-word.txt"),
	[]byte("it's $HOME and `x` \\ \"y\"!"),
	[]byte("C:\\dir;a=b|c"),
	[]byte("naïve\u00a0日本"),
	[]byte(strings.Repeat("the quick 'brown' fox, ", 10)),
}

// One operation is the five payloads as one call.
func BenchmarkQuote(b *testing.B) {
	for _, q := range All {
		b.Run(q.Name(), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(totalLen(benchPayloads))
			for b.Loop() {
				if _, err := q.Quote(benchPayloads...); err != nil && q.Name() != "mvdan-posix" {
					b.Fatal(err)
				}
			}
		})
	}
}

// One operation is the five payloads onto one buffer that is kept.
func BenchmarkAppend(b *testing.B) {
	for _, q := range All {
		b.Run(q.Name(), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(totalLen(benchPayloads))
			var buf []byte
			for b.Loop() {
				var err error
				if buf, err = Append(buf[:0], q, benchPayloads...); err != nil && q.Name() != "mvdan-posix" {
					b.Fatal(err)
				}
			}
		})
	}
}

func totalLen(payloads [][]byte) (n int64) {
	for _, p := range payloads {
		n += int64(len(p))
	}
	return n
}
