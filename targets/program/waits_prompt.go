package program

import (
	"slices"
	"strings"
)

var pythons = rule{grammarOf("c:m:W:X:", "version help check-hash-based-pycs= help-env help-xoptions help-all").ended().full(), python}

func readers(t *table) {
	t.addRule("python pypy pypy3 ipython ipython3 bpython ptpython", pythons)
	t.addRule("node nodejs", rule{grammarOf("r:C:e:p::", "require= import= loader= experimental-loader= conditions= env-file= input-type= eval= print=? version help v8-options completion-bash check interactive watch test run= title= icu-data-dir= openssl-config= diagnostic-dir= redirect-warnings= test-reporter= test-name-pattern= watch-path= build-snapshot-config=").ended().full(), node})
	t.addRule("deno", rule{grammarOf("", "version help").ended(), func(l line, on Terminals) bool {
		return on.In && !l.quiet() && !l.has("-h", "-V") && (len(l.operands) == 0 || l.operands[0] == "repl" && !slices.Contains(l.operands, "--help"))
	}})
	t.add("irb", "r:I:E:U:", "version help prompt= prompt-mode= back-trace-limit=", func(l line, on Terminals) bool {
		return prompts(l, on) && !l.has("-v") && script(l) == ""
	})
	t.add("pry", "e:r:I:c:s:", "version help exec= require= context= config=", func(l line, on Terminals) bool { return prompts(l, on) && !l.has("-v") })
	t.addRule("ruby", rule{grammarOf("C:e:E:F:I:r:x::0::K::T::W::i::", "version help copyright external-encoding= internal-encoding= encoding= parser= disable= enable= dump=").ended().full(), func(l line, on Terminals) bool {
		return prompts(l, on) && !l.has("-e", "--copyright") && script(l) == "" && !(l.has("-v") && len(l.operands) == 0)
	}})
	t.addRule("perl", rule{grammarOf("e:E:I:m:M:x::0::i::l::C::d::D::F::V::", "version help").ended().full(), func(l line, on Terminals) bool {
		return prompts(l, on) && !l.has("-e", "-E", "-v") && script(l) == ""
	}})
	t.addRule("php", rule{grammarOf("c:d:f:r:B:R:F:E:S:t:z:", "version help interactive run= file= ini=? rf= rc= re= rz= ri= info modules strip syntax-check process-begin= process-code= process-file= process-end= server= docroot= define= php-ini= zend-extension=").ended().full(), func(l line, on Terminals) bool {
		return prompts(l, on) && !l.has("-r", "-f", "-B", "-R", "-F", "-E", "-S", "-i", "-m", "-v", "--run", "--file", "--ini", "--rf", "--rc", "--re", "--rz", "--ri", "--info", "--modules", "--server", "--process-code", "--process-file", "--process-begin", "--process-end") &&
			(len(l.operands) == 0 || l.behind == len(l.operands))
	}})
	t.add("ghci", "e:", "version help", func(l line, on Terminals) bool { return prompts(l, on) && !l.has("-e", "-?") })
	t.addRule("lua luajit lua5.1 lua5.2 lua5.3 lua5.4", rule{grammarOf("e:l:", "").ended(), func(l line, on Terminals) bool {
		return on.In && (l.has("-i") || script(l) == "" && !(l.has("-e", "-v") && len(l.operands) == 0))
	}})
	t.addRule("julia", rule{grammarOf("e:E:L:p:t:J:C:H:", "version help eval= print= load= project=? interactive").ended(), func(l line, on Terminals) bool {
		return on.In && !l.quiet() && !l.has("-v", "-h") && (l.has("-i", "--interactive") || len(l.operands) == 0 && !l.has("-e", "-E", "--eval", "--print"))
	}})
	t.add("R", "e:f:g:d:", "version help file= interactive gui= debugger= encoding= args", func(l line, on Terminals) bool {
		return prompts(l, on) && !l.has("-e", "-f", "--file") && (len(l.operands) == 0 || l.operands[0] != "CMD" && l.operands[0] != "RHOME")
	})
	t.add("iex erl jshell ghc-repl utop", "", "version help", prompts)
	t.add("bc dc ed", "e:f:p:", "version help expression= file= prompt=", func(l line, on Terminals) bool {
		return prompts(l, on) && !l.has("-v", "-e", "-f", "--expression", "--file")
	})

	// -l lists, -c and -f run something; -W asks for a password in any case.
	t.add("psql", "c:d:f:F:h:L:o:p:P:R:T:U:v:", "echo-all no-align command= dbname= echo-queries echo-errors echo-hidden file= field-separator= field-separator-zero host= html list log-file= no-readline single-transaction output= port= pset= quiet record-separator= record-separator-zero single-step single-line tuples-only table-attr= username= set= variable= version no-password password expanded no-psqlrc help=? csv",
		func(l line, on Terminals) bool {
			file, _ := l.value("-f", "--file")
			switch {
			case l.quiet() || l.has("-V", "-?"):
				return false
			case l.has("-W", "--password"):
				return true
			}
			return on.In && (file == "-" || !l.has("-c", "--command", "-f", "--file", "-l", "--list"))
		})
	// A -p without its password asks for it at the terminal itself.
	database := func(reads bool) func(l line, on Terminals) bool {
		return func(l line, on Terminals) bool {
			if l.quiet() || l.has("-V", "-?", "-I", "--print-defaults") {
				return false
			}
			for _, o := range l.options {
				if (o.name == "-p" || o.name == "--password") && o.value == "" {
					return true
				}
			}
			return reads && on.In && !l.has("-e", "--execute")
		}
	}
	const server = "version help execute= user= password=? host= port= socket= database= default-character-set= defaults-file= defaults-extra-file= defaults-group-suffix= login-path= print-defaults protocol= ssl-ca= ssl-cert= ssl-key= ssl-mode= delimiter= prompt= init-command= plugin-dir= tee= pager=?"
	t.add("mysql mariadb", "e:u:p::h:P:S:D:O:", server, database(true))
	t.add("mysqldump mysqladmin mysqlimport mysqlshow mariadb-dump mariadb-admin", "u:p::h:P:S:O:r:w:", server, database(false))
	// -batch makes no prompt, and reads from the terminal nevertheless.
	t.addRule("sqlite3", rule{grammarOf("", "version help batch cmd= init= separator= newline= nullvalue= vfs= mmap= maxsize= heap=").dashed().full(), func(l line, on Terminals) bool {
		return on.In && !l.quiet() && len(l.operands) < 2
	}})
	t.addRule("redis-cli valkey-cli", rule{grammarOf("h:p:s:a:u:r:i:n:d:D:X:t:", "version help user= pass= askpass pipe pipe-timeout= eval= scan pattern= quoted-pattern= count= bigkeys memkeys memkeys-samples= keystats hotkeys stat latency latency-history latency-dist lru-test= rdb= functions-rdb= intrinsic-latency= cluster replica slave cacert= cacertdir= cert= key= sni= tls-ciphers= show-pushes=").ended().full(), redis})
	t.add("mongo mongosh", "u:p:f:h:", "version help eval= file= nodb shell norc quiet host= port= username= password=? authenticationDatabase= authenticationMechanism= tls ssl tlsCAFile= json=? apiVersion= build-info", func(l line, on Terminals) bool {
		file := l.has("--eval", "--file", "-f") || slices.ContainsFunc(l.operands, func(w string) bool {
			return strings.HasSuffix(w, ".js") || strings.HasSuffix(w, ".mjs") || strings.HasSuffix(w, ".mongodb")
		})
		return prompts(l, on) && !l.has("--build-info") && (!file || l.has("--shell"))
	})

	debugger := func(l line, on Terminals) bool {
		for _, o := range l.options {
			switch o.name {
			case "--ex", "--eval-command", "-o", "--one-line", "--iex", "--init-eval-command":
				if c := strings.TrimSpace(o.value); c == "q" || c == "quit" {
					return false
				}
			}
		}
		return prompts(l, on) && !l.has("--batch", "--batch-silent", "-b", "-v", "--v", "--h", "--configuration", "-P", "--python-path")
	}
	t.addRule("gdb", rule{grammarOf("d:s:e:c:p:x:b:l:t:i:D:", "batch batch-silent version v help h configuration args ex= eval-command= iex= init-eval-command= x= ix= command= init-command= eix= early-init-eval-command= directory= symbols= exec= se= core= pid= cd= tty= interpreter= data-directory= nx nh nw q quiet silent tui write").dashed(), debugger})
	t.addRule("lldb", rule{grammarOf("o:s:O:S:k:K:a:c:n:p:l:Q", "batch version help python-path one-line= source= one-line-before-file= source-before-file= one-line-on-crash= source-on-crash= arch= core= attach-name= attach-pid= file= wait-for repl=? script-language=").full(), debugger})
}

