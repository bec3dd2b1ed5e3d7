// Package event is the door of the functions: it turns the events that AWS hands a Lambda
// function into calls of the App, and errors into replies that make AWS try again.
package event

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda/messages"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// patience is how early a message may be worked on: the rest of its delay is waited
// out; one that is earlier is sent on with what is left of it.
const patience = 2 * time.Second

// Before Lambda ends a call, whose messages would then all come again after the queue's
// whole visibility time, the handler stops by itself: stopEarly before the deadline, or at
// three quarters of a shorter time.
const stopEarly = 10 * time.Second

// backOff is how long a message that failed stays away, for each time it was received.
const backOff = 30 * time.Second

// Queue handles the messages of one queue. What fails is reported by itself and comes
// again, later with each time; the others are done. Those for which the call has no time
// left are given back as they came. A message that fails for good ends in the dead-letter
// queue, and what it was about is closed by the sweep.
func Queue(
	a *app.App, queue string,
) func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
	handle := a.Crawling.Route(queue)
	return Measured(a, func(
		ctx context.Context, e events.SQSEvent,
	) (events.SQSEventResponse, error) {
		out := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
		work, stop := inTime(ctx)
		defer stop()
		do := handle
		if batch := a.Crawling.Batch(queue); batch != nil {
			do = together(work, batch, e.Records)
		}
		for i, m := range e.Records {
			if i > 0 && work.Err() != nil {
				a.Log.Warn("message returned to its queue: the call has no time left for it",
					"queue", queue,
					"message", m.MessageId)
			} else if err := one(work, a, queue, do, m); err != nil {
				a.Log.Error("message failed", "queue", queue, "message", m.MessageId, "receives",
					m.Attributes["ApproximateReceiveCount"],
					"code", string(wstk.CodeOf(err)), "error", err.Error())
			} else {
				continue
			}
			out.BatchItemFailures = append(out.BatchItemFailures,
				events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
			hide(ctx, a, queue, m)
		}
		return out, nil
	})
}

// together is a handler of single messages that works on all of a call when the first is handled.
// Messages of such a queue have no time before which they must not be worked on.
func together(
	ctx context.Context, batch crawling.BatchHandler, records []events.SQSMessage,
) crawling.Handler {
	var done map[string]crawling.Handled
	return func(_ context.Context, body json.RawMessage) ([]wstk.Message, error) {
		if done == nil {
			done = map[string]crawling.Handled{}
			bodies := make([]json.RawMessage, len(records))
			for i, m := range records {
				bodies[i] = json.RawMessage(m.Body)
			}
			for i, h := range batch(ctx, bodies) {
				done[records[i].Body] = h
			}
		}
		h := done[string(body)]
		return h.Next, h.Err
	}
}

// inTime is ctx, ended so long before its deadline that what is left can be given back.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(stopEarly, time.Until(end)/4)))
}

// hider is a queue that can keep a message away.
type hider interface {
	// Hide keeps a message that this process received, by its receipt, from coming again for
	// a while.
	Hide(ctx context.Context, queue, receipt string, d time.Duration) error
}

// hide keeps a message away for longer with each time it was received. When that does not
// work it comes after the queue's visibility time.
func hide(ctx context.Context, a *app.App, queue string, m events.SQSMessage) {
	q, ok := a.Queue.(hider)
	if !ok || m.ReceiptHandle == "" {
		return
	}
	receives, err := strconv.Atoi(m.Attributes["ApproximateReceiveCount"])
	if err != nil || receives < 1 {
		receives = 1
	}
	if err := q.Hide(ctx, queue, m.ReceiptHandle, time.Duration(receives)*backOff); err != nil {
		a.Log.Warn("message will be delivered again only after the queue's visibility timeout",
			"queue", queue, "message", m.MessageId, "error", err.Error())
	}
}

// Measured is a handler that writes out its numbers when it has ended: the process may
// stand still from then on.
func Measured[In, Out any](
	a *app.App, handle func(context.Context, In) (Out, error),
) func(context.Context, In) (Out, error) {
	return func(ctx context.Context, in In) (Out, error) {
		defer func() {
			if err := a.Metrics.Flush(a.Now()); err != nil {
				a.Log.Warn("metrics were not written", "error", err.Error())
			}
		}()
		return handle(ctx, in)
	}
}

