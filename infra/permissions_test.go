package infra

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// What each function touches, from what its word does in shared/app and the stages behind
// it. The rule "permissions" holds the policies against this table in both directions.
type needs struct {
	records  []string // actions on the table beside reading it
	frontier []string // likewise; nil means that the table is out of bounds
	hosts    bool     // slots and locks
	get, put []string // folders of the bucket
	deletes  []string // likewise: what is removed with a site or an answer
	sends    []string // queues
	counts   bool     // how many messages wait
	search   bool     // the index
	starts   []string // state machines
	secrets  []string // the parameters that name them
}

var (
	reads = []string{"GetItem", "BatchGetItem", "Query"}
	// records that stand alone: new runs, sites, summaries, evidence
	keeps = []string{"PutItem"}
	// runs that end: they leave the list of open ones
	ends = []string{"PutItem", "DeleteItem"}
	// pages and frontier: counters beside them, pointers that move
	counts = []string{"PutItem", "UpdateItem", "DeleteItem"}
	slots  = []string{"GetItem", "UpdateItem"}
)

var wiring = map[string]needs{
	// Seeds from robots.txt and sitemaps, which it fetches itself; releases to fetch, wakes
	// itself, hands on pages that turned out to be the ones to index, drops others. Removes
	// sites, and notes what kept answers cite of one as parts of that run.
	"crawl": {records: append([]string{"ConditionCheckItem"}, counts...), frontier: counts,
		hosts: true, get: folders("blobs"), put: folders("blobs"), deletes: folders("blobs"),
		sends: []string{"crawl", "fetch", "summarize"}, search: true, secrets: []string{"ProviderSecret"}},
	"fetch": {records: counts, frontier: counts, hosts: true, get: folders("blobs"),
		put: folders("blobs"), sends: []string{"crawl", "fetch", "summarize"}, search: true, secrets: []string{"ProviderSecret"}},
	// A queue's function sends messages that came early back to it.
	// It also notes with its run that its messages come.
	// What it stored of a page whose site is removed at the same time it takes back.
	"summarize": {records: ends, frontier: keeps, get: folders("blobs"), sends: []string{"summarize", "index"}},
	// Closes the URL and releases the next; that may fetch and store a robots.txt.
	// Makes the vectors of pages, as recall and upload do: with weights from the bucket, or with
	// the key of a service.
	"index": {records: counts, frontier: counts, hosts: true, get: folders("blobs", "models"),
		put: folders("blobs"), sends: []string{"crawl", "fetch", "summarize", "index"}, search: true,
		secrets: []string{"ProviderSecret"}},
	// Fetches, reads and indexes pages that a query names and that are not stored.
	// Notes with the run how far it is, and calls of a model: a part is stored while its run is
	// there.
	"recall": {records: append([]string{"ConditionCheckItem"}, counts...), hosts: true, get: folders("blobs", "models"),
		put: folders("blobs", "scratch"), search: true, secrets: []string{"ProviderSecret"}},
	// As recall, again and again; what its tasks hand on is in scratch.
	"answer": {records: append([]string{"ConditionCheckItem"}, counts...), hosts: true, get: folders("blobs", "scratch", "models"),
		put: folders("blobs", "scratch"), search: true, secrets: []string{"ProviderSecret"}},
	// Keeps the vectors of sentences, made with the weights of a model; notes what recall does.
	"extract": {records: []string{"PutItem", "ConditionCheckItem"}, get: folders("blobs", "scratch", "models"), put: folders("scratch", "blobs")},
	"verify":  {records: keeps, get: folders("blobs", "scratch"), put: folders("scratch")},
	// A part is stored while its run is there: a condition.
	"collate": {records: []string{"PutItem", "DeleteItem", "ConditionCheckItem"}, get: folders("blobs", "scratch"), put: folders("blobs", "outbox")},
	// Begins no crawl without the key of the embedder.
	"refresh": {records: keeps, hosts: true, sends: []string{"crawl"}, secrets: []string{"ProviderSecret"}},
	"sweep":   {records: ends, sends: []string{"crawl"}, counts: true},
	"upload": {records: counts, get: folders("blobs", "inbox", "models"), put: folders("blobs", "outbox"), search: true,
		starts: []string{"ExtractMachine"}, secrets: []string{"ProviderSecret"}},
	// Lends large bodies from a copy under scratch/body; asks search providers, with the
	// keys of a secret, and keeps who rests; embeds the query of its route /recall.
	"api": {records: ends, frontier: []string{}, hosts: true, get: folders("blobs", "scratch/body", "models"),
		put: folders("blobs", "scratch/body"), deletes: folders("blobs"),
		sends: []string{"crawl"}, search: true, starts: []string{"ExtractMachine", "AnswerMachine"}, secrets: []string{"TokenSecret", "ProviderSecret"}},
}

