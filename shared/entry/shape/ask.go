package shape

import (
	"strings"

	"wstk/shared/text"
)

// anAddress is an address of the web in a message, up to what cannot be a part of one.
var anAddress = text.Pattern("(?i)https?://[^\\s<>\"`{}|\\\\^，。、；：？！）」』】》]+")

// Asked takes a message apart: the first address of the web in it, "" where there is none, and the
// other words, which are the question.
func Asked(message string) (url, question string) {
	at := anAddress().FindStringIndex(message)
	if at == nil {
		return "", strings.TrimSpace(message)
	}
	url = ended(message[at[0]:at[1]])
	rest := message[:at[0]] + " " + message[at[0]+len(url):]
	return url, strings.Join(strings.Fields(rest), " ")
}

// ended is an address without the punctuation of the sentence that it ends. A bracket belongs to
// it if it is opened in it.
func ended(url string) string {
	for {
		short := strings.TrimRight(url, `.,;:!?'*_`)
		for _, pair := range []string{"()", "[]"} {
			if strings.HasSuffix(short, pair[1:]) &&
				strings.Count(short, pair[:1]) < strings.Count(short, pair[1:]) {
				short = short[:len(short)-1]
			}
		}
		if short == url {
			return url
		}
		url = short
	}
}
