package crawl

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"io"
	"strconv"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// The note "release" names the worker that is releasing: its token, when its lease ends, and
// whether another worker came meanwhile and wants the work done once more.
const releaseKey = "release"

func (s *Stage) takeRelease(
	ctx context.Context, run wstk.RunID,
) (token string, busyUntil time.Time, err error) {
	err = s.changeNote(ctx, run, releaseKey, func(old string) (string, error) {
		token, busyUntil = "", time.Time{}
		if f := strings.Fields(old); len(f) >= 2 {
			if ns, err := strconv.ParseInt(f[1], 10, 64); err == nil && time.Unix(0, ns).
				After(s.now()) {
				busyUntil = time.Unix(0, ns)
				return f[0] + " " + f[1] + " again", nil
			}
		}
		var b [9]byte
		random := s.Random
		if random == nil {
			random = rand.Reader
		}
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", wstk.Errorf(wstk.Internal, "releasing URLs", "%w", err)
		}
		token = base64.RawURLEncoding.EncodeToString(b[:])
		return token + " " + strconv.FormatInt(s.now().Add(releaseLease).UnixNano(), 10), nil
	})
	return token, busyUntil, err
}

func (s *Stage) leaveRelease(
	ctx context.Context, run wstk.RunID, token string,
) (again bool, err error) {
	err = s.changeNote(ctx, run, releaseKey, func(old string) (string, error) {
		f := strings.Fields(old)
		if len(f) < 2 || f[0] != token { // the lease was over and another worker took it
			again = false
			return old, nil
		}
		again = len(f) > 2
		return "", nil
	})
	return again, err
}
