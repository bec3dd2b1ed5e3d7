package text

// IsLanguage reports whether s has the form of an ISO 639-1 code of a language: two small
// letters.
func IsLanguage(s string) bool { return twoLetters(s, 'a') }

// IsCountry reports whether s has the form of an ISO 3166-1 alpha-2 code of a country: two
// capital letters.
func IsCountry(s string) bool { return twoLetters(s, 'A') }

// twoLetters reports whether s is two letters of the alphabet that begins at first.
func twoLetters(s string, first byte) bool {
	return len(s) == 2 && s[0] >= first && s[0] < first+26 && s[1] >= first && s[1] < first+26
}