// script returns the operand from which a program reads what to do, or "" where it
// reads that from its input.
func script(l line) string {
	if len(l.operands) == 0 || l.operands[0] == "-" {
		return ""
	}
	if l.operands[0] == "" {
		return " "
	}
	return l.operands[0]
}

// python prompts without a script, and behind one with -i; some of its modules do.
func python(l line, on Terminals) bool {
	if !on.In || l.quiet() || l.has("-V", "-h", "-?", "--help-env", "--help-xoptions", "--help-all") {
		return false
	}
	for _, o := range l.options {
		switch o.name {
		case "-i":
			return true
		case "-c":
			return false
		case "-m":
			return slices.Contains([]string{"code", "pdb", "asyncio", "IPython"}, o.value)
		}
	}
	return script(l) == ""
}

func node(l line, on Terminals) bool {
	switch {
	case l.quiet() || l.has("-h", "-v", "--v8-options", "--completion-bash", "--test", "--run"):
		return false
	case l.has("--watch", "--watch-path"):
		return len(l.operands) > 0
	case !on.In:
		return false
	case l.has("-i", "--interactive"):
		return true
	case l.has("-e", "-p", "--eval", "--print"):
		return false
	}
	s := script(l)
	return s == "" || s == "inspect"
}

// redis prompts without a command; some commands and modes go on without end.
func redis(l line, on Terminals) bool {
	switch {
	case l.quiet():
		return false
	case l.has("--askpass"):
		return true
	case l.has("--stat", "--replica", "--slave"), l.has("--latency", "--latency-history", "--latency-dist") && on.Out:
		return true
	case l.has("--pipe", "--eval", "--scan", "--bigkeys", "--memkeys", "--hotkeys", "--keystats", "--rdb", "--functions-rdb", "--intrinsic-latency", "--lru-test", "--cluster", "--latency", "-x", "-X"):
		return false
	case len(l.operands) == 0:
		return on.In
	}
	switch strings.ToLower(l.operands[0]) {
	case "monitor", "subscribe", "psubscribe", "ssubscribe":
		return true
	}
	return false
}
