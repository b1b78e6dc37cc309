package program

import "strings"

func screens(t *table) {
	for _, n := range strings.Fields("vim vi nvim view ex rvim rview vimdiff nvimdiff") {
		t.named[n] = vim
	}
	t.add("nano pico rnano", "C:J:o:Q:r:s:T:X:Y:", "version help backupdir= fill= guidestripe= operatingdir= quotestr= speller= syntax= tabsize= wordchars=",
		func(l line, on Terminals) bool { return on.In && always(l, on) })
	emacs := grammarOf("l:f:L:d:t:x:u:T:", "batch script= version help kill daemon=? bg-daemon=? fg-daemon=? load= funcall= eval= execute= insert= find-file= visit= file= directory= display= terminal= user= chdir= title= name= init-directory=").dashed()
	t.addRule("emacs", rule{emacs, func(l line, on Terminals) bool {
		return on.In && !l.quiet() && !l.has("--batch", "--script", "-x", "--kill", "--daemon", "--bg-daemon")
	}})
	t.add("emacsclient", "a:c:d:f:e:s:T:F:", "version help no-wait eval", func(l line, on Terminals) bool {
		return always(l, on) && !l.has("--no-wait", "-n", "--eval", "-e")
	})
	t.add("joe jmacs jstar micro hx helix kak ne jed mcedit tig mc mutt neomutt lazygit lazydocker k9s ranger nnn vifm lf ncdu aptitude alsamixer nmtui cfdisk dialog whiptail glances atop nvtop",
		"", "version help", func(l line, on Terminals) bool { return on.Out && always(l, on) })

	// less pages its --help, too; seen of release 590 in a terminal. It reads the
	// keys from the terminal whatever its input is. Whether -F or -E end it is the
	// file's to decide.
	less := grammarOf("b:h:j:k:o:O:p:P:t:T:x:y:z:D:#:", "help version buffers= max-back-scroll= jump-target= lesskey-file= log-file= LOG-FILE= pattern= prompt= tag= tag-file= tabs= max-forw-scroll= window= color= shift= quit-if-one-screen quit-at-eof QUIT-AT-EOF")
	t.addRule("less", rule{less, func(l line, on Terminals) bool {
		if !on.Out || l.has("--version", "-V") {
			return false
		}
		return !on.In || l.has("--help", "-?") || len(l.operands) > prefixed(l.operands, "+")
	}})
	t.addRule("more most pg", rule{grammarOf("n:", "version help lines="), func(l line, on Terminals) bool {
		return on.Out && always(l, on) && (!on.In || len(l.operands) > prefixed(l.operands, "+"))
	}})
	// man pages where its output is the terminal.
	t.add("man", "C:D::E:L:M:S:s:e:p:P:r:R:T::H::X::m:", "apropos whatis where where-cat path location location-cat help usage version catman pager= config-file= manpath= sections= extension= locale= systems= encoding= preprocessor= prompt= recode= local-file global-apropos troff troff-device=? html=? gxditview=? ditroff update no-subpages all debug ignore-case match-case regex wildcard names-only ascii no-hyphenation no-justification default=? warnings=?",
		func(l line, on Terminals) bool {
			pager, set := l.value("-P", "--pager")
			if set && (pager == "cat" || pager == "") {
				return false
			}
			return on.Out && len(l.operands) > 0 && !l.quiet() && !l.has("-V", "-h", "-?", "--usage", "-k", "--apropos", "-f", "--whatis", "-w", "-W", "--path", "--where", "--location", "--where-cat", "--location-cat", "-t", "--troff", "-T", "--troff-device", "-Z", "--ditroff", "-c", "--catman", "-H", "--html", "-X", "--gxditview", "-u", "--update")
		})

	// top ends by itself behind -n, and fails without a terminal to read.
	t.addRule("top", rule{grammarOf("d:n:p:o:u:U:w::E:e:s:", "version help"), func(l line, on Terminals) bool {
		return (on.In || l.has("-b")) && !l.quiet() && !l.has("-n", "-h", "-v", "-V", "-O")
	}})
	t.add("htop", "d:u:p:s:n:", "version help delay= user= pid= sort-key= max-iterations= filter=", func(l line, on Terminals) bool {
		return always(l, on) && !l.has("-n", "--max-iterations")
	})
	t.add("btop bpytop bashtop btm gotop nmon", "", "version help", func(l line, on Terminals) bool { return always(l, on) && !l.has("-v") })
	t.addRule("watch", rule{grammarOf("n:d::q:s:", "version help interval= equexit= differences=?").ended(), func(l line, on Terminals) bool {
		return always(l, on) && !l.has("-v") && len(l.operands) > 0
	}})
	// They read the keys from the terminal itself.
	t.add("fzf sk", "f:q:n:d:m::", "filter= version help bash zsh fish man query= nth= with-nth= delimiter= bind= preview= prompt= header= height= min-height= layout= border=? multi=?",
		func(l line, on Terminals) bool {
			return always(l, on) && !l.has("--filter", "-f", "--bash", "--zsh", "--fish", "--man")
		})
	t.add("peco gum percol", "", "version help", always)
	t.addRule("tmux", rule{grammarOf("c:f:L:S:T:", "").ended(), func(l line, on Terminals) bool {
		sub := ""
		if len(l.operands) > 0 {
			sub = l.operands[0]
		}
		switch sub {
		case "new-session", "new":
			return on.In && !grammarOf("c:e:F:f:n:s:t:x:y:", "").ended().read(l.operands[1:]).has("-d")
		case "", "attach-session", "attach", "a", "at":
			return on.In && !l.has("-V", "-c")
		}
		return false
	}})
	t.addRule("screen", rule{grammarOf("c:e:h:p:s:S:t:T:", "version help").ended(), func(l line, on Terminals) bool {
		return on.In && !l.quiet() && !l.has("-v", "-X", "-Q", "-l") && !(l.has("-m") && (l.has("-d") || l.has("-D")))
	}})
}

