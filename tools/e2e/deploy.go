package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

const (
	stack = "wstk-e2e"
	token = "made-up-" + "token-of-e2e"
)

// parameters make the stack fit for a test: this machine's processor, a search engine
// and a site on loopback, and short times.
func (e *e2e) parameters() []string {
	return []string{"Architecture=" + architecture(), "Search=endpoint",
		"SearchEndpoint=" + e.search, "VectorEngine=lucene",
		"AllowPrivate=true", "TokenSecret=" + stack + "/tokens",
		"ProviderSecret=" + stack + "/providers", "SearchCascade=" + cascade,
		`SweepSchedule="rate(1 minute)"`, `RefreshSchedule="rate(1 minute)"`, "StaleAfter=60s",
		"FetchTimeout=20", "FetchVisibility=120", "SummarizeTimeout=5", "SummarizeVisibility=30"}
}

func (e *e2e) config(ctx context.Context) (aws.Config, error) {
	return config.LoadDefaultConfig(ctx, config.WithBaseEndpoint(e.endpoint),
		config.WithRegion("us-east-1"))
}

// deploy builds and deploys the template as a user would.
func (e *e2e) deploy(ctx context.Context) error {
	cfg, err := e.config(ctx)
	if err != nil {
		return err
	}
	objects := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := objects.CreateBucket(ctx,
		&s3.CreateBucketInput{Bucket: aws.String(stack + "-code")}); err != nil {
		return err
	}
	providers := maps.Clone(e.providers)
	delete(providers, "WSTK_SEARCH_CASCADE_ORDER") // a parameter of the stack
	keys, err := json.Marshal(providers)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"tokens": token, "providers": string(keys)} {
		if err := putSecret(ctx, secretsmanager.NewFromConfig(cfg), stack+"/"+name,
			value); err != nil {
			return err
		}
	}
	e.step("building the functions")
	env := e.environment()
	if os.Getenv("AWS_ACCESS_KEY_ID") == "" { // an endpoint that runs already
		os.Setenv("AWS_ACCESS_KEY_ID", "test")
		os.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	}
	// Compiled once for all; sam then only links.
	if _, err := e.command(ctx, env, "go", "build", "./functions/..."); err != nil {
		return err
	}
	built := filepath.Join(e.dir, "build")
	if _, err := e.command(ctx, env, e.sam, "build", "--build-dir", built, "--parameter-overrides",
		"Architecture="+architecture()); err != nil {
		return err
	}
	e.step("deploying template.yaml")
	if err := e.put(ctx, built, e.parameters()...); err != nil {
		return err
	}
	out, err := e.command(ctx, env, e.sam, "list", "stack-outputs", "--stack-name", stack,
		"--output", "json")
	if err != nil {
		return err
	}
	var outputs []struct{ OutputKey, OutputValue string }
	if err := json.Unmarshal(out, &outputs); err != nil {
		return err
	}
	values := map[string]string{}
	for _, o := range outputs {
		values[o.OutputKey] = o.OutputValue
	}
	e.bucket = values["BucketName"]
	u, err := url.Parse(e.endpoint)
	if err != nil {
		return err
	}
	e.api = api{base: e.endpoint, host: values["ApiId"] + ".execute-api.localhost:" + u.Port()}
	return e.findQueues(ctx, cfg)
}

// environment is that of the programs that build and deploy.
func (e *e2e) environment() []string {
	return []string{"CGO_ENABLED=0", "GOFLAGS=-tags=lambda.norpc -trimpath '-ldflags=-s -w'",
		"SAM_CLI_TELEMETRY=0",
		"AWS_ENDPOINT_URL=" + e.endpoint, "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1"}
}

// put makes the stack, or changes it.
func (e *e2e) put(ctx context.Context, built string, parameters ...string) error {
	_, err := e.command(ctx, e.environment(), e.sam,
		append([]string{"deploy", "--template-file", filepath.Join(built, "template.yaml"),
			"--stack-name", stack,
			"--s3-bucket", stack + "-code", "--capabilities", "CAPABILITY_IAM",
			"--no-confirm-changeset", "--parameter-overrides"}, parameters...)...)
	return err
}

// putSecret makes a secret, or changes that of an earlier run.
func putSecret(ctx context.Context, client *secretsmanager.Client, name, value string) error {
	_, err := client.CreateSecret(ctx,
		&secretsmanager.CreateSecretInput{Name: &name, SecretString: &value})
	if errors.As(err, new(*types.ResourceExistsException)) {
		_, err = client.PutSecretValue(ctx,
			&secretsmanager.PutSecretValueInput{SecretId: &name, SecretString: &value})
	}
	return err
}

// findQueues learns the URLs of the stack's queues.
func (e *e2e) findQueues(ctx context.Context, cfg aws.Config) error {
	e.queues = map[string]string{}
	out, err := sqs.NewFromConfig(cfg).
		ListQueues(ctx, &sqs.ListQueuesInput{QueueNamePrefix: aws.String(stack)})
	if err != nil {
		return err
	}
	for _, u := range out.QueueUrls {
		for _, name := range []string{"Crawl", "Fetch", "Summarize", "Index"} {
			for _, kind := range []string{"Queue", "DeadQueue"} {
				if strings.Contains(u, stack+"-"+name+kind+"-") {
					e.queues[name+kind] = u
				}
			}
		}
	}
	if len(e.queues) != 8 {
		return fmt.Errorf("found the queues %v", e.queues)
	}
	return nil
}

// command runs a program to its end and returns its standard output.
func (e *e2e) command(
	ctx context.Context, env []string, name string, args ...string,
) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(name), args[0], err,
			tail(stdout.String()), tail(stderr.String()))
	}
	return stdout.Bytes(), nil
}

func tail(s string) string {
	const most = 4000
	if len(s) > most {
		s = "…" + s[len(s)-most:]
	}
	return s
}
