package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// requirements pins MiniStack and all it needs.
//
//go:embed requirements.txt
var requirements string

const miniStack = "ministack-1.5.33"

// made-up credentials, and nothing of the user's own: no run may reach a real account.
// What would name an identity of the user's is taken out of the environment by main.
var madeUp = []string{"AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1",
	"AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
	"AWS_CONFIG_FILE=" + os.DevNull, "AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull,
	"AWS_EC2_METADATA_DISABLED=true"}

func awsService() *service {
	return &service{
		name:     "aws",
		variable: "WSTK_AWS_ENDPOINT",
		health:   "/_ministack/health",
		env:      append([]string{"AWS_ENDPOINT_URL=%URL%"}, madeUp...),
		aside:    "AWS_ENDPOINT_URL_BEDROCK_RUNTIME", // its models are not shaped right
		install:  installMiniStack,
		command: func(cache, dir string, port int) (*exec.Cmd, error) {
			cmd := exec.Command(filepath.Join(cache, miniStack, "bin", "python"), "-m", "ministack")
			cmd.Dir = dir
			// functions inherit this environment: with the endpoint in it they call
			// the emulator, without it the real cloud
			cmd.Env = append(append(os.Environ(), madeUp...),
				fmt.Sprintf("AWS_ENDPOINT_URL=http://127.0.0.1:%d", port),
				fmt.Sprint("GATEWAY_PORT=", port), fmt.Sprint("EDGE_PORT=", port),
				"BIND_HOST=127.0.0.1", "MINISTACK_HOST=localhost", "LAMBDA_EXECUTOR=local",
				"IOT_MTLS_ENABLED=0",
				"STATE_DIR="+filepath.Join(dir, "state"),
				"S3_DATA_DIR="+filepath.Join(dir, "s3"), "TMPDIR="+dir)
			return cmd, nil
		},
	}
}

func installMiniStack(cache string, say func(string, ...any)) error {
	dir := filepath.Join(cache, miniStack)
	return once(dir, func() error {
		err := need(say, func() error {
			_, err := output("python3", "-c",
				"import sys, venv, ensurepip; assert sys.version_info >= (3, 11)")
			if err != nil {
				err = errors.New("no Python 3.11 or later with its venv module")
			}
			return err
		}, "python3", "python3-venv")
		if err != nil {
			return err
		}
		say("installing %s (about a minute and 120 MB)", miniStack)
		if _, err := output("python3", "-m", "venv", dir); err != nil {
			return err
		}
		list := filepath.Join(dir, "requirements.txt")
		if err := os.WriteFile(list, []byte(requirements), 0o644); err != nil {
			return err
		}
		return twice(say, func() error {
			_, err := output(filepath.Join(dir, "bin", "python"),
				strings.Fields("-m pip install -q --disable-pip-version-check --no-input -r "+
					list)...)
			return err
		})
	})
}
