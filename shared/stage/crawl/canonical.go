package crawl

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"unicode"

	"wstk/shared/wstk"
)

// Here it is decided what becomes of a stored page: it is kept and indexed, joined to
// another page, or held until more is known.
//
// Equal text: the first stored page that claims a text in a run owns it, later ones
// are duplicates of it. A page is stored before it claims, so that the owner's text
// is never lost.
//
// rel=canonical is a hint, and pages lie: whole sites name their home page. So a page is
// joined to the URL that it names only if the two differ by no more than query, trailing
// slash, "www." or http and https, if the named URL really was stored, and if it says most
// of what this page says. Any other page is kept, and the named URL is discovered like a
// link. While the named URL is still to be fetched, the page is held: stored, not indexed.
//
// A plain text, such as the source that a manual's page leads to, is joined to the HTML page
// that names it, if that page says most of what the text says: it is the form for people.

// fate is what becomes of a stored page.
type fate struct {
	owner  string // joined to this page
	reason string
	hold   string // waits for this URL; with no owner and no hold the page is kept
}

// sameButForm reports whether two URLs differ only by query, trailing slash, "www."
// or http and https on their default ports.
func sameButForm(x, y string) bool {
	a, ok := splitURL(x)
	b, ok2 := splitURL(y)
	return ok && ok2 && bareHost(a.host) == bareHost(b.host) && a.port == b.port &&
		(a.scheme == b.scheme || a.port == "") &&
		strings.TrimSuffix(a.path, "/") == strings.TrimSuffix(b.path, "/")
}

// fateOf decides about a stored page. With giveUp it is not held any longer.
func (s *Stage) fateOf(
	ctx context.Context, v view, u wstk.FrontierURL, doc *wstk.Document, giveUp bool,
) (fate, error) {
	owner, err := s.Frontier.ClaimText(ctx, v.run, doc.TextSHA256, u.URL)
	if err != nil {
		return fate{}, err
	}
	if owner != u.URL {
		return fate{owner: owner, reason: "same text"}, nil
	}
	form, err := s.otherForm(ctx, v, u, doc)
	end := form.end
	if err != nil || end.URL == "" || end.URL == u.URL {
		return fate{}, err
	}
	switch {
	case end.State != wstk.URLClosed && !giveUp:
		return fate{hold: end.URL}, nil
	case end.Outcome != wstk.OutcomeFetched && end.Outcome != wstk.OutcomeNotModified:
		return fate{}, nil
	}
	other, err := s.documentOf(ctx, end.URL)
	if err != nil || other == nil || !form.shows(other, doc) {
		return fate{}, err
	}
	return fate{owner: end.URL, reason: form.reason}, nil
}

// form is a page that a stored page may be another form of.
type form struct {
	end    wstk.FrontierURL
	reader string // that must have read it; "" for any
	reason string // why the stored page is joined to it
}

// shows reports whether a page, as it was read, is another form of doc.
func (f form) shows(other, doc *wstk.Document) bool {
	return (f.reader == "" || isReadAs(other, f.reader)) && mostlyIn(doc, other)
}

// otherForm returns the page of which doc may be another form: the one that it names as its
// canonical URL; of a plain text, the one that led to it. It is empty if there is none.
func (s *Stage) otherForm(
	ctx context.Context, v view, u wstk.FrontierURL, doc *wstk.Document,
) (form, error) {
	end, err := s.canonicalEnd(ctx, v, u, doc)
	if err != nil || end.URL != "" || u.FoundOn == "" || !isReadAs(doc, "text") {
		return form{end: end, reason: "names it as its canonical URL"}, err
	}
	end, err = s.endOf(ctx, v, u.FoundOn, u)
	return form{end, "html", "a page that links to it shows the same words"}, err
}

// isReadAs reports whether the reader of this name read a page.
func isReadAs(doc *wstk.Document, reader string) bool {
	name, _, _ := strings.Cut(doc.Reader, "/")
	return name == reader
}

// canonicalEnd returns where the canonical URL of a page leads, and nothing if the page
// names none that it may be joined to.
func (s *Stage) canonicalEnd(
	ctx context.Context, v view, u wstk.FrontierURL, doc *wstk.Document,
) (wstk.FrontierURL, error) {
	c := canonicalOf(doc)
	if c == "" || !sameButForm(c, u.URL) {
		return wstk.FrontierURL{}, nil
	}
	if in, _ := v.scope.Decide(c); !in {
		return wstk.FrontierURL{}, nil
	}
	return s.endOf(ctx, v, c, u)
}

