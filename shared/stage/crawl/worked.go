package crawl

import (
	"context"
	"strconv"
	"time"

	"wstk/shared/wstk"
)

// restedKey is the note of how many milliseconds no worker worked on a run.
const restedKey = "rested"

// end ends a run and notes how long workers worked on it.
func (s *Stage) end(ctx context.Context, run, end wstk.Run) error {
	worked, err := s.Worked(ctx, run, end.EndedAt)
	if err != nil {
		return err
	}
	if err := s.withSummaries(ctx, run.ID, &end); err != nil {
		return err
	}
	end.Usage.DurationMS = worked.Milliseconds()
	_, err = s.Runs.End(ctx, run.ID, end)
	return err
}

// Worked returns how long workers worked on a run up to a time: since it began, without the
// time in which it was interrupted. It is at least a millisecond.
func (s *Stage) Worked(ctx context.Context, run wstk.Run, until time.Time) (time.Duration, error) {
	note, err := s.Frontier.Note(ctx, run.ID, restedKey)
	if err != nil {
		return 0, err
	}
	rested, _ := strconv.ParseInt(note, 10, 64) // a note that cannot be read is 0
	return max(until.Sub(run.StartedAt)-time.Duration(rested)*time.Millisecond, time.Millisecond),
		nil
}

// Rested notes that no worker worked on a run from its last change up to a time.
func (s *Stage) Rested(ctx context.Context, run wstk.Run, until time.Time) error {
	return s.changeNote(ctx, run.ID, restedKey, func(old string) (string, error) {
		before, _ := strconv.ParseInt(old, 10, 64)
		return strconv.FormatInt(before+max(until.Sub(run.UpdatedAt).Milliseconds(), 0), 10), nil
	})
}
