// Package gen makes the shell strings of a campaign: payloads, which must arrive as one argument; commands, which bash
// must understand the same way on every path; sessions, which are commands that one interactive bash is given one after
// the other; and commands for guards, which ask whether a command would wait for a person. A case is a pure function of
// a seed and a number.
//
// # What a command may hold
//
// Commands come from a grammar that is written down in this package, rule by rule, each rule a method that appends text.
// They are meant to run many times with one result, so the rules keep away from what differs between two runs: process
// ids, clocks, random numbers, users, the order in which concurrent children write. Loops end. External programs are
// only those in [Names].
//
// # What a session may hold
//
// The commands of a session are short calls of those programs whose words hold what a shell at a terminal reads in its
// own way: references to earlier lines, here-documents that look like program text, and, in a part of the sessions, keys
// of the line editor and characters of many bytes. A few commands change how later lines are read, and rarely one ends
// the shell or keeps it waiting.
//
// # What a command for guards may hold
//
// These are short texts about programs that wait for a person: calls of them and of others, spelled and quoted in every
// way, in all that can stand around a call, and text that only looks like one. External programs are only those in
// [GuardNames]. Loops end after their first round or with a counter, and no function reaches itself.
//
// No string in this package holds more than one word of an input that is known to break something: what breaks has to
// be found by combining words.
package gen
