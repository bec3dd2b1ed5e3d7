// Package value reads values out of text: numbers in digits and in words, quantities,
// money, dates, times of day, durations, telephone numbers and addresses. Each is found
// with its place in the text and with a canonical form by which values can be compared.
//
// Begin with Find, which reads a text, and Same, which compares two values; the examples
// show what they give. Find cuts a line into lexemes (lex.go) and asks the readers in turn
// (read.go): date.go and clock.go hold tables of forms (form.go, slot.go); phone.go,
// contact.go, duration.go and money.go follow; number.go and numberword.go read the number
// of whatever else is counted, and measure.go with unit.go and units.txt what it measures.
//
// The package keeps no state a caller can see. All its functions may be called from many
// goroutines, take any bytes, also invalid UTF-8, and run in linear time.
package value