// endOf returns where a URL leads along the redirects and duplicates that the run knows. A
// chain that comes back to u gives u, one that does not end or that the run does not know
// gives nothing.
func (s *Stage) endOf(
	ctx context.Context, v view, url string, u wstk.FrontierURL,
) (wstk.FrontierURL, error) {
	for range 2 * s.limits().Hops {
		if url == u.URL {
			return u, nil
		}
		c, err := s.Frontier.Get(ctx, v.run, url)
		if wstk.CodeOf(err) == wstk.NotFound {
			return wstk.FrontierURL{}, nil
		}
		if err != nil {
			return c, err
		}
		if (c.Outcome != wstk.OutcomeRedirected && c.Outcome != wstk.OutcomeDuplicateOf) ||
			c.Target == "" {
			return c, nil
		}
		url = c.Target
	}
	return wstk.FrontierURL{}, nil
}

// documentOf returns the Document that a page holds now, nil if it holds none.
func (s *Stage) documentOf(ctx context.Context, url string) (*wstk.Document, error) {
	p, err := s.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound || err == nil && p.Document == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.load(ctx, p.Document)
}

// load reads a Document; a missing one is nil.
func (s *Stage) load(ctx context.Context, h wstk.Hash) (*wstk.Document, error) {
	doc, err := wstk.LoadDocument(ctx, s.Blobs, h)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil
	}
	return doc, err
}

// mostlyIn reports whether a page says little that another does not: at least half of its
// runs of five words are in the other's text. It compares the main content, or all text if
// there is none, so that what a site repeats on every page does not count. A page of under
// five words says nothing of its own.
func mostlyIn(doc, other *wstk.Document) bool {
	mine := shingles(mainOf(doc))
	if len(mine) == 0 {
		return true
	}
	theirs := shingles(other.Text)
	both := 0
	for h := range mine {
		if theirs[h] {
			both++
		}
	}
	return 2*both >= len(mine)
}

func mainOf(doc *wstk.Document) string {
	if main := doc.MainText(); main != "" {
		return main
	}
	return doc.Text
}

var shingleSeed = maphash.MakeSeed()

// shingles returns the hashes of all runs of five words. Scripts that write no
// spaces count each character as a word.
func shingles(text string) map[uint64]bool {
	const run = 5
	set := map[uint64]bool{}
	var words [run]string
	n := 0
	add := func(w string) {
		copy(words[:], words[1:])
		words[run-1] = w
		if n++; n >= run {
			set[maphash.String(shingleSeed, strings.Join(words[:], " "))] = true
		}
	}
	start := -1
	text = strings.ToLower(text)
	for i, r := range text {
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		single := word && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
		if start >= 0 && (!word || single) {
			add(text[start:i])
			start = -1
		}
		switch {
		case single:
			add(string(r))
		case word && start < 0:
			start = i
		}
	}
	if start >= 0 {
		add(text[start:])
	}
	return set
}

// carryOut makes a stored page's fate happen. What it does is safe to do again: the
// page's own record first, then the frontier.
func (s *Stage) carryOut(
	ctx context.Context, run wstk.Run, site wstk.Site, u wstk.FrontierURL, doc *wstk.Document,
	giveUp bool, next *Next,
) (fate, error) {
	v, err := s.view(ctx, run, site)
	if err != nil {
		return fate{}, err
	}
	var f fate
	for {
		if f, err = s.fateOf(ctx, v, u, doc, giveUp); err != nil {
			return f, err
		}
		if f.hold == "" {
			break
		}
		if err := s.hold(ctx, run.ID, u.URL, f.hold); err != nil {
			return f, err
		}
		// It may have been closed between the look and the note.
		c, err := s.Frontier.Get(ctx, run.ID, f.hold)
		if err != nil || c.State != wstk.URLClosed {
			return f, err
		}
	}
	if err := s.markDuplicate(ctx, u.URL, f.owner); err != nil {
		return f, err
	}
	if f.owner == "" {
		if err := s.forgetHold(ctx, run.ID, u.URL); err != nil {
			return f, err
		}
		next.Index = append(next.Index, u)
		return f, s.noteText(ctx, u, doc.TextSHA256, false)
	}
	closed, err := s.close(ctx, run, site, u.URL,
		wstk.Closing{Outcome: wstk.OutcomeDuplicateOf, Reason: f.reason, Target: f.owner}, next)
	if err != nil || !closed {
		return f, err
	}
	next.Drop = append(next.Drop, u.URL)
	return f, s.noteText(ctx, u, doc.TextSHA256, true)
}

