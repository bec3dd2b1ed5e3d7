package cloud

import (
	"log/slog"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"wstk/shared/config"
	"wstk/shared/wstk"
)

// D12: functions answer others, so that they do not start with a person's rules of access. The
// environment switches them on, and no secret of the stack holds a rule.
func TestFunctionsRefuseRulesOfAccess(t *testing.T) {
	c, err := settings().Load(func(name string) string {
		return map[string]string{"WSTK_ACCESS": "1", "HOME": t.TempDir()}[name]
	}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(c, aws.Config{}, slog.New(slog.DiscardHandler))
	if wstk.CodeOf(err) != wstk.Invalid || len(wstk.StepsOf(err)) == 0 {
		t.Errorf("with access on: %v, steps %v", err, wstk.StepsOf(err))
	}
	c.Access = config.AccessOptions{}
	if _, err = New(c, aws.Config{}, slog.New(slog.DiscardHandler)); err != nil {
		t.Errorf("with access off: %v", err)
	}
}
