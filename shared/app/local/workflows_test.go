package local_test

import (
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestWorkflows(t *testing.T) {
	wstktest.Workflows(t, func(t *testing.T) wstk.Workflows {
		return open(t, testConfig(t)).Machines
	})
}
