package dynamodb

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var _ wstk.HostStore = Hosts{}

// Hosts is a wstk.HostStore. A host is one item: last and paused (Unix nanoseconds) say
// from when on its next slot is free, holder and until who is in
// flight, began since when.
type Hosts struct{ *DB }

// hostAge is how long an unused host is remembered.
const hostAge = 30 * 24 * time.Hour

func hostKey(name string) key { return key{"host " + urlKey(name), "host"} }

func (s Hosts) Reserve(
	ctx context.Context, name string, now time.Time, gap time.Duration,
) (wstk.Slot, error) {
	const op = "reserving slot"
	slot := wstk.Slot{Token: "slot_" + rand.Text()}
	for try := 1; ; try++ {
		it, err := s.get(ctx, op, s.Tables.Hosts, hostKey(name))
		if err != nil {
			return wstk.Slot{}, err
		}
		last, paused := numOf(it, "last"), numOf(it, "paused")
		at := max(now.UnixNano(), paused)
		if last != 0 {
			at = max(at, last+int64(gap))
		}
		done, err := s.update(ctx, op, name, "SET #last = :at, expires = :expires",
			"(attribute_not_exists(#last) OR #last = :last) AND (attribute_not_exists(paused) OR "+
				"paused = :paused)",
			item{":at": num(at), ":last": num(last), ":paused": num(paused),
				":expires": num(s.now().Add(hostAge).Unix())})
		if err != nil || done {
			slot.At = time.Unix(0, at).UTC()
			return slot, err
		}
		if try > maxTries {
			return wstk.Slot{}, wstk.Errorf(wstk.Unavailable, op,
				"too many workers ask for %s at once", name)
		}
		if err := rest(ctx, op, try); err != nil {
			return wstk.Slot{}, err
		}
	}
}

// How long Begin waits before it looks again at a host whose request is in flight: at
// first, and at most.
const (
	look        = 100 * time.Millisecond
	longestLook = time.Second
)

// Begin writes when the host looks free, and only reads until then: a failed write costs as
// much as one that succeeds.
func (s Hosts) Begin(
	ctx context.Context, name, token string, gap, lease, wait time.Duration,
) error {
	const op = "beginning request"
	if token == "" {
		return wstk.Errorf(wstk.Invalid, op, "no token")
	}
	for giveUp := s.now().Add(wait); ; {
		now := s.now()
		it, done, err := s.DB.updateOr(ctx, op, hostKey(name),
			"SET holder = :token, #until = :until, began = :now, #by = :by",
			"(attribute_not_exists(holder) OR #until <= :now) AND (attribute_not_exists(began) "+
				"OR began <= :latest) AND (attribute_not_exists(paused) OR paused <= :now)",
			item{":token": str(token), ":until": num(now.Add(lease).UnixNano()),
				":now": num(now.UnixNano()), ":latest": num(latest(now, gap)),
				":by": str(rand.Text())})
		if err != nil || done {
			return err
		}
		if err := s.free(ctx, op, name, it, gap, giveUp); err != nil {
			return err
		}
	}
}

// free waits until the host, of which it is what was seen last, looks free. What will not
// pass before giveUp is Conflict.
func (s Hosts) free(
	ctx context.Context, op, name string, it item, gap time.Duration, giveUp time.Time,
) (err error) {
	for pause := look; ; pause = min(2*pause, longestLook) {
		now := s.now()
		from := time.Unix(0, numOf(it, "paused"))
		if began := numOf(it, "began"); began != 0 && gap > 0 {
			from = later(from, time.Unix(0, began).Add(gap))
		}
		held := strOf(it, "holder") != "" && numOf(it, "until") > now.UnixNano()
		at := from
		if held { // until when is unknown
			at = later(at, now.Add(pause))
		}
		if !at.After(now) {
			return nil
		}
		if at.After(giveUp) {
			if from.After(giveUp) || !now.Before(giveUp) {
				return wstk.BusyHost(op, name, now, from)
			}
			at = giveUp // a last look
		}
		t := time.NewTimer(at.Sub(now))
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
		}
		if it, err = s.get(ctx, op, s.Tables.Hosts, hostKey(name)); err != nil {
			return err
		}
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// latest is when the request before may have begun at the latest.
func latest(now time.Time, gap time.Duration) int64 {
	if gap <= 0 { // clocks of two machines may differ
		return math.MaxInt64
	}
	return now.Add(-gap).UnixNano()
}

func (s Hosts) End(ctx context.Context, name, token string) error {
	_, err := s.update(ctx, "ending request", name, "REMOVE holder, #until", "holder = :token",
		item{":token": str(token)})
	return err
}

func (s Hosts) Defer(ctx context.Context, name string, until time.Time) error {
	_, err := s.update(ctx, "pausing host", name, "SET paused = :until",
		"attribute_not_exists(paused) OR paused < :until",
		item{":until": num(until.UnixNano())})
	return err
}

// update changes a host if the condition holds, and reports whether it did.
func (s Hosts) update(
	ctx context.Context, op, name, change, condition string, values item,
) (bool, error) {
	return s.DB.update(ctx, op, hostKey(name), change, condition, values)
}

// update changes an item of the Hosts table. The words of DynamoDB's own language are
// written #last, #until and #by. By the value :by, where there is one, a write is known
// whose reply was lost: it comes again, fails at the condition that it has changed
// itself, and is still done.
func (db *DB) update(
	ctx context.Context, op string, k key, change, condition string, values item,
) (bool, error) {
	_, done, err := db.updateOr(ctx, op, k, change, condition, values)
	return done, err
}

// updateOr is update; where it did not change the item, it returns what that is.
func (db *DB) updateOr(
	ctx context.Context, op string, k key, change, condition string, values item,
) (item, bool, error) {
	names := map[string]string{}
	for _, n := range []string{"last", "until", "by"} {
		if strings.Contains(change+condition, "#"+n) {
			names["#"+n] = n
		}
	}
	in := &dynamodb.UpdateItemInput{TableName: &db.Tables.Hosts, Key: k.item(),
		UpdateExpression:    &change,
		ConditionExpression: aws.String(condition), ExpressionAttributeValues: values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld}
	if len(names) > 0 {
		in.ExpressionAttributeNames = names
	}
	_, err := db.Client.UpdateItem(ctx, in)
	if no := (*types.ConditionalCheckFailedException)(nil); errors.As(err, &no) {
		by := strOf(values, ":by")
		return no.Item, by != "" && strOf(no.Item, "by") == by, nil
	}
	if err != nil {
		return nil, false, failed(ctx, op, err)
	}
	return nil, true, nil
}
