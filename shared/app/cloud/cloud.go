// Package cloud is the composition root of the functions on AWS: DynamoDB for records,
// S3 for bytes, SQS between the stages, Step Functions for extractions, OpenSearch for
// the index, and the same guarded client for everything that goes out to the web.
package cloud

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"

	"wstk/shared/adapter/dynamodb"
	"wstk/shared/adapter/opensearch"
	"wstk/shared/adapter/s3"
	"wstk/shared/adapter/sqs"
	"wstk/shared/adapter/stepfunctions"
	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/looking"
	"wstk/shared/app/reading"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// System is the App over the stack's resources, and what only functions need.
type System struct {
	*app.App
	s3     *awss3.Client
	secret *secretsmanager.Client

	mu       sync.Mutex
	tokens   []string
	tokensAt time.Time
}

// Folders of the bucket.
const (
	blobsPrefix   = "blobs/"
	scratchPrefix = "scratch/" // expires
	InboxPrefix   = "inbox/"
	OutboxPrefix  = "outbox/"
)

// settingsDir is where the code of a function lies.
const settingsDir = "/var/task"

// Open reads the settings from the environment, and from the secret of the providers where
// one is named, and wires the App. It is called once, at the start of a function's
// process, and makes no other request.
func Open(ctx context.Context) (*System, error) {
	if limit, ok := memoryLimit(os.Getenv); ok {
		debug.SetMemoryLimit(limit)
	}
	c, err := settings().Load(os.Getenv, settingsDir)
	if err != nil {
		return nil, err
	}
	cfg, err := awsconfig.LoadDefaultConfig(ctx, awsconfig.WithRetryMaxAttempts(5))
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "reading the AWS settings", err)
	}
	if name := c.Cloud.ProviderSecret; name != "" {
		if c, err = withProviders(ctx, cfg, name); err != nil {
			return nil, err
		}
	}
	s, err := New(c, cfg, slog.New(
		slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: level(c.LogLevel)})))
	if err == nil {
		s.Metrics.Out = os.Stdout // CloudWatch takes numbers out of the log
	}
	return s, err
}

