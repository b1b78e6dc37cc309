package guard

// A Limit is something that guard@repaired cannot know because it only reads.
type Limit struct {
	Name    string
	Why     string // without a final period
	Example string // a command that may wait, and that it lets pass
}

// Limits lists them.
var Limits = []Limit{
	{"what is not in the command", "what an expansion comes to, and so where a redirection leads, is not known where the text does not say it; the entries below are cases of this", `python3 $FILES`},
	{"program from the environment", "the value of a variable that the command does not set stands nowhere in it", `"$EDITOR" x`},
	{"options from the environment", "a variable may hold options, and is taken for an operand", `python3 $OPTIONS s.py`},
	{"program from a command's output", "what a program prints is known when it has run; only echo, printf and cat <<EOF are read", `$(which vim) x`},
	{"program that is read", "read and mapfile get their text elsewhere; only a text that stands in the command is read", `read -r p < config; $p x`},
	{"program by expansion operators", "of ${...} only the defaults are worked out", `p=vimx; ${p%x} x`},
	{"program by pattern", "which files there are is not known", `/usr/bin/vi[m] x`},
	{"program by arithmetic", "no arithmetic is done", `a=(cat vim); ${a[1-0]} x`},
	{"sourced file", "its text is not in the command", `. ./edit.sh`},
	{"script", "a script, a makefile or a program may start anything", `make menuconfig`},
	{"alias", "an alias replaces words before they are parsed, where aliases are on", "shopt -s expand_aliases; alias e=vim\ne x"},
	{"name from elsewhere", "functions of the environment and what PATH finds first are not in the command", `edit x`},
	{"text that is not literal", "what a program prints into a shell is not known", `sed s/x/vim/ cmds | sh`},
	{"words for xargs", "the words that xargs appends may be the program", `echo vim | xargs env`},
	{"parser", "what the parser refuses and bash does not is taken for refused", "for ((;;)) { vim; break; }; a=(b)c"},
	{"remote shell", "only the programs at the beginning of a remote command's parts are looked at", `ssh -t host 'if true; then vim; fi'`},
	{"container's command", "a text for a shell in a container is not followed", `docker exec -it c sh -c 'vim x'`},
	{"signal handlers", "whether a signal comes is not known", `trap vim USR1; kill -USR1 $$`},
	{"size", "no more than 64 KiB are read, 5,000 steps followed and 16 values of a variable tried", `for p in a b c d e f g h i j k l m n o p vim; do $p x; done`},
	{"content", "whether a file fits the screen, a password is asked for or a host answers is not known", `git log`},
}
