package applet

import "golang.org/x/sys/unix"

// The words of a terminal's settings, in the order in which they are shown.
const (
	control = iota
	input
	output
	local
)

// A mode is a setting of bits in one of the words. Those under a mask are one
// number; others are switched off by a minus.
type mode struct {
	name  string
	word  uint8
	sane  sanity
	alias bool // not shown
	fixed bool // knows no minus
	bits  uint32
	mask  uint32
}

// A sanity is how the setting sane leaves a mode.
type sanity uint8

const (
	kept sanity = iota
	on
	off
)

var modes = [...]mode{
	{name: "parenb", word: control, bits: unix.PARENB},
	{name: "parodd", word: control, bits: unix.PARODD},
	{name: "cmspar", word: control, bits: unix.CMSPAR},
	{name: "cs5", word: control, bits: unix.CS5, mask: unix.CSIZE, fixed: true},
	{name: "cs6", word: control, bits: unix.CS6, mask: unix.CSIZE, fixed: true},
	{name: "cs7", word: control, bits: unix.CS7, mask: unix.CSIZE, fixed: true},
	{name: "cs8", word: control, bits: unix.CS8, mask: unix.CSIZE, fixed: true, sane: on},
	{name: "hupcl", word: control, bits: unix.HUPCL},
	{name: "hup", word: control, bits: unix.HUPCL, alias: true},
	{name: "cstopb", word: control, bits: unix.CSTOPB},
	{name: "cread", word: control, bits: unix.CREAD, sane: on},
	{name: "clocal", word: control, bits: unix.CLOCAL},
	{name: "crtscts", word: control, bits: unix.CRTSCTS},

	{name: "ignbrk", word: input, bits: unix.IGNBRK, sane: off},
	{name: "brkint", word: input, bits: unix.BRKINT, sane: on},
	{name: "ignpar", word: input, bits: unix.IGNPAR},
	{name: "parmrk", word: input, bits: unix.PARMRK},
	{name: "inpck", word: input, bits: unix.INPCK},
	{name: "istrip", word: input, bits: unix.ISTRIP},
	{name: "inlcr", word: input, bits: unix.INLCR, sane: off},
	{name: "igncr", word: input, bits: unix.IGNCR, sane: off},
	{name: "icrnl", word: input, bits: unix.ICRNL, sane: on},
	{name: "ixon", word: input, bits: unix.IXON},
	{name: "ixoff", word: input, bits: unix.IXOFF, sane: off},
	{name: "tandem", word: input, bits: unix.IXOFF, alias: true},
	{name: "iuclc", word: input, bits: unix.IUCLC, sane: off},
	{name: "ixany", word: input, bits: unix.IXANY, sane: off},
	{name: "imaxbel", word: input, bits: unix.IMAXBEL, sane: on},
	{name: "iutf8", word: input, bits: unix.IUTF8, sane: off},

	{name: "opost", word: output, bits: unix.OPOST, sane: on},
	{name: "olcuc", word: output, bits: unix.OLCUC, sane: off},
	{name: "ocrnl", word: output, bits: unix.OCRNL, sane: off},
	{name: "onlcr", word: output, bits: unix.ONLCR, sane: on},
	{name: "onocr", word: output, bits: unix.ONOCR, sane: off},
	{name: "onlret", word: output, bits: unix.ONLRET, sane: off},
	{name: "ofill", word: output, bits: unix.OFILL, sane: off},
	{name: "ofdel", word: output, bits: unix.OFDEL, sane: off},
	{name: "nl1", word: output, bits: unix.NL1, mask: unix.NLDLY, fixed: true, sane: off},
	{name: "nl0", word: output, bits: unix.NL0, mask: unix.NLDLY, fixed: true, sane: on},
	{name: "cr3", word: output, bits: unix.CR3, mask: unix.CRDLY, fixed: true, sane: off},
	{name: "cr2", word: output, bits: unix.CR2, mask: unix.CRDLY, fixed: true, sane: off},
	{name: "cr1", word: output, bits: unix.CR1, mask: unix.CRDLY, fixed: true, sane: off},
	{name: "cr0", word: output, bits: unix.CR0, mask: unix.CRDLY, fixed: true, sane: on},
	{name: "tab3", word: output, bits: unix.TAB3, mask: unix.TABDLY, fixed: true, sane: off},
	{name: "tab2", word: output, bits: unix.TAB2, mask: unix.TABDLY, fixed: true, sane: off},
	{name: "tab1", word: output, bits: unix.TAB1, mask: unix.TABDLY, fixed: true, sane: off},
	{name: "tab0", word: output, bits: unix.TAB0, mask: unix.TABDLY, fixed: true, sane: on},
	{name: "bs1", word: output, bits: unix.BS1, mask: unix.BSDLY, fixed: true, sane: off},
	{name: "bs0", word: output, bits: unix.BS0, mask: unix.BSDLY, fixed: true, sane: on},
	{name: "vt1", word: output, bits: unix.VT1, mask: unix.VTDLY, fixed: true, sane: off},
	{name: "vt0", word: output, bits: unix.VT0, mask: unix.VTDLY, fixed: true, sane: on},
	{name: "ff1", word: output, bits: unix.FF1, mask: unix.FFDLY, fixed: true, sane: off},
	{name: "ff0", word: output, bits: unix.FF0, mask: unix.FFDLY, fixed: true, sane: on},

	{name: "isig", word: local, bits: unix.ISIG, sane: on},
	{name: "icanon", word: local, bits: unix.ICANON, sane: on},
	{name: "iexten", word: local, bits: unix.IEXTEN, sane: on},
	{name: "echo", word: local, bits: unix.ECHO, sane: on},
	{name: "echoe", word: local, bits: unix.ECHOE, sane: on},
	{name: "crterase", word: local, bits: unix.ECHOE, alias: true},
	{name: "echok", word: local, bits: unix.ECHOK, sane: on},
	{name: "echonl", word: local, bits: unix.ECHONL, sane: off},
	{name: "noflsh", word: local, bits: unix.NOFLSH, sane: off},
	{name: "xcase", word: local, bits: unix.XCASE, sane: off},
	{name: "tostop", word: local, bits: unix.TOSTOP, sane: off},
	{name: "echoprt", word: local, bits: unix.ECHOPRT, sane: off},
	{name: "prterase", word: local, bits: unix.ECHOPRT, alias: true},
	{name: "echoctl", word: local, bits: unix.ECHOCTL, sane: on},
	{name: "ctlecho", word: local, bits: unix.ECHOCTL, alias: true},
	{name: "echoke", word: local, bits: unix.ECHOKE, sane: on},
	{name: "crtkill", word: local, bits: unix.ECHOKE, alias: true},
	{name: "flusho", word: local, bits: unix.FLUSHO, sane: off},
	{name: "extproc", word: local, bits: unix.EXTPROC, sane: off},
}