// memoryLimit is the memory from which on the collector of a function works harder, in
// bytes: four fifths of what the function has, so that garbage of a large page does not end
// the process. There is none where GOMEMLIMIT says it, or outside of a function.
func memoryLimit(getenv func(string) string) (limit int64, ok bool) {
	megabytes, err := strconv.ParseInt(getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"), 10, 64)
	if err != nil || megabytes <= 0 || getenv("GOMEMLIMIT") != "" {
		return 0, false
	}
	return megabytes << 20 / 5 * 4, true
}

// New wires the App over the resources that c names.
func New(c config.Config, cfg aws.Config, log *slog.Logger) (*System, error) {
	c.Function = true
	if err := looking.NoAccess(c); err != nil {
		return nil, err
	}
	client, err := stages.Client(c)
	if err != nil {
		return nil, err
	}
	names := c.Cloud
	queue := sqs.Queue{Client: awssqs.NewFromConfig(cfg), URLs: names.Queues}
	bucket := awss3.NewFromConfig(cfg, func(o *awss3.Options) {
		o.UsePathStyle = cfg.BaseEndpoint != nil
	})
	db := &dynamodb.DB{Client: awsdynamodb.NewFromConfig(cfg),
		Tables: dynamodb.Tables{Records: names.Records, Frontier: names.Frontier,
			Hosts: names.Hosts}}
	pages := dynamodb.Pages{DB: db}
	a := app.New(app.Home{
		Base: reading.Base{Config: c, Log: reading.Correlated(log), Now: time.Now},
		Stores: app.Stores{Blobs: s3.Blobs{Client: bucket, Bucket: names.Bucket,
			Prefix: blobsPrefix},
			Scratch: s3.Blobs{Client: bucket, Bucket: names.Bucket,
				Prefix: scratchPrefix, Expires: true},
			Snapshots: dynamodb.Snapshots{DB: db}, Pages: pages, SiteStore: dynamodb.Sites{DB: db},
			Runs:  dynamodb.Runs{DB: db},
			Locks: dynamodb.Locks{DB: db}, Frontier: dynamodb.Frontier{DB: db},
			Hosts: dynamodb.Hosts{DB: db}, Summaries: dynamodb.Summaries{DB: db},
			SearchRows: dynamodb.SearchRows{DB: db}, Templates: dynamodb.Templates{DB: db},
			Queue: queue, Index: noIndex{}},
		Dispatch: crawling.ByMessages{}, Backlog: queue,
		Machines: answering.Elsewhere{Workflows: stepfunctions.Workflows{
			Client: sfn.NewFromConfig(cfg), Machines: names.Machines}},
		Outbox: outbox{bucket, names.Bucket},
	})
	var vectors wstk.VectorIndex
	if names.Search != "" {
		x := &opensearch.Index{Endpoint: names.Search, Serverless: names.SearchMode != "domain",
			Region: cfg.Region}
		// one of the machine's own asks for no signature
		if !strings.HasPrefix(names.Search, "http://") {
			x.Credentials = cfg.Credentials
		}
		x.Current = pages.Texts // what shows late is dropped
		a.Index, vectors = x, &opensearch.Vectors{Index: x, Engine: names.Engine}
	}
	stages.Wire(a, client, dynamodb.Evidence{DB: db})
	own, sentences, err := ownModels(c, cfg, bucket)
	if err != nil {
		return nil, err
	}
	embeddings := dynamodb.Embeddings{DB: db}
	if sentences != nil {
		a.Embedder, a.Embeddings = sentences, embeddings
	}
	if _, err := stages.Compare(a, own, vectors, embeddings); err != nil {
		return nil, err
	}
	if names.Search != "" && names.SearchMode != "domain" {
		a.IndexLag = serverlessLag
	}
	if err := stages.Models(a, vendor(cfg)); err != nil {
		return nil, err
	}
	if err := stages.Search(a, dynamodb.Cache{DB: db}, stages.Passages(a)); err != nil {
		return nil, err
	}
	a.Compose()
	return &System{App: a, s3: bucket, secret: secretsmanager.NewFromConfig(cfg)}, nil
}

// withProviders reads the settings from the environment and a secret.
func withProviders(ctx context.Context, cfg aws.Config, name string) (config.Config, error) {
	out, err := secretsmanager.NewFromConfig(cfg).
		GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if err != nil {
		return config.Config{}, wstk.Errorf(wstk.Unavailable,
			"reading the secret "+name, "%w", err).
			Try(wstk.Advice("make the secret that the parameter ProviderSecret names, or deploy " +
				"without it"))
	}
	getenv, err := settings().WithSecret(os.Getenv, aws.ToString(out.SecretString))
	if err != nil {
		return config.Config{}, err
	}
	return settings().Load(getenv, settingsDir)
}

func level(name string) slog.Level {
	var l slog.Level
	if err := l.UnmarshalText([]byte(name)); err != nil {
		return slog.LevelInfo
	}
	return l
}

// serverlessLag is how late OpenSearch Serverless shows what it was given, at most.
const serverlessLag = time.Minute

// maxUpload bounds an uploaded page, in bytes.
const maxUpload = 64 << 20

// Object reads an object of the bucket, and its content type. A missing one is
// NotFound, one over 64 MiB TooLarge.
func (s *System) Object(
	ctx context.Context, key string,
) (data []byte, contentType string, err error) {
	const op = "reading upload"
	out, err := s.s3.GetObject(ctx,
		&awss3.GetObjectInput{Bucket: aws.String(s.Config.Cloud.Bucket), Key: &key})
	if err != nil {
		if s3.Missing(err) {
			return nil, "", wstk.Errorf(wstk.NotFound, op, "there is no %s", key)
		}
		return nil, "", wstk.Wrap(wstk.Unavailable, op, err)
	}
	defer out.Body.Close()
	if data, err = io.ReadAll(io.LimitReader(out.Body, maxUpload+1)); err != nil {
		return nil, "", wstk.Wrap(wstk.Unavailable, op, err)
	}
	if len(data) > maxUpload {
		return nil, "", wstk.Errorf(wstk.TooLarge, op, "%s has over %d bytes", key, maxUpload)
	}
	return data, aws.ToString(out.ContentType), nil
}

// outbox is the folder of the bucket in which the senders of uploads look for results.
type outbox struct {
	client *awss3.Client
	bucket string
}

func (o outbox) Deliver(ctx context.Context, name string, data []byte) error {
	_, err := o.client.PutObject(ctx, &awss3.PutObjectInput{Bucket: &o.bucket,
		Key:  aws.String(OutboxPrefix + name),
		Body: bytes.NewReader(data), ContentType: aws.String("application/json")})
	return wstk.Wrap(wstk.Unavailable, "delivering result", err)
}

// largeAge is how long the URL of a large body is good.
const largeAge = 5 * time.Minute

// Large returns a URL, good for some minutes, from which a stored body can be had that
// is too large for the API: a copy that is not compressed, as an attachment and plain
// text.
func (s *System) Large(ctx context.Context, h wstk.Hash) (string, bool) {
	data, err := s.Blobs.Get(ctx, h)
	if err != nil {
		return "", false
	}
	bucket, key := aws.String(s.Config.Cloud.Bucket), aws.String(scratchPrefix+"body/"+string(h))
	_, err = s.s3.PutObject(ctx,
		&awss3.PutObjectInput{Bucket: bucket, Key: key, Body: bytes.NewReader(data),
			ContentType:        aws.String("text/plain"),
			ContentDisposition: aws.String(`attachment; filename="` + string(h) + `.txt"`)})
	if err != nil {
		return "", false
	}
	signed, err := awss3.NewPresignClient(s.s3).
		PresignGetObject(ctx, &awss3.GetObjectInput{Bucket: bucket, Key: key},
			awss3.WithPresignExpires(largeAge))
	if err != nil {
		return "", false
	}
	return signed.URL, true
}

// tokenAge is how soon a change of the secret is heard of.
const tokenAge = 5 * time.Minute

// Tokens are the tokens of the API: the words of their secret, between commas or white
// space. They are read again every few minutes; while that fails, those read last count.
func (s *System) Tokens(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tokens != nil && s.Now().Sub(s.tokensAt) < tokenAge {
		return s.tokens, nil
	}
	tokens, err := s.readTokens(ctx)
	if err != nil {
		if s.tokens == nil {
			return nil, err
		}
		s.Log.Warn("the tokens were not read again", "error", err.Error())
		return s.tokens, nil
	}
	s.tokens, s.tokensAt = tokens, s.Now()
	return tokens, nil
}

func (s *System) readTokens(ctx context.Context) ([]string, error) {
	const op = "reading the tokens of the API"
	if s.Config.Cloud.TokenSecret == "" {
		return nil, wstk.Errorf(wstk.Internal, op, "no secret is named")
	}
	out, err := s.secret.GetSecretValue(ctx,
		&secretsmanager.GetSecretValueInput{SecretId: &s.Config.Cloud.TokenSecret})
	if err != nil {
		return nil, wstk.Wrap(wstk.Unavailable, op, err)
	}
	tokens := strings.FieldsFunc(aws.ToString(out.SecretString), func(r rune) bool {
		return r == ',' || unicode.IsSpace(r)
	})
	if len(tokens) == 0 {
		return nil, wstk.Errorf(wstk.Internal, op, "the secret holds no token")
	}
	for _, t := range tokens {
		if err := config.CheckToken(t); err != nil { // the client has done nothing invalid
			return nil, wstk.Errorf(wstk.Internal, op, "%w", err)
		}
	}
	if n := config.Tokens(tokens).Short(); n > 0 {
		s.Log.Warn("tokens of the API are so short that they can be guessed", "tokens", n)
	}
	return tokens, nil
}
