// Package gen makes the shell strings of a campaign: payloads, which must arrive as one argument, and commands, which
// bash must understand the same way on every path. A case is a pure function of a seed and a number.
//
// # What a command may hold
//
// Commands come from a grammar that is written down in this package, rule by rule, each rule a method that appends text.
// They are meant to run many times with one result, so the rules keep away from what differs between two runs: process
// ids, clocks, random numbers, users, the order in which concurrent children write. Loops end. External programs are
// only those in [Names].
//
// No string in this package holds more than one word of an input that is known to break something: what breaks has to
// be found by combining words.
package gen