// prefixed returns how many words have a prefix.
func prefixed(words []string, prefix string) (n int) {
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			n++
		}
	}
	return n
}

// vim reads vim's arguments, which are of a kind of their own. It reads keys from
// standard error where its input is no terminal.
func vim(argv []string, on Terminals) string {
	name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	ex, silent, quits, files := name == "ex", false, false, 0
	for i := 1; i < len(argv); i++ {
		a := argv[i]
		next := func() string {
			if i+1 < len(argv) {
				i++
				return argv[i]
			}
			return ""
		}
		switch {
		case a == "--":
			i = len(argv)
		case strings.HasPrefix(a, "+"):
			quits = quits || quit(a[1:])
		case a == "--cmd", a == "--servername", a == "--startuptime", a == "--listen", a == "--server", a == "--socketid":
			if c := next(); a == "--cmd" {
				quits = quits || quit(c)
			}
		case a == "--version", a == "--help", a == "--serverlist", a == "--api-info":
			return ""
		case strings.HasPrefix(a, "--remote"):
			if !strings.Contains(a, "-wait") && !strings.HasPrefix(a, "--remote-ui") {
				return ""
			}
		case strings.HasPrefix(a, "--"), a == "-", len(a) < 2 || a[0] != '-':
			files++
		default:
			for k := 1; k < len(a); k++ {
				rest := a[k+1:]
				switch c := a[k]; c {
				case 'e', 'E':
					ex = true
				case 'h', 'r', 'L':
					if c == 'h' || rest == "" && i+1 == len(argv) && files == 0 {
						return "" // tells what it is, or which files can be recovered
					}
				case 's':
					if ex {
						silent = true
					} else if rest == "" {
						next()
					}
				case 'V':
					k = len(a)
				case 'l':
					if name == "nvim" {
						return "" // runs a script
					}
				case 'c', 'S', 'T', 'u', 'U', 'i', 'w', 'W', 't', 'P':
					if rest == "" {
						rest = next()
					}
					quits = quits || c == 'c' && quit(rest)
					k = len(a)
				case 'v':
					ex = false
					if name == "nvim" {
						return ""
					}
				}
			}
		}
	}
	// It takes keys from standard error where that is the only terminal.
	if quits || silent && !on.In || !on.In && !on.Out && !on.Err {
		return ""
	}
	return name
}

// quit reports whether the last of the commands of vim in a text ends it.
func quit(text string) bool {
	last := strings.Trim(text[strings.LastIndexByte(text, '|')+1:], " \t:!")
	last = strings.TrimPrefix(last, "silent ")
	switch strings.TrimLeft(last, "! ") {
	case "q", "qu", "quit", "qa", "qal", "qall", "quita", "quitall", "wq", "wqa", "wqall", "x", "xi", "xit", "exi", "exit", "xa", "xal", "xall", "cq", "cquit", "norm ZZ", "norm ZQ", "normal ZZ", "normal ZQ":
		return true
	}
	return false
}