func folders(names ...string) []string { return names }

// grants are "action resource" pairs.
func (n needs) grants() map[string]bool {
	out := map[string]bool{}
	give := func(service string, actions []string, resources ...string) {
		for _, a := range actions {
			for _, r := range resources {
				out[service+":"+a+" "+r] = true
			}
		}
	}
	give("dynamodb", reads, "RecordsTable.Arn")
	give("dynamodb", n.records, "RecordsTable.Arn")
	if n.frontier != nil {
		give("dynamodb", reads, "FrontierTable.Arn")
		give("dynamodb", n.frontier, "FrontierTable.Arn")
	}
	if n.hosts {
		give("dynamodb", slots, "HostsTable.Arn")
	}
	for _, f := range n.get {
		give("s3", []string{"GetObject"}, "${Bucket.Arn}/"+f+"/*")
	}
	for _, f := range n.put {
		give("s3", []string{"PutObject"}, "${Bucket.Arn}/"+f+"/*")
	}
	for _, f := range n.deletes {
		give("s3", []string{"DeleteObject"}, "${Bucket.Arn}/"+f+"/*")
	}
	if len(n.get) > 0 { // without it S3 says of a missing object that it is forbidden
		give("s3", []string{"ListBucket"}, "Bucket.Arn")
	}
	for _, q := range n.sends {
		give("sqs", []string{"SendMessage"}, queue(q)+".Arn")
	}
	if n.counts {
		for _, q := range []string{"crawl", "fetch", "summarize", "index"} {
			give("sqs", []string{"GetQueueAttributes"}, queue(q)+".Arn")
		}
	}
	if n.search {
		give("aoss", []string{"APIAccessAll"}, "Collection.Arn")
	}
	for _, m := range n.starts {
		give("states", []string{"StartExecution"}, m)
		give("states", []string{"DescribeExecution"}, "arn:${AWS::Partition}:states:${AWS::Region}:${AWS::AccountId}:execution:${"+m+".Name}:*")
	}
	for _, name := range n.secrets {
		give("secretsmanager", []string{"GetSecretValue"}, "arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:${"+name+"}-*")
	}
	return out
}

// allowed are the "action resource" pairs of a function's policies.
func (s stack) allowed(function string) map[string]bool {
	out := map[string]bool{}
	for _, st := range s.statements(function) {
		if at(st, "Effect") != "Allow" {
			continue
		}
		for _, a := range texts(at(st, "Action")) {
			if a == "bedrock:InvokeModel" { // the rule "models" says who may
				continue
			}
			for _, r := range texts(at(st, "Resource")) {
				out[a+" "+r] = true
			}
		}
	}
	return out
}

func permissions(s stack) (bad []string) {
	if got, want := s.words(), slices.Sorted(maps.Keys(wiring)); !slices.Equal(got, want) {
		bad = append(bad, fmt.Sprintf("there are functions for %v; the table knows %v", got, want))
	}
	for word, n := range wiring {
		want, got := n.grants(), s.allowed(function(word))
		if slices.Contains(s.named("AWS::SQS::Queue"), queue(word)) { // keeps away what failed
			want["sqs:ChangeMessageVisibility "+queue(word)+".Arn"] = true
		}
		for g := range want {
			if !got[g] {
				bad = append(bad, function(word)+" lacks "+g)
			}
		}
		for g := range got {
			if !want[g] {
				bad = append(bad, function(word)+" does not need "+g)
			}
		}
	}
	return bad
}

// searchPolicy: the collection lets in those who need it, and no others.
func searchPolicy(s stack) (bad []string) {
	sub := list(s.property("CollectionAccess", "Policy/Fn::Sub"))
	if len(sub) != 2 {
		return []string{"the collection has no access policy"}
	}
	roles, _ := sub[1].(map[string]any)
	for word, n := range wiring {
		role := text(roles[title(word)])
		if n.search && (role != function(word)+"Role.Arn" || !strings.Contains(text(sub[0]), "${"+title(word)+"}")) {
			bad = append(bad, "the collection does not know "+function(word))
		}
		if !n.search && role != "" {
			bad = append(bad, "the collection lets in "+function(word)+", which does not search")
		}
	}
	for _, name := range []string{"Collection", "CollectionEncryption", "CollectionNetwork", "CollectionAccess"} {
		if s.get("Resources/"+name+"/Condition") != "MakeCollection" {
			bad = append(bad, name+" is made, and billed, without being asked for")
		}
	}
	if s.property("Collection", "Type") != "VECTORSEARCH" {
		bad = append(bad, "the collection is not one for vectors")
	}
	return append(bad, searchAtRest(s)...)
}

