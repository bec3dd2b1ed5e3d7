package stages

import (
	"os"

	"wstk/shared/config"
	"wstk/shared/prompt"
	"wstk/shared/wstk"
)

// prompts are the files that the operator named in place of the built-in prompts, read anew for
// each call.
func prompts(c config.Config) prompt.Custom {
	return func(op wstk.Operation) (string, error) {
		path := c.Models[op].PromptFile
		if path == "" {
			return "", nil
		}
		data, err := os.ReadFile(path)
		if err == nil && len(data) == 0 {
			err = wstk.Errorf(wstk.Invalid, "", "%s is empty", path)
		}
		return string(data), err
	}
}