// markDuplicate keeps with a page whose duplicate it is; "" means that it is none.
func (s *Stage) markDuplicate(ctx context.Context, url, owner string) error {
	p, err := s.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound || err == nil && p.DuplicateOf == owner {
		return nil
	}
	if err != nil {
		return err
	}
	p.DuplicateOf = owner
	return s.Pages.Put(ctx, p)
}

// close gives a URL its outcome and decides about the pages that were held for it.
func (s *Stage) close(
	ctx context.Context, run wstk.Run, site wstk.Site, url string, c wstk.Closing, next *Next,
) (bool, error) {
	closed, err := s.Frontier.Close(ctx, run.ID, url, c)
	if err != nil {
		return closed, err
	}
	return closed, s.unhold(ctx, run, site, url, next)
}

// The notes of holding: under hold/PAGE stands what the page waits for, under
// held/URL the pages that wait for it, one a line.
func holdKey(url string) string { return holdPrefix + short(url) }
func heldKey(url string) string { return "held/" + short(url) }

const holdPrefix = "hold/"

const maxHeld = 16 << 10 // bytes of one list; pages that do not fit are found when all else is done

func (s *Stage) hold(ctx context.Context, run wstk.RunID, page, waitsFor string) error {
	err := s.changeNote(ctx, run, holdKey(page),
		func(string) (string, error) { return waitsFor, nil })
	if err != nil {
		return err
	}
	return s.changeNote(ctx, run, heldKey(waitsFor), func(old string) (string, error) {
		if slices.Contains(strings.Fields(old), page) || len(old)+len(page) > maxHeld {
			return old, nil
		}
		return strings.TrimSpace(old + "\n" + page), nil
	})
}

// forgetHold forgets that a page was held.
func (s *Stage) forgetHold(ctx context.Context, run wstk.RunID, page string) error {
	return s.changeNote(ctx, run, holdKey(page), func(string) (string, error) { return "", nil })
}

// unhold decides about the pages held for a URL that was closed.
func (s *Stage) unhold(
	ctx context.Context, run wstk.Run, site wstk.Site, url string, next *Next,
) error {
	list, err := s.Frontier.Note(ctx, run.ID, heldKey(url))
	if err != nil || list == "" {
		return err
	}
	for page := range strings.FieldsSeq(list) {
		if err := s.again(ctx, run, site, page, false, next); err != nil {
			return err
		}
	}
	return s.changeNote(ctx, run.ID, heldKey(url), func(old string) (string, error) {
		if old == list {
			return "", nil
		}
		return old, nil // another page came meanwhile; settleHeld finds it
	})
}

// again decides once more about a stored page.
func (s *Stage) again(
	ctx context.Context, run wstk.Run, site wstk.Site, url string, giveUp bool, next *Next,
) error {
	u, err := s.Frontier.Get(ctx, run.ID, url)
	if err != nil || u.State != wstk.URLStored {
		return err
	}
	doc, err := s.load(ctx, u.Document)
	if err != nil {
		return err
	}
	if doc == nil {
		// Its text is gone from the store: it has to be fetched once more.
		_, err := s.Frontier.Unqueue(ctx, run.ID, url, s.now().AddDate(1, 0, 0), true)
		return err
	}
	f, err := s.carryOut(ctx, run, site, u, doc, giveUp, next)
	if err == nil && f.owner != "" { // closed: it waits no longer
		err = s.forgetHold(ctx, run.ID, url)
	}
	return err
}

// settleHeld decides again about the pages that are held. With giveUp, and when no
// other page is on its way to the index, the first of them that still would be held
// is kept: once it is indexed, those that wait for it are decided, and so rings of
// pages that wait for each other come apart with one of them kept.
func (s *Stage) settleHeld(
	ctx context.Context, run wstk.Run, site wstk.Site, giveUp bool, next *Next,
) error {
	holds, err := s.Frontier.Notes(ctx, run.ID, holdPrefix)
	if err != nil || len(holds) == 0 {
		return err
	}
	stored, err := s.listAll(ctx, run.ID, wstk.URLStored)
	if err != nil {
		return err
	}
	var held []string
	for _, u := range stored {
		if holds[holdKey(u.URL)] != "" {
			held = append(held, u.URL)
		}
	}
	giveUp = giveUp && len(held) == len(stored)
	for _, url := range held {
		before := len(next.Index)
		if err := s.again(ctx, run, site, url, giveUp, next); err != nil {
			return err
		}
		if len(next.Index) > before {
			giveUp = false // one at a time
		}
	}
	return nil
}
