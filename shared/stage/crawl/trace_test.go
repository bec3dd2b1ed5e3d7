package crawl

import (
	"context"
	"fmt"
	"os"
	"time"
	"wstk/shared/wstk"
)

type traceFrontier struct {
	wstk.Frontier
	s *sim
}

func (m traceFrontier) p(f string, a ...any) {
	if os.Getenv("TRACE") != "" {
		fmt.Printf("[%d busy=%v] ", m.s.steps, m.s.fuse.busy)
		fmt.Printf(f+"\n", a...)
	}
}
func (m traceFrontier) Queue(ctx context.Context, run wstk.RunID, url string, slot wstk.Slot) (bool, error) {
	ok, e := m.Frontier.Queue(ctx, run, url, slot)
	m.p("Queue %s %s %v", url, slot.Token, ok)
	return ok, e
}
func (m traceFrontier) Postpone(ctx context.Context, run wstk.RunID, url, slot string, until time.Time) (bool, error) {
	ok, e := m.Frontier.Postpone(ctx, run, url, slot, until)
	m.p("Postpone %s %s %v", url, slot, ok)
	return ok, e
}
func (m traceFrontier) Unqueue(ctx context.Context, run wstk.RunID, url string, before time.Time, counted bool) (bool, error) {
	ok, e := m.Frontier.Unqueue(ctx, run, url, before, counted)
	m.p("Unqueue %s %v", url, ok)
	return ok, e
}
func (m traceFrontier) Store(ctx context.Context, run wstk.RunID, url, slot string, doc wstk.Hash) (bool, error) {
	ok, e := m.Frontier.Store(ctx, run, url, slot, doc)
	m.p("Store %s %s %v", url, slot, ok)
	return ok, e
}
func (m traceFrontier) Close(ctx context.Context, run wstk.RunID, url string, c wstk.Closing) (bool, error) {
	ok, e := m.Frontier.Close(ctx, run, url, c)
	m.p("Close %s %s %v", url, c.Outcome, ok)
	return ok, e
}
func (m traceFrontier) SetNote(ctx context.Context, run wstk.RunID, k, o, v string) (bool, error) {
	ok, e := m.Frontier.SetNote(ctx, run, k, o, v)
	if k == "release" {
		m.p("SetNote %s %q %q %v", k, o, v, ok)
	}
	return ok, e
}
