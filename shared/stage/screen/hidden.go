package screen

import (
	"strconv"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxHidden is how many hidden texts become findings. Ordinary pages hide menus
// and dialogs by the hundred; what addresses a model is always listed.
const maxHidden = 50

// hiddenFindings lists text that is in the page and not visible, and what it says
// to a model. Its place is an element, not a span: hidden text has no offsets in
// the Document text.
func hiddenFindings(doc *wstk.Document, body []byte) []wstk.Finding {
	var out []wstk.Finding
	plain := 0
	for _, h := range doc.Hidden {
		injected := find(injections(), h.Text)
		secrets := findSecrets(h.Text)
		if plain++; plain <= maxHidden {
			// A secret in hidden text must not surface in its excerpt either.
			f := wstk.Finding{Kind: wstk.FindingHidden, Rule: "hidden_" + name(h.Reason),
				Element: h.Element, Hidden: true,
				Reason: "text of " + strconv.Itoa(h.Chars) +
					" characters that a visitor cannot see (" + h.Reason + ")"}
			if len(secrets) == 0 {
				f.Excerpt = excerpt(h.Text)
			}
			out = append(out, f)
		}
		for _, m := range injected {
			out = append(out, wstk.Finding{Kind: wstk.FindingInjection, Rule: m.rule.name,
				Element: h.Element, Hidden: true,
				Reason:  m.rule.reason + ", in text that a visitor cannot see (" + h.Reason + ")",
				Excerpt: excerpt(without(h.Text, m.Range, secrets))})
		}
		for _, m := range secrets {
			out = append(out, wstk.Finding{Kind: wstk.FindingSecret, Rule: m.rule.name,
				Element: h.Element, Hidden: true,
				Reason: m.rule.reason + ", in text that a visitor cannot see (" + h.Reason + ")"})
		}
	}
	if n := doc.StylesNotRead; n > 0 {
		sheets := "style sheets were"
		if n == 1 {
			sheets = "style sheet was"
		}
		out = append(out, wstk.Finding{Kind: wstk.FindingUnread,
			Rule: "styles_not_read", Element: -1,
			Reason: strconv.Itoa(n) + " linked " + sheets + " not read, so text that they hide " +
				"counts as visible; a browser shows what a visitor sees"})
	}
	for _, w := range invisibleText(body) {
		out = append(out, wstk.Finding{Kind: wstk.FindingInjection, Rule: w.rule,
			Element: -1, Hidden: true,
			Reason: strconv.Itoa(w.counted) +
				" invisible characters in a row, as they are used to hide a message",
			Excerpt: excerpt(without(w.text, text.Range{End: len(w.text)}, findSecrets(w.text)))})
	}
	return out
}

// name makes a reason of the reader fit for a rule's name.
func name(reason string) string {
	if reason == "" {
		return "text"
	}
	b := []byte(reason)
	for i, c := range b {
		if c = lowerByte(c); (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			c = '_'
		}
		b[i] = c
	}
	return string(b)
}
