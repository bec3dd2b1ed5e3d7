package serve

import "testing"

// A server takes work between its preparation and its draining; once it drains it does not
// go back.
func TestPhases(t *testing.T) {
	var p Phase
	is := func(when string, begun, ready bool) {
		t.Helper()
		if (p.Beginning() == nil) != begun || (p.Readiness() == nil) != ready {
			t.Errorf("%s: %v, %v", when, p.Beginning(), p.Readiness())
		}
	}
	is("where no phase is set", true, true)
	p.Preparing()
	is("at the beginning", false, false)
	p.Started()
	is("when it has begun", true, true)
	stop := p.Draining()
	select {
	case <-stop:
		t.Error("it drains already")
	default:
	}
	p.Drain()
	p.Drain()
	p.Started()
	is("about to stop", true, false)
	<-stop
	<-p.Draining()
}
