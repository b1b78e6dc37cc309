package program

import (
	"slices"
	"strings"
)

func gits(t *table) { t.named["git"] = git }

var gitGlobal = grammarOf("C:c:pPhv", "version help exec-path=? html-path man-path info-path paginate no-pager no-replace-objects no-lazy-fetch no-optional-locks no-advice bare git-dir= work-tree= namespace= super-prefix= config-env= attr-source= list-cmds= literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs").ended().full()

// A gitCommand waits because of what editor and hunks say of its arguments: the
// first for an editor, which takes its keys from the terminal whatever the input of
// git is; the second for questions, which git reads from its input.
type gitCommand struct {
	grammar *optionGrammar
	name    string // where it is not "git" and the command's
	editor  func(l line, on Terminals) bool
	hunks   func(l line) bool
}

func patch(l line) bool { return l.has("-p", "--patch") }

var gitCommands = map[string]gitCommand{
	"rebase": {grammar: grammarOf("ix:s:X:C:S::r::mqvfnk", "interactive onto= exec= strategy= strategy-option= whitespace= gpg-sign=? rebase-merges=? empty= edit-todo continue skip abort quit show-current-patch autosquash no-autosquash autostash no-autostash root keep-base keep-empty no-keep-empty no-ff force-rebase fork-point no-fork-point merge apply update-refs stat no-stat verbose quiet verify no-verify signoff committer-date-is-author-date ignore-date reset-author-date ignore-whitespace reapply-cherry-picks reschedule-failed-exec allow-empty-message rerere-autoupdate"),
		name: "git rebase -i", editor: func(l line, _ Terminals) bool { return l.has("-i", "--interactive", "--edit-todo") }},
	"commit": {grammar: grammarOf("m:F:C:c:t:S::u::U:apqvesnio", "message= file= reuse-message= reedit-message= template= fixup= squash= author= date= cleanup= trailer= pathspec-from-file= pathspec-file-nul gpg-sign=? no-gpg-sign untracked-files=? unified= inter-hunk-context= all patch interactive amend edit no-edit verify no-verify dry-run short branch porcelain long null status no-status quiet verbose signoff no-signoff reset-author allow-empty allow-empty-message only include ahead-behind no-post-rewrite"),
		editor: commitEdits},
	"add": {grammar: grammarOf("ipevnfuAN", "interactive patch edit verbose dry-run force update all no-all intent-to-add refresh ignore-errors ignore-missing renormalize chmod= sparse pathspec-from-file= pathspec-file-nul ignore-removal no-ignore-removal"),
		name: "git add -p", hunks: patch, editor: func(l line, _ Terminals) bool { return l.has("-e", "--edit") && !patch(l) }},
	"checkout": {grammar: grammarOf("b:B:pfqmlt::d", "patch orphan= conflict= pathspec-from-file= progress no-progress"), name: "git checkout -p", hunks: patch},
	"restore":  {grammar: grammarOf("ps:SWqm", "patch source= staged worktree conflict= pathspec-from-file="), name: "git restore -p", hunks: patch},
	"reset":    {grammar: grammarOf("pqN", "patch soft mixed hard merge keep quiet pathspec-from-file="), name: "git reset -p", hunks: patch},
	"stash": {grammar: grammarOf("pm:ukqaS", "patch message= pathspec-from-file= include-untracked keep-index no-keep-index all quiet staged"), name: "git stash -p", hunks: func(l line) bool {
		return patch(l) && (len(l.operands) == 0 || l.operands[0] == "push" || l.operands[0] == "save")
	}},
	"clean": {grammar: grammarOf("ie:dfnqxX", "interactive exclude= dry-run quiet"), name: "git clean -i", hunks: func(l line) bool { return l.has("-i", "--interactive") }},
	"am":    {grammar: grammarOf("iC:p:S::", "interactive directory= exclude= include= whitespace= patch-format="), name: "git am -i", hunks: func(l line) bool { return l.has("-i", "--interactive") }},
	"tag": {grammar: grammarOf("asu:m:F:fdlven::i", "annotate sign local-user= message= file= force delete list verify edit cleanup= contains= no-contains= merged= no-merged= points-at= sort= format= column=? create-reflog"),
		editor: func(l line, _ Terminals) bool {
			return !l.has("-d", "--delete", "-l", "--list", "-v", "--verify") && (l.has("-e", "--edit") ||
				l.has("-a", "--annotate", "-s", "--sign", "-u", "--local-user") && !l.has("-m", "--message", "-F", "--file"))
		}},
	// Whether a merge is one or only moves a branch forward is the repository's to say.
	"merge": {grammar: grammarOf("m:F:s:X:S::eqvn", "message= file= strategy= strategy-option= gpg-sign=? edit no-edit ff no-ff ff-only commit no-commit squash no-squash continue abort quit cleanup= into-name= log=? no-log"),
		editor: func(l line, on Terminals) bool {
			if l.has("--no-edit", "--abort", "--quit", "--no-commit", "--squash", "--ff-only") {
				return false
			}
			return l.has("-e", "--edit", "--continue") || l.has("--no-ff") && on.In && on.Out && !l.has("-m", "--message", "-F", "--file")
		}},
	"revert": {grammar: grammarOf("m:s:X:S::en", "mainline= strategy= strategy-option= gpg-sign=? edit no-edit no-commit continue abort quit skip cleanup= reference"),
		editor: func(l line, on Terminals) bool {
			return !l.has("--no-edit", "-n", "--no-commit", "--abort", "--quit", "--skip") && (on.In || l.has("-e", "--edit"))
		}},
	"cherry-pick": {grammar: grammarOf("m:s:X:S::exnr", "mainline= strategy= strategy-option= gpg-sign=? edit no-edit no-commit continue abort quit skip cleanup="),
		editor: func(l line, _ Terminals) bool { return l.has("-e", "--edit") && !l.has("-n", "--no-commit") }},
	"notes": {grammar: grammarOf("m:F:c:C:f", "ref= message= file= reuse-message= reedit-message= force allow-empty separator=?"),
		editor: func(l line, _ Terminals) bool {
			return len(l.operands) > 0 && (l.operands[0] == "edit" || (l.operands[0] == "add" || l.operands[0] == "append") && !l.has("-m", "--message", "-F", "--file", "-C", "--reuse-message"))
		}},
	"config": {grammar: grammarOf("ef:l", "edit file= blob= type= default= global system local worktree"), name: "git config -e",
		editor: func(l line, _ Terminals) bool {
			return l.has("-e", "--edit") || len(l.operands) == 1 && l.operands[0] == "edit"
		}},
	"branch": {grammar: grammarOf("u:", "edit-description set-upstream-to= contains= sort= format= points-at="), name: "git branch --edit-description",
		editor: func(l line, _ Terminals) bool { return l.has("--edit-description") }},
	"replace":   {grammar: grammarOf("efdlg", "edit format= graft"), name: "git replace --edit", editor: func(l line, _ Terminals) bool { return l.has("-e", "--edit") }},
	"mergetool": {grammar: grammarOf("t:yO:g", "tool= tool-help gui no-gui prompt no-prompt"), editor: func(l line, _ Terminals) bool { return !l.has("--tool-help") }},
	"difftool":  {grammar: grammarOf("t:yx:gd", "tool= tool-help extcmd= gui no-gui prompt no-prompt dir-diff trust-exit-code"), editor: func(l line, _ Terminals) bool { return !l.has("--tool-help", "-x", "--extcmd") }},
}

