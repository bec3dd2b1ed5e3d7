package step

import (
	"net/url"

	"wstk/shared/wstk"
)

// Shown is a step as the page shows it: a sentence, which is a link where Href is set, and
// behind it a command, where only a shell on the server's machine does it.
type Shown struct{ Text, Href, Code string }

// Page words a step for a reader in a browser.
func Page(s wstk.Step) Shown {
	command := s
	command.For, command.Raise = "", ""
	return verbs[s.Do].page(s, Shell(command), HTTP(s))
}

// sentence is a step of which the reader does what HTTP's words say.
func sentence(_ wstk.Step, _, http string) Shown { return Shown{Text: http} }

// inTerminal is a step that a command on the server's machine does.
func inTerminal(s wstk.Step, command, _ string) Shown {
	text := purpose(s, fieldName)
	if text == "" {
		text = "on the server's machine"
	}
	return Shown{Text: text, Code: command}
}

// link leads to a page, whatever the step is of.
func link(href, text string) func(_ wstk.Step, _, _ string) Shown {
	return func(s wstk.Step, _, _ string) Shown { return linked(s, href, text) }
}

// linked is a link that says what the step is for, or else text.
func linked(s wstk.Step, href, text string) Shown {
	if s.For != "" {
		text = s.For
	}
	return Shown{Text: text, Href: href}
}

func sitePage(s wstk.Step, _, _ string) Shown {
	if s.URL == "" {
		return linked(s, "/web/sites", "see the sites")
	}
	return linked(s, "/web/sites/"+url.PathEscape(s.URL), "see the site")
}

func storedPage(s wstk.Step, _, _ string) Shown {
	if s.URL == "" {
		return linked(s, "/web/sites", "see the pages of a site")
	}
	return linked(s, "/web/pages?url="+url.QueryEscape(s.URL), "read what is stored of it")
}

// answerPage leads to an extraction; other answers have no page yet.
func answerPage(s wstk.Step, command, http string) Shown {
	if s.Kind == wstk.RunAnswer {
		return inTerminal(s, command, http)
	}
	return linked(s, "/web/extractions/"+string(s.Run), "see the answer")
}
