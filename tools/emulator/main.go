// Command emulator runs a command beside what stands in for the cloud on one
// machine, without an account and without containers: MiniStack for the AWS
// services and a real OpenSearch with k-NN. It installs both on first use, gives
// each run its own ports and state, and leaves no process behind.
//
//	emulator run [-only aws,opensearch] -- COMMAND [ARGUMENT…]
//	emulator install [-only aws,opensearch]
//
// COMMAND finds them through its environment:
//
//	WSTK_AWS_ENDPOINT, AWS_ENDPOINT_URL  URL of the AWS services; AWS_REGION and made-up credentials come with it
//	AWS_ENDPOINT_URL_BEDROCK_RUNTIME     where COMMAND may play models: functions ask there
//	WSTK_OPENSEARCH                      URL of OpenSearch
//	WSTK_EMULATOR_DIR                    folder with the servers' logs, gone when COMMAND ends
//
// A service whose variable (the first of its line) is set already is taken as
// running elsewhere and is not started. The exit code is COMMAND's, 128 and the
// signal's number when a signal ended it, 2 for invalid arguments, and
// 125 when the services could not be brought up.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const usage = `usage: emulator run [-only aws,opensearch] -- COMMAND [ARGUMENT…]
       emulator install [-only aws,opensearch]
`

const (
	exitUsage  = 2
	exitNotUp  = 125
	exitSignal = 128 // and the signal's number
)

func main() {
	// Empty is not the same: to Python an empty profile is one that is missing.
	os.Unsetenv("AWS_PROFILE")
	os.Unsetenv("AWS_SESSION_TOKEN")
	os.Exit(start(os.Args[1:], services(), os.Stderr))
}

// start does what args say and returns the exit code.
func start(args []string, all []*service, out io.Writer) int {
	verb, chosen, command, err := parse(args, all)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(out, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintf(out, "emulator: %v\n%s", err, usage)
		return exitUsage
	}
	m := &machine{services: chosen, out: out}
	if verb == "install" {
		if err := m.install(); err != nil {
			fmt.Fprintf(out, "emulator: %v\n", err)
			return exitNotUp
		}
		return 0
	}
	code, err := m.run(command)
	if err != nil {
		fmt.Fprintf(out, "emulator: %v\n", err)
	}
	return code
}

// parse reads the arguments. Services that run elsewhere are left out.
func parse(
	args []string, all []*service,
) (verb string, chosen []*service, command []string, err error) {
	if len(args) == 0 {
		return "", nil, nil, errors.New("say run or install")
	}
	flags := flag.NewFlagSet("emulator", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	only := flags.String("only", "", "services, with commas between")
	switch verb = args[0]; verb {
	case "run", "install":
	case "-h", "-help", "--help", "help":
		return "", nil, nil, flag.ErrHelp
	default:
		return "", nil, nil, fmt.Errorf("%q is not a command", verb)
	}
	if err := flags.Parse(args[1:]); err != nil {
		return "", nil, nil, err
	}
	command = flags.Args()
	switch {
	case verb == "run" && len(command) == 0:
		return "", nil, nil, errors.New("run needs a command after --")
	case verb == "install" && len(command) > 0:
		return "", nil, nil, fmt.Errorf("install takes no arguments, got %q", command[0])
	}
	var names, known []string
	if *only != "" {
		names = strings.Split(*only, ",")
	}
	for _, s := range all {
		known = append(known, s.name)
		if *only != "" && !slices.Contains(names, s.name) {
			continue
		}
		if verb == "run" && os.Getenv(s.variable) != "" {
			continue
		}
		chosen = append(chosen, s)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return "", nil, nil, fmt.Errorf("there is no service %q, only %s", name,
				strings.Join(known, " and "))
		}
	}
	return verb, chosen, command, nil
}

// cacheDir is where installed things stay: .cache/emulator beside the module's
// go.mod, or in the working directory when there is none above it.
func cacheDir() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, ".cache", "emulator"), nil
		}
		if dir == filepath.Dir(dir) {
			return filepath.Join(here, ".cache", "emulator"), nil
		}
	}
}