func one(
	ctx context.Context, a *app.App, queue string, handle crawling.Handler, m events.SQSMessage,
) error {
	at := due(m)
	if !at.IsZero() {
		wait := at.Sub(a.Now())
		if wait > patience {
			return a.Queue.Send(ctx, wstk.Message{Queue: queue, Body: json.RawMessage(m.Body),
				At: at, Group: m.Attributes["MessageGroupId"]})
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return wstk.Wrap(wstk.Cancelled, "waiting for the time of a message", ctx.Err())
		}
	}
	if err := a.Crawling.Heard(ctx, queue, []byte(m.Body), since(m, at)); err != nil {
		a.Log.Warn("the time at which a message was received was not stored", "queue", queue,
			"error", err.Error())
	}
	next, err := handle(ctx, json.RawMessage(m.Body))
	if err != nil {
		return err
	}
	return a.Queue.Send(ctx, next...)
}

// since is from when on a message could have come: when it was sent, or due.
func since(m events.SQSMessage, due time.Time) time.Time {
	ms, err := strconv.ParseInt(m.Attributes["SentTimestamp"], 10, 64)
	if err != nil {
		return due
	}
	if sent := time.UnixMilli(ms); sent.After(due) {
		return sent
	}
	return due
}

// due is when a message is due, by its attribute "at" (RFC 3339); the zero time when it
// has none.
func due(m events.SQSMessage) time.Time {
	a, ok := m.MessageAttributes["at"]
	if !ok || a.StringValue == nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, *a.StringValue)
	if err != nil {
		return time.Time{}
	}
	return at
}

// Task handles a task of a state machine. An error's name is its code, by which the
// machine decides whether to try again.
func Task(a *app.App, word string) func(context.Context, json.RawMessage) (any, error) {
	do := a.Task(word)
	return Measured(a, func(ctx context.Context, input json.RawMessage) (any, error) {
		started := time.Now()
		out, err := do(ctx, input)
		log := a.Log.With("task", word, "ms", time.Since(started).Milliseconds())
		if err == nil {
			log.Info("task done")
			return out, nil
		}
		log.LogAttrs(ctx, slog.LevelWarn, "task failed",
			slog.String("code", string(wstk.CodeOf(err))),
			slog.String("error", a.Config.Logged(err.Error())))
		return nil, messages.InvokeResponse_Error{Type: string(wstk.CodeOf(err)),
			Message: err.Error()}
	})
}

// Objects reads uploaded objects.
type Objects interface {
	Object(ctx context.Context, key string) (data []byte, contentType string, err error)
}

// Upload handles "Object Created" events of S3 under the inbox: each object but a
// sidecar is a page.
func Upload(
	a *app.App, objects Objects, inbox string,
) func(context.Context, events.EventBridgeEvent) (*answering.Uploaded, error) {
	return Measured(a, func(
		ctx context.Context, e events.EventBridgeEvent,
	) (*answering.Uploaded, error) {
		var detail struct {
			Bucket struct {
				Name string `json:"name"`
			} `json:"bucket"`
			Object struct {
				Key string `json:"key"`
			} `json:"object"`
		}
		if err := json.Unmarshal(e.Detail, &detail); err != nil {
			return nil, wstk.Errorf(wstk.Invalid, "reading event", "%w", err)
		}
		key := detail.Object.Key
		name, ok := strings.CutPrefix(key, inbox)
		if !ok || name == "" || strings.HasSuffix(name, "/") ||
			strings.HasSuffix(name, answering.RequestSuffix) {
			return nil, nil
		}
		data, contentType, err := objects.Object(ctx, key)
		if wstk.CodeOf(err) == wstk.NotFound {
			a.Log.Warn("upload is gone", "key", key) // removed since, or an event that came twice
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		request, _, err := objects.Object(ctx, key+answering.RequestSuffix)
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return nil, err
		}
		out, err := a.Answering.Provide(ctx, answering.Upload{Name: name,
			URL:  (&url.URL{Scheme: "s3", Host: detail.Bucket.Name, Path: "/" + key}).String(),
			Body: data, Type: contentType, Request: request})
		a.Log.Info("upload", "key", key, "verdict", string(out.Verdict), "reason", out.Reason,
			"run", string(out.Run))
		return &out, err
	})
}

// Sweep handles the schedule of the sweep, and tells how long the queues are.
func Sweep(a *app.App) func(context.Context) (crawling.Swept, error) {
	sweep := Measured(a, func(ctx context.Context, _ struct{}) (crawling.Swept, error) {
		out, err := a.Crawling.SweepAll(ctx)
		a.Log.Info("sweep", "crawls", out.Crawls, "extractions", out.Extractions,
			"requests", out.Requests)
		if err := a.Crawling.MeasureQueues(ctx); err != nil {
			a.Log.Warn("the queues were not measured", "error", err.Error())
		}
		return out, err
	})
	return func(ctx context.Context) (crawling.Swept, error) { return sweep(ctx, struct{}{}) }
}
