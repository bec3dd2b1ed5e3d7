// Package sqs sends messages to the stages through SQS.
package sqs

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"

	"wstk/shared/wstk"
)

var _ wstk.Queue = Queue{}

// Queue is a wstk.Queue of standard SQS queues. Delays are whole seconds, rounded up,
// and at most 900: a message due later carries its time in the attribute "at", and
// a worker that receives it early sends it on. The group of a message is its MessageGroupId, by
// which SQS delivers quiet groups before those with a backlog (fair queues).
type Queue struct {
	Client *sqs.Client
	URLs   map[string]string // of each queue, by its word
	Now    func() time.Time  // nil means time.Now
}

// atKey is the message attribute that holds the time a message is due, in RFC 3339
// with nanoseconds.
const atKey = "at"

// groupID is what SQS takes as one.
var groupID = regexp.MustCompile(`^[!-~]{1,128}$`)

const (
	maxDelay   = 900 * time.Second
	maxEntries = 10      // of one batch
	maxBytes   = 1 << 20 // of one batch, attributes included
	maxTries   = 4       // for entries that SQS itself could not take
)

func (q Queue) now() time.Time {
	if q.Now == nil {
		return time.Now()
	}
	return q.Now()
}

// Depths counts the messages that can be received now, by queue: about, as SQS says.
func (q Queue) Depths(ctx context.Context) (map[string]int, error) {
	const op = "counting messages"
	out := map[string]int{}
	for queue, url := range q.URLs {
		res, err := q.Client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &url,
			AttributeNames: []types.QueueAttributeName{
				types.QueueAttributeNameApproximateNumberOfMessages}})
		if err != nil {
			return nil, wstk.Wrap(wstk.Unavailable, op, err)
		}
		n, err := strconv.Atoi(res.Attributes[string(
			types.QueueAttributeNameApproximateNumberOfMessages)])
		if err != nil {
			return nil, wstk.Wrap(wstk.Unavailable, op, err)
		}
		out[queue] = n
	}
	return out, nil
}

// Hide keeps a message that was received from coming again for d, up to 12 hours from its
// receipt; without it that is the queue's visibility time-out.
func (q Queue) Hide(ctx context.Context, queue, receipt string, d time.Duration) error {
	const op = "hiding message"
	url := q.URLs[queue]
	if url == "" {
		return wstk.Errorf(wstk.Invalid, op, "there is no queue %q", queue)
	}
	_, err := q.Client.ChangeMessageVisibility(ctx,
		&sqs.ChangeMessageVisibilityInput{QueueUrl: &url, ReceiptHandle: &receipt,
			VisibilityTimeout: int32(math.Ceil(d.Seconds()))})
	if err != nil {
		return failed(ctx, op, err)
	}
	return nil
}

func (q Queue) Send(ctx context.Context, msgs ...wstk.Message) error {
	const op = "sending message"
	lanes := map[string][]types.SendMessageBatchRequestEntry{}
	for i, m := range msgs { // all are looked at before the first is sent
		switch {
		case q.URLs[m.Queue] == "":
			return wstk.Errorf(wstk.Invalid, op, "there is no queue %q", m.Queue)
		case len(m.Body) > wstk.MaxPayload:
			return wstk.Errorf(wstk.TooLarge, op, "the message has %d bytes; queue %s takes at most %d",
				len(m.Body), m.Queue, wstk.MaxPayload)
		case !json.Valid(m.Body):
			return wstk.Errorf(wstk.Invalid, op, "body for queue %s is not JSON", m.Queue)
		}
		lanes[m.Queue] = append(lanes[m.Queue], q.entry(i, m))
	}
	for queue, entries := range lanes {
		for len(entries) > 0 {
			n, size := 0, 0
			for n < len(entries) && n < maxEntries &&
				(n == 0 || size+sizeOf(entries[n]) <= maxBytes) {
				size += sizeOf(entries[n])
				n++
			}
			if err := q.batch(ctx, op, q.URLs[queue], entries[:n]); err != nil {
				return err
			}
			entries = entries[n:]
		}
	}
	return nil
}

func (q Queue) entry(i int, m wstk.Message) types.SendMessageBatchRequestEntry {
	e := types.SendMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)),
		MessageBody: aws.String(string(m.Body))}
	if groupID.MatchString(m.Group) {
		e.MessageGroupId = aws.String(m.Group)
	}
	if wait := m.At.Sub(q.now()); !m.At.IsZero() && wait > 0 {
		e.DelaySeconds = int32(math.Ceil(min(wait, maxDelay).Seconds()))
		e.MessageAttributes = map[string]types.MessageAttributeValue{atKey: {
			DataType:    aws.String("String"),
			StringValue: aws.String(m.At.UTC().Format(time.RFC3339Nano))}}
	}
	return e
}

func sizeOf(e types.SendMessageBatchRequestEntry) int { return len(*e.MessageBody) + 200 }

// batch sends entries until each is taken.
func (q Queue) batch(
	ctx context.Context, op, url string, entries []types.SendMessageBatchRequestEntry,
) error {
	for try := 1; ; try++ {
		out, err := q.Client.SendMessageBatch(ctx,
			&sqs.SendMessageBatchInput{QueueUrl: &url, Entries: entries})
		if err != nil {
			return failed(ctx, op, err)
		}
		if len(out.Failed) == 0 {
			return nil
		}
		again := map[string]bool{}
		for _, f := range out.Failed {
			if f.SenderFault || try == maxTries {
				code := wstk.Unavailable
				if f.SenderFault {
					code = wstk.Internal
				}
				return wstk.Errorf(code, op, "SQS refused a message: %s %s", aws.ToString(f.Code),
					aws.ToString(f.Message))
			}
			again[aws.ToString(f.Id)] = true
		}
		var left []types.SendMessageBatchRequestEntry
		for _, e := range entries {
			if again[*e.Id] {
				left = append(left, e)
			}
		}
		entries = left
		select {
		case <-time.After(100 * time.Millisecond << try):
		case <-ctx.Done():
			return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
		}
	}
}

// failed gives an error of the SDK its code.
func failed(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	var api smithy.APIError
	if !errors.As(err, &api) {
		return wstk.Errorf(wstk.Unavailable, op, "SQS cannot be reached: %w", err)
	}
	switch api.ErrorCode() {
	case "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue":
		return wstk.Errorf(wstk.Internal, op, "%w", err).
			Try(wstk.Advice("deploy the stack; its queue is missing here"))
	case "AccessDenied", "AccessDeniedException", "InvalidMessageContents", "BatchRequestTooLong":
		return wstk.Errorf(wstk.Internal, op, "%w", err)
	}
	return wstk.Errorf(wstk.Unavailable, op, "%w", err)
}
