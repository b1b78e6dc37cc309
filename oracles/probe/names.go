package probe

// Names are the program names under which the probe lies on PATH in a home of
// the command paths: probe itself, and the programs that the generator and the
// guards know.
var Names = []string{
	"probe",
	"awk", "bat", "cargo", "cat", "curl", "docker", "emacs", "find", "git", "go", "grep",
	"head", "htop", "jq", "less", "ls", "make", "man", "more", "mysql", "nano",
	"node", "npm", "npx", "nvim", "perl", "psql", "python", "python3", "rg",
	"ruby", "sed", "sort", "sqlite3", "ssh", "sudo", "tail", "tar", "tee", "timeout", "top",
	"tr", "vi", "view", "vim", "wc", "xargs",
}

// Variable is the environment variable whose decimal number a probe reports. It
// is exactly seven bytes long, so that with its = it is one machine word.
const Variable = "ARGDIFF"

// Cleaner is a name under which the probe reports nothing but removes the files
// that its arguments name.
const Cleaner = ":clean"
