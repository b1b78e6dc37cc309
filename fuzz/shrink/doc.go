// Package shrink makes a string, or a list of strings, smaller while a predicate keeps answering yes. It knows the shape
// of shell text but nothing of what the predicate looks for.
//
// # What it promises
//
// The result is kept by the predicate, provided that the input is. The work is bounded by a number of checks, never by
// time, and the same input and answers lead to the same result. Unless the checks run out, no single byte can be taken
// out of the result. Nothing is asked twice.
package shrink
