// Package value reads values out of text: numbers in digits and in words, quantities,
// money, dates, times of day, durations, telephone numbers and addresses. A value is a part
// of a text that states one of these. It has its place, its text as written, and a
// canonical form by which values can be compared.
//
// Begin with Find, which reads a text, and Same, which compares two values; the examples
// show what they give. Find returns values in order, without overlaps, with places in bytes
// of the text (not characters). Units, currency signs and digits of any script are read in
// every language. Names of months are known in 18 languages, and numbers in words in
// English, Spanish, French, German, Italian, Portuguese, Dutch, Swedish, Russian, Turkish,
// Chinese and Japanese.
//
// Find cuts a line into lexemes (lex.go), looks up what each may begin (begin.go) and asks
// the readers in turn (read.go). date.go and clock.go hold tables of forms (form.go,
// formtable.go, slot.go); phone.go, contact.go, email.go, duration.go and money.go follow.
// number.go reads the number of whatever else is counted, with fraction.go, exponent.go and
// multiplier.go; numberword.go, oneword.go and hannumber.go read numbers in words. measure.go
// and unit.go read what is counted. The words are data: words.txt and units.txt (data.go).
//
// The rules come from ISO 8601 (dates, times, durations), ISO 4217 (currencies), ITU-T E.164
// (telephone numbers), RFC 5321 (e-mail addresses), BCP 47 (language tags), CLDR (the order
// of day and month) and NIST SP 811 (factors of units).
//
// All functions may be called from many goroutines, take any bytes, also invalid UTF-8, and
// run in linear time.
package value
