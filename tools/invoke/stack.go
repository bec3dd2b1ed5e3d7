package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// environment is what the word's function of the stack is given beside what the caller
// has in its own.
func environment(ctx context.Context, stack, word string) ([]string, error) {
	cfg, err := awsConfig(ctx)
	if err != nil {
		return nil, err
	}
	// An endpoint of one's own takes any credentials; there must be some, or the SDK looks
	// for them elsewhere.
	c, err := cfg.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, err
	}
	env := []string{"AWS_REGION=" + cfg.Region, "AWS_ACCESS_KEY_ID=" + c.AccessKeyID,
		"AWS_SECRET_ACCESS_KEY=" + c.SecretAccessKey, "AWS_SESSION_TOKEN=" + c.SessionToken}
	if os.Getenv("WSTK_RECORDS_TABLE") != "" {
		return env, nil
	}
	variables, err := deployed(ctx, cfg, stack, word)
	for name, value := range variables {
		if strings.HasPrefix(name, "WSTK_") && os.Getenv(name) == "" {
			env = append(env, name+"="+value)
		}
	}
	return env, err
}

func awsConfig(ctx context.Context) (aws.Config, error) {
	options := []func(*config.LoadOptions) error{config.WithRegion(
		or(os.Getenv("AWS_REGION"), or(os.Getenv("AWS_DEFAULT_REGION"), "us-east-1")))}
	if os.Getenv("AWS_ACCESS_KEY_ID") == "" && os.Getenv("AWS_PROFILE") == "" {
		options = append(options,
			config.WithCredentialsProvider(
				credentials.NewStaticCredentialsProvider("test", "test", "")))
	}
	return config.LoadDefaultConfig(ctx, options...)
}

// described is what Lambda says of a function, as far as it matters here.
type described struct {
	FunctionName string
	Environment  struct{ Variables map[string]string }
}

// deployed reads the environment of the word's function. Two requests do not pay for
// the whole client of Lambda.
func deployed(ctx context.Context, cfg aws.Config, stack, word string) (map[string]string, error) {
	name := stack + "-" + strings.ToUpper(word[:1]) + word[1:] + "Function"
	for marker := ""; ; {
		var page struct {
			Functions  []described
			NextMarker string
		}
		if err := get(ctx, cfg, "/2015-03-31/functions/?MaxItems=50&Marker="+
			url.QueryEscape(marker), &page); err != nil {
			return nil, err
		}
		for _, f := range page.Functions {
			if f.FunctionName == name || strings.HasPrefix(f.FunctionName, name+"-") {
				var one described
				err := get(ctx, cfg, "/2015-03-31/functions/"+url.PathEscape(f.FunctionName)+
					"/configuration", &one)
				return one.Environment.Variables, err
			}
		}
		if marker = page.NextMarker; marker == "" {
			return nil, fmt.Errorf("no stack %s at %s has the function %s: deploy it there, or "+
				"name another with WSTK_STACK", stack, os.Getenv("AWS_ENDPOINT_URL"), word)
		}
	}
}

func get(ctx context.Context, cfg aws.Config, path string, out any) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	path = strings.TrimSuffix(path, "&Marker=")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		strings.TrimSuffix(os.Getenv("AWS_ENDPOINT_URL"), "/")+path, nil)
	if err != nil {
		return err
	}
	c, err := cfg.Credentials.Retrieve(ctx)
	if err != nil {
		return err
	}
	none := sha256.Sum256(nil)
	if err := v4.NewSigner().SignHTTP(ctx, c, req, hex.EncodeToString(none[:]), "lambda",
		cfg.Region, time.Now()); err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("asking Lambda: %s: %.200s", res.Status, data)
	}
	return json.Unmarshal(data, out)
}