// A special is a special character. The last two are no characters.
type special struct {
	name string
	at   uint8
	sane uint8
}

const specialCharacters = 15

var specials = [...]special{
	{"intr", unix.VINTR, 'C' & 31}, {"quit", unix.VQUIT, '\\' & 31}, {"erase", unix.VERASE, 0x7f},
	{"kill", unix.VKILL, 'U' & 31}, {"eof", unix.VEOF, 'D' & 31}, {"eol", unix.VEOL, 0},
	{"eol2", unix.VEOL2, 0}, {"swtch", unix.VSWTC, 0}, {"start", unix.VSTART, 'Q' & 31},
	{"stop", unix.VSTOP, 'S' & 31}, {"susp", unix.VSUSP, 'Z' & 31}, {"rprnt", unix.VREPRINT, 'R' & 31},
	{"werase", unix.VWERASE, 'W' & 31}, {"lnext", unix.VLNEXT, 'V' & 31}, {"discard", unix.VDISCARD, 'O' & 31},
	{"min", unix.VMIN, 1}, {"time", unix.VTIME, 0},
}

// A combination is a name for several settings; those of its minus are empty
// where it knows none.
type combination struct {
	name, on, off string
}

var combinations = [...]combination{
	{"raw", "-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr -icrnl -ixon -ixoff -iuclc -ixany -imaxbel -iutf8" +
		" -opost -isig -icanon -xcase min 1 time 0", "cooked"},
	{"cooked", "brkint ignpar istrip icrnl ixon opost isig icanon", "raw"},
	{"cbreak", "-icanon", "icanon"},
	{"nl", "-icrnl -onlcr", "icrnl -inlcr -igncr onlcr -ocrnl -onlret"},
	{"evenp", "parenb cs7 -parodd", "-parenb cs8"},
	{"parity", "parenb cs7 -parodd", "-parenb cs8"},
	{"oddp", "parenb cs7 parodd", "-parenb cs8"},
	{"litout", "-parenb cs8 -istrip -opost", "parenb cs7 istrip opost"},
	{"pass8", "-parenb cs8 -istrip", "parenb cs7 istrip"},
	{"decctlq", "-ixany", "ixany"},
	{"tabs", "tab0", "tab3"},
	{"lcase", "xcase iuclc olcuc", "-xcase -iuclc -olcuc"},
	{"LCASE", "xcase iuclc olcuc", "-xcase -iuclc -olcuc"},
	{"ek", "erase ^? kill ^U", ""},
	{"crt", "echoe echoctl echoke", ""},
	{"dec", "intr ^C erase ^? kill ^U -ixany echoe echoctl echoke", ""},
}

// A speed is one in bauds, and its code.
type speed struct {
	bauds string
	code  uint32
}

var speeds = [...]speed{
	{"0", unix.B0}, {"50", unix.B50}, {"75", unix.B75}, {"110", unix.B110}, {"134", unix.B134},
	{"150", unix.B150}, {"200", unix.B200}, {"300", unix.B300}, {"600", unix.B600}, {"1200", unix.B1200},
	{"1800", unix.B1800}, {"2400", unix.B2400}, {"4800", unix.B4800}, {"9600", unix.B9600},
	{"19200", unix.B19200}, {"38400", unix.B38400}, {"57600", unix.B57600}, {"115200", unix.B115200},
	{"230400", unix.B230400}, {"460800", unix.B460800}, {"500000", unix.B500000}, {"576000", unix.B576000},
	{"921600", unix.B921600}, {"1000000", unix.B1000000}, {"1152000", unix.B1152000}, {"1500000", unix.B1500000},
	{"2000000", unix.B2000000}, {"2500000", unix.B2500000}, {"3000000", unix.B3000000},
	{"3500000", unix.B3500000}, {"4000000", unix.B4000000},
}

// bauds is the text of a speed's code.
func bauds(code uint32) string {
	for i := range speeds {
		if speeds[i].code == code {
			return speeds[i].bauds
		}
	}
	return "0"
}
