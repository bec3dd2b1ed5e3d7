package wstk

import "strings"

// ProductToken returns the name by which robots.txt groups and robots rules address
// any client that sends this User-Agent header: "wstk" of "wstk/1.0 (+https://…)", and of the
// browser form "Mozilla/5.0 (compatible; Bot/2.1; …)" Bot. "" when there is none.
func ProductToken(userAgent string) string {
	token := LeadingToken(userAgent)
	if !strings.EqualFold(token, "Mozilla") {
		return token
	}
	_, rest, _ := strings.Cut(userAgent, "(compatible;")
	if named := LeadingToken(strings.TrimLeft(rest, " ")); named != "" {
		return named
	}
	return token
}

// LeadingToken returns the product token that s begins with, "" where it begins with
// none. RFC 9309 has letters, _ and - only; digits are taken too, on both sides of the
// comparison, since names such as 360Spider are in use.
func LeadingToken(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !lower(c) && !upper(c) && !digit(c) && c != '-' && c != '_' {
			return s[:i]
		}
	}
	return s
}

// RobotsDirective is one rule of an X-Robots-Tag header or a robots meta element.
type RobotsDirective struct {
	Name     string // lower case: noindex
	Argument string // of max-snippet, unavailable_after and the like
}

// RobotsDirectives splits one value of X-Robots-Tag, or the content of a robots meta
// element, into the rules that are for all clients or for product, our product token.
// "otherbot: noindex" is for another; its name holds to the end of the value or the
// next name. Rules we do not know are left out.
func RobotsDirectives(value, product string) []RobotsDirective {
	var out []RobotsDirective
	if len(value) > 8<<10 {
		value = value[:8<<10]
	}
	applies := true
	for value != "" {
		var rule string
		rule, value, _ = strings.Cut(value, ",")
		name, argument, colon := strings.Cut(strings.TrimSpace(rule), ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if colon && !takesArgument(name) {
			inner, innerArgument, _ := strings.Cut(argument, ":")
			inner = strings.ToLower(strings.TrimSpace(inner))
			if !isRobotsRule(inner) {
				continue // a rule we do not know, with its argument
			}
			applies = name == "*" || name == "robots" || strings.EqualFold(name, product)
			name, argument = inner, innerArgument
		}
		if name == "unavailable_after" && !strings.ContainsAny(argument, "0123456789") {
			// A date may begin with its weekday and a comma.
			var rest string
			rest, value, _ = strings.Cut(value, ",")
			argument += "," + rest
		}
		if applies && isRobotsRule(name) {
			out = append(out, RobotsDirective{name, strings.TrimSpace(argument)})
		}
	}
	return out
}

func takesArgument(rule string) bool {
	switch rule {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return false
}

func isRobotsRule(name string) bool {
	switch name {
	case "all", "none", "index", "noindex", "follow", "nofollow", "noarchive",
		"nocache", "nosnippet",
		"notranslate", "noimageindex", "indexifembedded", "nositelinkssearchbox", "noodp", "noydir",
		"noai", "noimageai":
		return true
	}
	return takesArgument(name)
}

// metaRules puts commas between the rules of a meta element whose author took blanks
// or semicolons.
func metaRules(content string) string {
	content = strings.ReplaceAll(content, ";", ",")
	for part := range strings.SplitSeq(content, ",") {
		for word := range strings.FieldsSeq(part) {
			if !isRobotsRule(strings.ToLower(word)) {
				return content
			}
		}
	}
	return strings.Join(strings.FieldsFunc(content,
		func(c rune) bool { return c == ',' || c <= ' ' }), ",")
}

// IsRobotsMeta reports whether a meta element belongs into Metadata.Robots: by its name,
// or because it holds nothing but rules for a robot, whichever it names.
func IsRobotsMeta(name, content string) bool {
	if name == "robots" || name == "tdm-reservation" {
		return true
	}
	rules := metaRules(content)
	return name != "" && len(content) <= maxSignalText &&
		len(RobotsDirectives(rules, "")) == strings.Count(rules, ",")+1
}
