package quote

// This file is the history of npm shell-quote's quote() as data: the sets of
// characters, the classes of releases that behave alike, and which release
// belongs to which. The facts come from running the published packages.

// set is a set of bytes. All characters that shell-quote escapes are ASCII, so
// the bytes of a longer UTF-8 sequence are never members.
type set [256]bool

func newSet(members string) *set {
	s := new(set)
	for i := range len(members) {
		s[members[i]] = true
	}
	return s
}

var (
	// What gets a backslash between double quotes.
	dqMany   = newSet("\"\\$`(){}!#&*|")
	dqBang   = newSet("\"\\$`!")
	dqNoBang = newSet("\"\\$`")

	// What gets a backslash in a word without quotes.
	bareBraces = newSet("\\$`(){}!#&*|")
	bareSlim   = newSet("\\$`()!#&*|")
	bareFull   = newSet("#!\"$&'()*,:;<=>?@[\\]^`{|}")
	bareTilde  = newSet("#!\"$&'()*,:;<=>?@[\\]^`{|}~")

	// What the drive rule takes for a letter. The wide range also holds the
	// six characters between Z and a, among them the backquote.
	driveNone   = newSet("")
	driveWide   = newSet("ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz")
	driveNarrow = newSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

	// What gets a backslash in a glob pattern, besides white space.
	globPlain = newSet("#!\"$&'():;<=>@\\^`|")
	globTilde = newSet("#!\"$&'():;<=>@\\^`|~")
)

// opsShort and opsLong are the operators that object tokens may name, where
// they are checked at all.
var (
	opsShort = []string{
		"||", "&&", ";;", "|&", "<(", "<<<", ">>", ">&", "<&",
		"&", ";", "(", ")", "|", "<", ">",
	}
	opsLong = []string{
		"||", "&&", ";;", "|&", "<(", "<<<", ">>", ">&", "<&",
		"&", ";", "(", ")", "|", "<", ">",
		";;&", ";&", ">(", "<<-", "<<", ">|", "&>>", "&>", "<>",
	}
)

// class is one behaviour of quote(), shared by a range of releases.
type class struct {
	letter byte
	doc    string // the trait that sets it apart, for Quoter.Doc

	dq, bare, drive *set

	collapse    bool // a pair of backslashes in a bare word becomes one
	empty       bool // "" gives '' and not nothing at all
	literal     bool // a backslash selects single quotes, which keep it as it is
	bangRequote bool // a quote together with ! selects the '"'"' idiom

	ops           []string // the accepted operators, nil: object tokens are unchecked
	glob          *set     // only where object tokens are checked
	emptyGlob     bool     // an empty pattern gives ''
	lineAfterHash bool     // a string with a line end may not follow a comment
}

// classes runs from the oldest to the newest behaviour.
var classes = []class{
	{letter: 'A', doc: "escapes braces and parentheses also between double quotes",
		dq: dqMany, bare: bareBraces, drive: driveNone},
	{letter: 'B', doc: "leaves braces bare",
		dq: dqBang, bare: bareSlim, drive: driveNone},
	{letter: 'C', doc: "escapes 27 characters in a bare word",
		dq: dqBang, bare: bareFull, drive: driveNone},
	{letter: 'D', doc: "drive rule with the wide letter range, halves backslashes in a bare word",
		dq: dqBang, bare: bareFull, drive: driveWide, collapse: true},
	{letter: 'E', doc: "drive rule with the wide letter range, which leaves a backquote live",
		dq: dqBang, bare: bareFull, drive: driveWide},
	{letter: 'F', doc: "drive rule for letters only, the empty string vanishes",
		dq: dqBang, bare: bareFull, drive: driveNarrow},
	{letter: 'G', doc: "keeps the empty string, doubles backslashes between single quotes",
		dq: dqBang, bare: bareFull, drive: driveNarrow, empty: true},
	{letter: 'H', doc: "a backslash selects single quotes, a tilde stays bare",
		dq: dqBang, bare: bareFull, drive: driveNarrow, empty: true, literal: true},
	{letter: 'I', doc: "as 1.8.3 for strings, object tokens are checked",
		dq: dqBang, bare: bareFull, drive: driveNarrow, empty: true, literal: true,
		ops: opsShort, glob: globPlain},
	{letter: 'J', doc: "escapes the tilde, still writes \\! between double quotes",
		dq: dqBang, bare: bareTilde, drive: driveNarrow, empty: true, literal: true,
		ops: opsShort, glob: globPlain},
	{letter: 'K', doc: "a quote together with ! selects single quotes",
		dq: dqNoBang, bare: bareTilde, drive: driveNarrow, empty: true, literal: true, bangRequote: true,
		ops: opsShort, glob: globTilde, emptyGlob: true, lineAfterHash: true},
	{letter: 'L', doc: "as 1.11.0 for strings, accepts more operators",
		dq: dqNoBang, bare: bareTilde, drive: driveNarrow, empty: true, literal: true, bangRequote: true,
		ops: opsLong, glob: globTilde, emptyGlob: true, lineAfterHash: true},
}

// release is one published version.
type release struct {
	version string
	letter  byte
	strict  bool // throws for null, undefined and numbers
}

// releases lists every version published from 1.4.0 to 1.12.0, oldest first.
var releases = []release{
	{"1.4.0", 'A', true}, {"1.4.1", 'A', true}, {"1.4.2", 'A', false},
	{"1.4.3", 'B', false}, {"1.5.0", 'B', false}, {"1.6.0", 'B', false},
	{"1.6.1", 'C', false}, {"1.6.2", 'C', false},
	{"1.6.3", 'D', false}, {"1.7.0", 'D', false}, {"1.7.1", 'D', false},
	{"1.7.2", 'E', false},
	{"1.7.3", 'F', false}, {"1.7.4", 'F', false}, {"1.8.0", 'F', false}, {"1.8.1", 'F', false},
	{"1.8.2", 'G', false},
	{"1.8.3", 'H', false},
	{"1.8.4", 'I', false},
	{"1.9.0", 'J', false}, {"1.10.0", 'J', false},
	{"1.11.0", 'K', false},
	{"1.12.0", 'L', false},
}