// commitEdits reports whether a commit opens the editor.
func commitEdits(l line, _ Terminals) bool {
	fixup, fixes := l.value("--fixup")
	switch {
	case l.has("--dry-run", "--short", "--porcelain", "--long"):
		return false
	case lastOf(l, "-e", "--edit", "--no-edit") == "--no-edit":
		return false
	case l.has("-e", "--edit", "-c", "--reedit-message"):
		return true
	case l.has("-m", "--message", "-F", "--file", "-C", "--reuse-message"):
		return false
	}
	return !fixes || strings.HasPrefix(fixup, "amend:") || strings.HasPrefix(fixup, "reword:")
}

// lastOf returns that of the options which is given last.
func lastOf(l line, names ...string) string {
	for i := len(l.options) - 1; i >= 0; i-- {
		if slices.Contains(names, l.options[i].name) {
			return l.options[i].name
		}
	}
	return ""
}

// git opens editors, asks about hunks and pages manuals. The pager of log, diff and
// show ends by itself for what fits the screen (less -F), which only the repository
// knows: those are taken not to wait.
func git(argv []string, on Terminals) string {
	g := gitGlobal.read(argv[1:])
	args := g.operands
	if g.has("--version", "-v") || len(args) == 0 {
		return ""
	}
	sub, args := args[0], args[1:]
	manual := func(of []string) string {
		if on.Out && prefixed(of, "-") < len(of) {
			return "git help"
		}
		return ""
	}
	editor, sequence := "", ""
	for _, o := range g.options {
		if key, value, _ := strings.Cut(o.value, "="); o.name == "-c" {
			switch strings.ToLower(key) {
			case "core.editor":
				editor = value
			case "sequence.editor":
				sequence = value
			}
		}
	}
	switch {
	case g.has("--help", "-h"):
		return manual([]string{sub})
	case sub == "help":
		if l := grammarOf("agmiwcv", "all guides man info web config verbose").read(args); l.has("-a", "-g", "-w", "-c", "--all", "--guides", "--web", "--config") {
			return ""
		}
		return manual(args)
	case len(args) == 1 && args[0] == "--help":
		return manual([]string{sub})
	case len(args) == 1 && args[0] == "-h":
		return ""
	}
	if sub == "stage" {
		sub = "add"
	}
	c, ok := gitCommands[sub]
	if !ok {
		return ""
	}
	l := c.grammar.read(args)
	name := c.name
	if name == "" {
		name = "git " + sub
	}
	if sub == "rebase" && sequence != "" {
		editor = sequence
	}
	if on.In {
		switch {
		case sub == "add" && l.has("-i", "--interactive"):
			return "git add -i"
		case sub == "commit" && l.has("-p", "--patch", "--interactive"):
			return "git commit -p"
		case c.hunks != nil && c.hunks(l):
			return name
		}
	}
	if c.editor == nil || !c.editor(l, on) || Idle(editor) {
		return ""
	}
	if sub == "add" {
		return "git add -e"
	}
	return name
}

// Idle reports whether an editor is one that changes nothing, as scripts name it.
func Idle(editor string) bool {
	switch strings.TrimSpace(editor) {
	case "true", ":", "/bin/true", "/usr/bin/true", "cat", "echo":
		return true
	}
	return false
}
