// Package value reads values out of text: numbers in digits and in words, quantities,
// money, dates, times of day, durations, telephone numbers and addresses. Each is found
// with its place in the text and with a canonical form by which values can be compared.
//
// Begin with Find, which reads a text, and Same, which compares two values. Find cuts a
// line into lexemes (lex.go) and asks the readers in turn: date.go, clock.go, contact.go,
// money.go, number.go with numberword.go, and unit.go for what a number measures.
//
// The package keeps no state a caller can see. All its functions may be called from many
// goroutines, take any bytes, also invalid UTF-8, and run in linear time.
package value