// searchAtRest: the collection is one that rests, unless the classic one is asked for;
// replicas, network and key are parameters.
func searchAtRest(s stack) (bad []string) {
	for path, want := range map[string]string{
		"Parameters/SearchGeneration/Default":                                          "nextgen",
		"Conditions/MakeGroup":                                                         "map[Fn::And:[map[Condition:MakeCollection] map[Fn::Equals:[map[Ref:SearchGeneration] nextgen]]]]",
		"Resources/CollectionGroup/Condition":                                          "MakeGroup",
		"Resources/CollectionGroup/Properties/Generation":                              "NEXTGEN",
		"Resources/CollectionGroup/Properties/StandbyReplicas":                         "SearchStandby",
		"Resources/CollectionGroup/Properties/CapacityLimits/MinIndexingCapacityInOcu": "0",
		"Resources/CollectionGroup/Properties/CapacityLimits/MinSearchCapacityInOcu":   "0",
		"Resources/CollectionGroup/Properties/CapacityLimits/MaxIndexingCapacityInOcu": "SearchMaxUnits",
		"Resources/CollectionGroup/Properties/CapacityLimits/MaxSearchCapacityInOcu":   "SearchMaxUnits",
		"Resources/Collection/Properties/CollectionGroupName":                          "map[Fn::If:[MakeGroup map[Fn::Select:[0 [map[Ref:AWS::StackName] map[Ref:CollectionGroup]]]] map[Ref:AWS::NoValue]]]",
		"Resources/Collection/Properties/StandbyReplicas":                              "SearchStandby",
		"Globals/Function/VpcConfig":                                                   "map[Fn::If:[InVpc map[SecurityGroupIds:map[Ref:SecurityGroups] SubnetIds:map[Ref:Subnets]] map[Ref:AWS::NoValue]]]",
	} {
		if got := text(s.get(path)); got != want {
			bad = append(bad, fmt.Sprintf("%s is %s, not %s", path, got, want))
		}
	}
	if text(s.property("CollectionGroup", "Name")) != "AWS::StackName" {
		bad = append(bad, "the collection belongs to another group")
	}
	// What each policy says, with the parameters' choice put in.
	for _, c := range []struct{ policy, variable, condition, with, without string }{
		{"CollectionEncryption", "Key", "HasSearchKey", `"AWSOwnedKey":false,"KmsARN":"${SearchKey}"`, `"AWSOwnedKey":true`},
		{"CollectionNetwork", "From", "HasSearchEndpoints", `"AllowFromPublic":false,"SourceVPCEs":["${Ids}"]`, `"AllowFromPublic":true`},
	} {
		body, chosen := text(s.property(c.policy, "Policy/Fn::Sub/0")), list(s.property(c.policy, "Policy/Fn::Sub/1/"+c.variable+"/Fn::If"))
		if len(chosen) != 3 || chosen[0] != c.condition {
			bad = append(bad, c.policy+" is no choice of the operator's")
			continue
		}
		with := text(chosen[1])
		if sub := list(at(chosen[1], "Fn::Sub")); len(sub) == 2 {
			with = text(sub[0])
		}
		if with != c.with || text(chosen[2]) != c.without {
			bad = append(bad, fmt.Sprintf("%s says %s, or %s", c.policy, with, text(chosen[2])))
		}
		for _, choice := range []string{with, text(chosen[2])} {
			if whole := strings.ReplaceAll(body, "${"+c.variable+"}", choice); !json.Valid([]byte(whole)) {
				bad = append(bad, c.policy+" is not JSON: "+whole)
			}
		}
	}
	return bad
}

// What the functions did while their calls were counted (tools/cost), over services that
// need no permission, the policies allow.
func TestWhatFunctionsDidIsAllowed(t *testing.T) {
	data, err := os.ReadFile("../tools/cost/counts.json")
	if err != nil {
		t.Fatal(err)
	}
	var counted struct{ Used map[string][]string }
	if err := json.Unmarshal(data, &counted); err != nil {
		t.Fatal(err)
	}
	s := readStack(t)
	for _, word := range s.words() {
		if len(counted.Used[word]) == 0 {
			t.Errorf("it was never seen what %s does", word)
		}
	}
	for word, used := range counted.Used {
		allowed := s.allowed(function(word))
		for _, u := range used {
			action, on, _ := strings.Cut(u, " ")
			service, _, _ := strings.Cut(action, ":")
			resource := map[string]string{"dynamodb": title(on) + "Table.Arn", "sqs": queue(on) + ".Arn", "s3": "${Bucket.Arn}/" + on + "/*"}[service]
			if !allowed[action+" "+resource] {
				t.Errorf("%s did %s, which its policies do not allow", word, u)
			}
		}
	}
}
