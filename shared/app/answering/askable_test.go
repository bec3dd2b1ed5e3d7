package answering

import (
	"testing"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// Pages to answer from are named by clients: files of this machine are not among them.
func TestAskable(t *testing.T) {
	for _, c := range []struct {
		name         string
		local, cloud string
	}{
		{"https://A.example/x#y", "https://a.example/x", "https://a.example/x"},
		{"http://a.example", "http://a.example/", "http://a.example/"},
		{"s3://mine/inbox/x.html", "", "s3://mine/inbox/x.html"},
		{"s3://others/inbox/x.html", "", ""},
		{"file:///etc/passwd", "", ""},
		{"/etc/passwd", "", ""},
		{"stdin:", "", ""},
		{"ftp://a.example/", "", ""},
		{"http://me:made-up@a.example/", "", ""},
	} {
		for bucket, want := range map[string]string{"": c.local, "mine": c.cloud} {
			a := &Room{Ports: Ports{Base: reading.Base{
				Config: config.Config{Cloud: config.Cloud{Bucket: bucket}}}}}
			got, err := a.askable(c.name)
			if want == "" && wstk.CodeOf(err) != wstk.Invalid ||
				want != "" && (err != nil || got != want) {
				t.Errorf("%s with the bucket %q: %q, %v", c.name, bucket, got, err)
			}
		}
	}
}
