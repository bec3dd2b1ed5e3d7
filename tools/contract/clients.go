package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runtimeModule is what clients that oapi-codegen makes import.
const runtimeModule = "github.com/oapi-codegen/runtime@v1.8.0"

// clients generates a Python and a Go client from the description in document, and has a
// program work with each: from the list of sites to each quote, found again. tools is the
// folder of the generators, programs that of the two programs.
func clients(ctx context.Context, address, document, root, dir, tools, programs string) error {
	c := clientRun{dir: filepath.Join(dir, "clients"), arguments: []string{address, token, root}}
	if err := os.MkdirAll(filepath.Join(c.dir, "wstk"), 0o755); err != nil {
		return err
	}
	settings := filepath.Join(dir, "settings.yml")
	if err := os.WriteFile(settings, []byte("post_hooks: []\n"), 0o644); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(programs, "client.py"),
		filepath.Join(c.dir, "client.py")); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(programs, "client", "main.go"),
		filepath.Join(c.dir, "main.go")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(c.dir, "go.mod"), []byte("module client\n"),
		0o644); err != nil {
		return err
	}
	steps := [][]string{
		{filepath.Join(tools, "openapi-python-client"), "generate", "--path", document,
			"--config", settings,
			"--meta", "none", "--output-path", filepath.Join(c.dir, "wstk_client"),
			"--fail-on-warning"},
		append([]string{filepath.Join(tools, "python3"), "client.py"}, c.arguments...),
		{filepath.Join(tools, "oapi-codegen"), "-generate", "types,client", "-package", "wstk",
			"-o", filepath.Join("wstk", "wstk.go"), document},
		{"go", "get", runtimeModule},
		{"go", "build", "-mod=mod", "-o", "client", "."},
		append([]string{filepath.Join(c.dir, "client")}, c.arguments...),
	}
	for _, step := range steps {
		if err := c.run(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

// clientRun runs commands in the folder of the clients.
type clientRun struct {
	dir       string
	arguments []string
}

func (c clientRun) run(ctx context.Context, command []string) error {
	var said strings.Builder
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, &said, &said
	err := cmd.Run()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(command[:min(len(command), 2)], " "),
			err, said.String())
	}
	if line := strings.TrimSpace(said.String()); strings.HasPrefix(line, "the ") {
		fmt.Println(line)
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
