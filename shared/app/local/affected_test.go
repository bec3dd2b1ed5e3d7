package local_test

import (
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/apptest"
)

// D10: evidence of stored answers is located again, and answers touched by a change are listed.
func TestAffected(t *testing.T) {
	apptest.Affected(t, func(t *testing.T) *app.App { return open(t, testConfig(t)) })
}
