package dynamodb

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/logging"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// open makes tables of their own for a test.
func open(t *testing.T) *DB {
	t.Helper()
	endpoint := os.Getenv("WSTK_AWS_ENDPOINT")
	if endpoint == "" {
		wstktest.Skip(t, "WSTK_AWS_ENDPOINT names no endpoint")
	}
	ctx := t.Context()
	cfg, err := config.LoadDefaultConfig(ctx, config.WithBaseEndpoint(endpoint),
		config.WithRegion("us-east-1"), config.WithLogger(logging.Nop{}))
	if err != nil {
		t.Fatal(err)
	}
	name := "test-" + rand.Text()
	db := &DB{Client: dynamodb.NewFromConfig(cfg), Tables: Tables{name + "-records", name + "-frontier", name + "-hosts"}}
	for _, table := range []string{db.Tables.Records, db.Tables.Frontier, db.Tables.Hosts} {
		_, err := db.Client.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: &table,
			BillingMode: types.BillingModePayPerRequest,
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"),
				KeyType: types.KeyTypeHash},
				{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}},
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS}}})
		// made by a try whose reply was lost
		if err != nil && !errors.As(err, new(*types.ResourceInUseException)) {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			db.Client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &table})
		})
	}
	return db
}

func TestSites(t *testing.T) {
	wstktest.SiteStore(t, func(t *testing.T) wstk.SiteStore { return Sites{open(t)} })
}

func TestPages(t *testing.T) {
	wstktest.PageStore(t, func(t *testing.T) wstk.PageStore { return Pages{open(t)} })
}

func TestSnapshots(t *testing.T) {
	wstktest.SnapshotStore(t, func(t *testing.T) wstk.SnapshotStore { return Snapshots{open(t)} })
}

func TestSummaries(t *testing.T) {
	wstktest.SummaryStore(t, func(t *testing.T) wstk.SummaryStore { return Summaries{open(t)} })
}

func TestEmbeddings(t *testing.T) {
	wstktest.EmbeddingStore(t, func(t *testing.T) wstk.EmbeddingStore { return Embeddings{open(t)} })
}

func TestEvidence(t *testing.T) {
	wstktest.EvidenceStore(t, func(t *testing.T) wstk.EvidenceStore { return Evidence{open(t)} })
}

func TestRuns(t *testing.T) {
	wstktest.RunStore(t, func(t *testing.T) wstk.RunStore { return Runs{open(t)} })
}

func TestSearchRows(t *testing.T) {
	wstktest.SearchRowStore(t,
		func(t *testing.T) wstk.SearchRowStore { return SearchRows{open(t)} })
}

func TestTemplates(t *testing.T) {
	wstktest.TemplateStore(t, func(t *testing.T) wstk.TemplateStore { return Templates{open(t)} })
}

func TestCache(t *testing.T) {
	wstktest.Cache(t, func(t *testing.T, now func() time.Time) wstk.Cache {
		db := open(t)
		db.Now = now
		return Cache{db}
	})
}

func TestFrontier(t *testing.T) {
	wstktest.Frontier(t, func(t *testing.T) wstk.Frontier { return Frontier{open(t)} })
}

func TestHosts(t *testing.T) {
	wstktest.HostStore(t, func(t *testing.T) wstk.HostStore { return Hosts{open(t)} })
}

func TestLocks(t *testing.T) {
	wstktest.Locker(t, func(t *testing.T) wstk.Locker { return Locks{open(t)} })
}
