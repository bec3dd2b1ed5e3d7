package cloud_test

import (
	"encoding/json"
	mathrand "math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsdynamodb "github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"wstk/shared/adapter/memory"
	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// Of a site that was removed there is left in the tables and in the bucket what its removal
// was asked and what it came to, and nothing else.
func TestARemovedSiteLeavesNothingBehind(t *testing.T) {
	s := deploy(t)
	c := &crawl{t: t, stack: s, random: mathrand.New(mathrand.NewPCG(1, 3)),
		queues: map[string]string{}, index: memory.NewIndex()}
	c.makeQueues()
	server := httptest.NewServer(&site{pages: pages, hits: map[string]int{}})
	defer server.Close()
	c.start()
	crawled := c.play(server.URL + "/")
	c.offset.Add(int64(3 * time.Minute)) // no worker of the crawl is left
	a := c.system.App
	run, removed, err := a.Crawling.RemoveSite(t.Context(), server.URL, false, true)
	must(t, err)
	body, err := json.Marshal(crawling.CrawlTask{Run: run.ID, Site: removed.ID})
	must(t, err)
	for steps := 0; ; steps++ {
		next, err := a.Crawling.Route("crawl")(t.Context(), body)
		must(t, err)
		if len(next) == 0 {
			break
		}
		if steps > 100 {
			t.Fatal("it never ends")
		}
	}
	run, out, err := a.Crawling.Removal(t.Context(), run.ID)
	must(t, err)
	if run.State != wstk.RunComplete || out.Pages == 0 || out.Pages != out.PagesRemoved ||
		out.Snapshots < out.Pages || out.Crawls != 1 {
		t.Errorf("%s, %+v", run.State, out)
	}
	stats, err := c.index.Stats(t.Context())
	if err != nil || stats != (wstk.IndexStats{}) {
		t.Errorf("the index holds %+v: %v", stats, err)
	}

	db := awsdynamodb.NewFromConfig(s.cfg)
	for _, table := range []string{s.config.Cloud.Records, s.config.Cloud.Frontier} {
		list, err := db.Scan(t.Context(), &awsdynamodb.ScanInput{TableName: &table})
		must(t, err)
		for _, it := range list.Items {
			pk, sk := it["pk"].(*types.AttributeValueMemberS).Value,
				it["sk"].(*types.AttributeValueMemberS).Value
			// of how many pages there are: zeros, by shard
			counter := strings.HasPrefix(pk, "count pages ")
			if !counter && !strings.Contains(pk+sk, string(run.ID)) ||
				strings.Contains(pk+sk, string(crawled)) {
				t.Errorf("%s holds %s, %s", table, pk, sk)
			}
		}
	}
	bucket := awss3.NewFromConfig(s.cfg, func(o *awss3.Options) { o.UsePathStyle = true })
	objects, err := bucket.ListObjectsV2(t.Context(),
		&awss3.ListObjectsV2Input{Bucket: aws.String(s.config.Cloud.Bucket)})
	must(t, err)
	for _, o := range objects.Contents {
		if !slices.ContainsFunc([]wstk.Hash{run.Request, run.Result}, func(h wstk.Hash) bool {
			return strings.Contains(*o.Key, string(h))
		}) {
			t.Errorf("the bucket holds %s", *o.Key)
		}
	}
}
