package rest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"wstk/shared/app/answering"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// eventStream is the content type of server-sent events.
const eventStream = "text/event-stream"

const (
	// mostStreams is how many streams may be open at a time.
	mostStreams = 100

	// pollEvery is how often the stores are asked for one stream.
	pollEvery = 250 * time.Millisecond

	// heartbeat is how often a stream with nothing to say shows that it is alive.
	heartbeat = 15 * time.Second

	// bufferedWait is how long a buffered reply waits for something new.
	bufferedWait = 20 * time.Second

	// writeTime is how long a client may take to read what it is sent.
	writeTime = 30 * time.Second

	// retryLine says when a client comes again for the next piece.
	retryLine = "retry: 1000\n\n"

	// mostEvents is how much of a buffered reply events may take, in bytes.
	mostEvents = MaxBody - len(retryLine)
)

var aPlace = text.Pattern(`^[0-9]{1,9}$`)

// events sends the progress and results of running answers of a kind as server-sent events.
func (h *handler) events(k answerKind) work {
	return func(r *http.Request) (reply, error) { return h.eventsOf(k, r) }
}

func (h *handler) eventsOf(k answerKind, r *http.Request) (reply, error) {
	id, _, err := k.id(r)
	if err != nil {
		return reply{}, err
	}
	after := 0
	if last := r.Header.Values("Last-Event-ID"); len(last) > 0 {
		if len(last) > 1 || !aPlace().MatchString(last[0]) {
			return reply{}, invalid("Last-Event-ID is not the id of an event, a whole number")
		}
		after, _ = strconv.Atoi(last[0]) // at most nine digits
	}
	open := h.app.Answering.Events
	if k == answers {
		open = h.app.Answering.AnswerEvents
	}
	follow, err := open(r.Context(), id, after)
	if err != nil {
		return reply{}, err
	}
	first, err := follow.Next(r.Context())
	if err != nil {
		return reply{}, err
	}
	// all was heard: a client that is told so does not come again
	if follow.Ended() && len(first) == 0 {
		return reply{serve: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
		}}, nil
	}
	if h.streams.Add(1) > mostStreams {
		h.streams.Add(-1)
		return reply{}, wstk.Errorf(wstk.RateLimited, "",
			"%d streams are open, which is the limit", mostStreams).
			Try(wstk.Advices("try again in a moment",
				"GET "+k.path+string(id)+" returns the same")...)
	}
	return reply{serve: func(w http.ResponseWriter, r *http.Request) {
		defer h.streams.Add(-1)
		w.Header().Set("Content-Type", eventStream)
		w.Header().Set("X-Accel-Buffering", "no") // of proxies
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusOK)
			return
		}
		s := stream{h: h, w: w, control: http.NewResponseController(w), whole: k.path + string(id),
			follow: follow}
		// the request is read; where there are no deadlines none must be lifted
		s.control.SetReadDeadline(time.Time{})
		ctx := r.Context()
		if !h.opts.Buffered {
			ctx = outliving(r)
		}
		s.run(ctx, first)
	}}, nil
}

// baseKey holds the context of a request without its time limit.
type baseKey struct{}

// outliving is the context of a request that may last longer than others.
func outliving(r *http.Request) context.Context {
	return r.Context().Value(baseKey{}).(context.Context)
}

// stream is one client that listens to an answer.
type stream struct {
	h       *handler
	w       http.ResponseWriter
	control *http.ResponseController
	whole   string // the path of what the events are parts of
	follow  *answering.ExtractionEvents
}

// run sends the first events and all that follow, until the answer has ended, the
// client has gone, or the server stops. Where replies are buffered it ends as soon as
// there was something to tell, or after a while, and the client comes again; what does not
// go into one reply it hears then.
func (s *stream) run(ctx context.Context, events []answering.Event) {
	var stop <-chan time.Time
	if s.h.opts.Buffered {
		stop = time.After(bufferedWait)
		s.send(retryLine)
	}
	poll, beat := time.NewTicker(pollEvery), time.NewTicker(heartbeat)
	defer poll.Stop()
	defer beat.Stop()
	for ok := s.tell(events); ok; ok = s.tell(events) {
		if s.follow.Ended() || s.h.opts.Buffered && len(events) > 0 {
			return
		}
		events = nil
		select {
		case <-ctx.Done():
			return
		case <-s.h.opts.Phase.Draining():
			return
		case <-stop:
			return
		case <-beat.C:
			if !s.send(": still here\n\n") {
				return
			}
		case <-poll.C:
			var err error
			// the client comes again, and is told by its status
			if events, err = s.follow.Next(ctx); err != nil {
				s.h.app.Log.WarnContext(ctx, "a stream of events ended", "code",
					string(wstk.CodeOf(err)), "error", s.h.app.Config.Logged(err.Error()))
				return
			}
		}
	}
}

// tooLarge is what an event says that goes into no reply.
type tooLarge struct {
	Error string    `json:"error"`
	Code  wstk.Code `json:"code"`
	Next  []string  `json:"next"`
}

// tell sends events; false when the client has gone. A buffered reply holds as many as
// go into it, and at least one.
func (s *stream) tell(events []answering.Event) bool {
	var out bytes.Buffer
	for _, e := range events {
		one, err := written(e)
		if err == nil && s.h.opts.Buffered && len(one) > mostEvents {
			e.Data = tooLarge{fmt.Sprintf("the event has %d bytes, too many for one reply",
				len(one)), wstk.TooLarge,
				[]string{"GET " + s.whole + " has it"}}
			one, err = written(e)
		}
		if err != nil { // it was JSON before
			return false
		}
		if s.h.opts.Buffered && out.Len()+len(one) > mostEvents {
			break
		}
		out.Write(one)
	}
	return s.send(out.String())
}

// written is an event as the stream has it.
func written(e answering.Event) ([]byte, error) {
	data, err := encode(e.Data)
	if err != nil {
		return nil, err
	}
	head := "id: " + strconv.Itoa(e.ID) + "\nevent: " + e.Kind + "\ndata: "
	return append(append([]byte(head), data...), '\n'), nil // the data ends its line itself
}

func (s *stream) send(text string) bool {
	s.control.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	s.control.Flush()
	return true
}
