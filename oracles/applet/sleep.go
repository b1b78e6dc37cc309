package applet

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const sleepUsage = "NUMBER[SUFFIX]..."

// sleep waits for the sum of its arguments.
func (t *tool) sleep(args []string) int {
	l := parse(args, "", []long{help, version})
	switch {
	case len(l.options) > 0 && l.options[0].short == help.short:
		return t.tell("help", sleepUsage)
	case len(l.options) > 0:
		return t.tell("version", sleepUsage)
	case l.wrong != "":
		return t.misused(l.wrong)
	case len(l.operands) == 0:
		return t.misused("missing operand")
	}
	sum, wrong := 0.0, ""
	for _, arg := range l.operands {
		s, ok := seconds(arg)
		if !ok {
			wrong += t.name + ": invalid time interval " + quote(arg) + "\n"
		}
		sum += s
	}
	if wrong != "" {
		writeAll(t.err, []byte(wrong))
		return t.misused("")
	}
	for sum > math.MaxInt64/1e9 {
		time.Sleep(math.MaxInt64)
		sum -= math.MaxInt64 / 1e9
	}
	time.Sleep(time.Duration(math.Ceil(sum * 1e9)))
	return 0
}

// seconds reads a time: a number as strtod reads it, and a unit.
func seconds(arg string) (s float64, ok bool) {
	arg = strings.TrimLeft(arg, " \t\n\v\f\r")
	if s, ok = float(arg); ok || arg == "" {
		return s, ok && s >= 0
	}
	last := len(arg) - 1
	unit := 0.0
	switch arg[last] {
	case 's':
		unit = 1
	case 'm':
		unit = 60
	case 'h':
		unit = 60 * 60
	case 'd':
		unit = 24 * 60 * 60
	}
	s, ok = float(arg[:last])
	return s * unit, ok && unit > 0 && s >= 0
}

// float reads all of s as strtod does, which wants no exponent behind a
// hexadecimal number and knows no underscores.
func float(s string) (f float64, ok bool) {
	if strings.IndexByte(s, '_') >= 0 {
		return 0, false
	}
	if d := strings.TrimLeft(s, "+-"); len(d) > 2 && d[0] == '0' && d[1]|0x20 == 'x' && !strings.ContainsAny(d, "pP") {
		s += "p0"
	}
	f, err := strconv.ParseFloat(s, 64)
	if e, is := err.(*strconv.NumError); is && e.Err == strconv.ErrRange {
		err = nil
	}
	return f, err == nil
}
