package infra

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// rules are what must hold of the template. Each returns a sentence for each place where
// it does not.
var rules = map[string]func(stack) []string{
	"wildcards":      wildcards,
	"queues":         queues,
	"sources":        sources,
	"buckets":        buckets,
	"tables":         tables,
	"functions":      functionsOfStack,
	"environment":    environmentOfStack,
	"alarms":         alarms,
	"dashboard":      dashboard,
	"secrets":        secrets,
	"api":            api,
	"state machines": stateMachines,
	"parameters":     parameters,
	"permissions":    permissions,
	"search":         searchPolicy,
	"concurrency":    concurrency,
	"private":        private,
	"models":         models,
}

// stars are the places where a * stands in a policy, and why.
var stars = map[string]string{
	"BucketPolicy s3:*":            "a refusal of everything that comes without TLS",
	"BucketPolicy ${Bucket.Arn}/*": "the same, for every object",
	"${Bucket.Arn}/blobs/*":        "the folders of the bucket are given one by one",
	"${Bucket.Arn}/models/*":       "likewise",
	"${Bucket.Arn}/scratch/*":      "likewise",
	"${Bucket.Arn}/scratch/body/*": "likewise",
	"${Bucket.Arn}/inbox/*":        "likewise",
	"${Bucket.Arn}/outbox/*":       "likewise",
	"arn:${AWS::Partition}:states:${AWS::Region}:${AWS::AccountId}:execution:${ExtractMachine.Name}:*": "the runs of one state machine",
	"arn:${AWS::Partition}:states:${AWS::Region}:${AWS::AccountId}:execution:${AnswerMachine.Name}:*":  "the runs of one state machine",
	"arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:${TokenSecret}-*":    "Secrets Manager adds six characters of its own to a name",
	"arn:${AWS::Partition}:secretsmanager:${AWS::Region}:${AWS::AccountId}:secret:${ProviderSecret}-*": "likewise",
}

func wildcards(s stack) (bad []string) {
	look := func(where string, st node) {
		for _, key := range []string{"Action", "Resource", "NotAction", "NotResource"} {
			if strings.HasPrefix(key, "Not") && at(st, key) != nil {
				bad = append(bad, where+" says what is not meant: "+key)
			}
			for _, v := range texts(at(st, key)) {
				if strings.Contains(v, "*") && stars[v] == "" && (stars[where+" "+v] == "" || at(st, "Effect") != "Deny") {
					bad = append(bad, fmt.Sprintf("%s: %s %q; name what is meant, or say in stars why not", where, key, v))
				}
			}
		}
	}
	for _, kind := range []string{"AWS::Serverless::Function", "AWS::Serverless::StateMachine"} {
		for _, name := range s.named(kind) {
			for _, st := range s.statements(name) {
				look(name, st)
			}
		}
	}
	for _, kind := range []string{"AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"} {
		for _, name := range s.named(kind) {
			for _, st := range list(s.property(name, "PolicyDocument/Statement")) {
				look(name, st)
			}
		}
	}
	for _, kind := range []string{"AWS::IAM::Role", "AWS::IAM::User", "AWS::IAM::Group"} {
		for _, name := range s.named(kind) {
			bad = append(bad, name+" is a "+kind+": each function has a role of its own, which SAM makes of its policies")
		}
	}
	return bad
}

// statements are those of a function or state machine, those under a condition too.
func (s stack) statements(name string) (out []node) {
	for _, p := range list(s.property(name, "Policies")) {
		if chosen := list(at(p, "Fn::If")); len(chosen) == 3 {
			p = chosen[1]
		}
		out = append(out, list(at(p, "Statement"))...)
	}
	return out
}

// isDead reports whether a queue holds dead letters: XDeadQueue those of XQueue,
// XDeadLetters those of a function that no queue calls.
func isDead(queue string) bool {
	return strings.HasSuffix(queue, "DeadQueue") || strings.HasSuffix(queue, "DeadLetters")
}

func queues(s stack) (bad []string) {
	for _, q := range s.named("AWS::SQS::Queue") {
		if s.property(q, "SqsManagedSseEnabled") != true {
			bad = append(bad, q+" is not encrypted")
		}
		if isDead(q) {
			if s.number(s.property(q, "MessageRetentionPeriod")) < 1209600 {
				bad = append(bad, q+" forgets in less than 14 days what a person should see")
			}
			continue
		}
		word := strings.TrimSuffix(q, "Queue")
		if got := text(s.property(q, "RedrivePolicy/deadLetterTargetArn")); got != word+"DeadQueue.Arn" || !slices.Contains(s.named("AWS::SQS::Queue"), word+"DeadQueue") {
			bad = append(bad, fmt.Sprintf("%s gives up messages to %q, not to %sDeadQueue", q, got, word))
		}
		if n := s.number(s.property(q, "RedrivePolicy/maxReceiveCount")); n < 3 {
			bad = append(bad, fmt.Sprintf("%s gives a message up after %d tries", q, n))
		}
		visible, timeout := s.number(s.property(q, "VisibilityTimeout")), s.number(s.property(word+"Function", "Timeout"))
		if timeout == 0 || visible < 6*timeout {
			bad = append(bad, fmt.Sprintf("%s shows a message again after %d s, which is less than six times the %d s of its function", q, visible, timeout))
		}
		if text(s.property(q, "VisibilityTimeout")) != word+"Visibility" || text(s.property(word+"Function", "Timeout")) != word+"Timeout" {
			bad = append(bad, q+": visibility and time-out are not the parameters "+word+"Visibility and "+word+"Timeout")
		}
	}
	return bad
}

// sources are the queues that call functions.
func sources(s stack) (bad []string) {
	called := map[string]bool{}
	for _, f := range s.named("AWS::Serverless::Function") {
		events, _ := s.property(f, "Events").(map[string]any)
		for _, e := range events {
			if at(e, "Type") != "SQS" {
				continue
			}
			q := strings.TrimSuffix(text(at(e, "Properties/Queue")), ".Arn")
			called[q] = true
			if q != strings.TrimSuffix(f, "Function")+"Queue" {
				bad = append(bad, fmt.Sprintf("%s is called by %s: queue and function share the word", f, q))
			}
			if got := texts(at(e, "Properties/FunctionResponseTypes")); !slices.Equal(got, []string{"ReportBatchItemFailures"}) {
				bad = append(bad, f+": one bad message of a batch brings all of them back: no ReportBatchItemFailures")
			}
			if s.property(f, "RecursiveLoop") != "Allow" {
				bad = append(bad, f+": Lambda ends a chain of messages after 16 functions, and a crawl is one: no RecursiveLoop")
			}
			if n := s.number(at(e, "Properties/BatchSize")); n < 1 || n > 10 {
				bad = append(bad, fmt.Sprintf("%s takes %d messages at once", f, n))
			}
		}
	}
	for _, q := range s.named("AWS::SQS::Queue") {
		if !isDead(q) && !called[q] {
			bad = append(bad, q+" calls no function")
		}
	}
	for _, f := range s.named("AWS::Serverless::Function") {
		events, _ := s.property(f, "Events").(map[string]any)
		for _, e := range events { // a clock calls again; an upload comes once
			if at(e, "Type") == "EventBridgeRule" && text(s.property(f, "DeadLetterQueue/TargetArn")) != strings.TrimSuffix(f, "Function")+"DeadLetters.Arn" {
				bad = append(bad, f+" forgets the events that it failed on")
			}
		}
	}
	return bad
}

// concurrency: no function takes all of an account's calls, and what is reserved is the
// operator's choice.
func concurrency(s stack) (bad []string) {
	for _, f := range s.named("AWS::Serverless::Function") {
		word := strings.TrimSuffix(f, "Function")
		events, _ := s.property(f, "Events").(map[string]any)
		for _, e := range events {
			// A number of its own: what stands in for AWS takes a parameter's for text.
			if most, ok := at(e, "Properties/ScalingConfig/MaximumConcurrency").(int); at(e, "Type") == "SQS" && (!ok || most < 2 || most > 50) {
				bad = append(bad, f+" may take all calls of the account: its MaximumConcurrency is no number from 2 to 50")
			}
		}
		reserved, want := s.property(f, "ReservedConcurrentExecutions"), "<nil>"
		if word == "Api" {
			want = "[HasApiConcurrency map[Ref:ApiConcurrency] map[Ref:AWS::NoValue]]"
		}
		if got := fmt.Sprint(at(reserved, "Fn::If")); got != want {
			bad = append(bad, fmt.Sprintf("%s reserves %s", f, got))
		}
	}
	if n, ok := s.get("Parameters/ApiConcurrency/Default").(int); !ok || n != 0 {
		bad = append(bad, "a new account, which has 10 calls in all, can reserve none: ApiConcurrency is not 0")
	}
	return bad
}

// private: in production no page leads to loopback or a private network, unless the person who
// deploys says so.
func private(s stack) (bad []string) {
	if s.get("Parameters/AllowPrivate/Default") != "false" {
		bad = append(bad, "private addresses are open in production: AllowPrivate is not false by default")
	}
	environments := map[string]node{"Globals": s.get("Globals/Function/Environment/Variables")}
	for _, f := range s.named("AWS::Serverless::Function") {
		environments[f] = s.property(f, "Environment/Variables")
	}
	for where, e := range environments {
		vars, _ := e.(map[string]any)
		if v := vars["WSTK_ALLOW_PRIVATE"]; v != nil && text(v) != "AllowPrivate" || v == nil && where == "Globals" {
			bad = append(bad, where+" opens private addresses by itself")
		}
	}
	data, err := os.ReadFile("../samconfig.toml")
	if err != nil || strings.Contains(string(data), "AllowPrivate") {
		bad = append(bad, fmt.Sprintf("samconfig.toml opens private addresses (%v)", err))
	}
	return bad
}

func buckets(s stack) (bad []string) {
	if len(s.named("AWS::S3::Bucket")) == 0 {
		bad = append(bad, "there is no bucket")
	}
	for _, b := range s.named("AWS::S3::Bucket") {
		for _, key := range []string{"BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"} {
			if s.property(b, "PublicAccessBlockConfiguration/"+key) != true {
				bad = append(bad, b+" lacks "+key)
			}
		}
		if text(s.property(b, "BucketEncryption/ServerSideEncryptionConfiguration/0/ServerSideEncryptionByDefault/SSEAlgorithm")) == "" {
			bad = append(bad, b+" is not encrypted")
		}
		if text(s.property(b, "OwnershipControls/Rules/0/ObjectOwnership")) != "BucketOwnerEnforced" {
			bad = append(bad, b+" takes access lists")
		}
		expire, abort := map[string]bool{}, false
		for _, r := range list(s.property(b, "LifecycleConfiguration/Rules")) {
			if at(r, "Status") != "Enabled" {
				continue
			}
			if s.number(at(r, "ExpirationInDays")) > 0 {
				expire[text(at(r, "Prefix"))] = true
			}
			abort = abort || s.number(at(r, "AbortIncompleteMultipartUpload/DaysAfterInitiation")) > 0
		}
		if !abort {
			bad = append(bad, b+" keeps the parts of uploads that never ended")
		}
		if !expire["scratch/"] || expire[""] || expire["blobs/"] {
			bad = append(bad, b+": scratch expires, what evidence refers to never does")
		}
		if !s.tlsOnly(b) {
			bad = append(bad, b+" answers without TLS")
		}
	}
	return bad
}

func (s stack) tlsOnly(bucket string) bool {
	for _, p := range s.named("AWS::S3::BucketPolicy") {
		for _, st := range list(s.property(p, "PolicyDocument/Statement")) {
			if text(s.property(p, "Bucket")) == bucket && at(st, "Effect") == "Deny" &&
				at(st, "Principal") == "*" && text(at(st, "Action")) == "s3:*" &&
				slices.Equal(texts(at(st, "Resource")), []string{bucket + ".Arn", "${" + bucket + ".Arn}/*"}) &&
				text(at(st, "Condition/Bool/aws:SecureTransport")) == "false" {
				return true
			}
		}
	}
	return false
}

func tables(s stack) (bad []string) {
	for _, t := range s.named("AWS::DynamoDB::Table") {
		for path, want := range map[string]node{
			"BillingMode": "PAY_PER_REQUEST",
			"PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled": true,
			"SSESpecification/SSEEnabled":                                 true,
			"TimeToLiveSpecification/AttributeName":                       "expires",
			"TimeToLiveSpecification/Enabled":                             true,
		} {
			if got := s.property(t, path); got != want {
				bad = append(bad, fmt.Sprintf("%s: %s is %v, not %v", t, path, got, want))
			}
		}
	}
	return bad
}

func functionsOfStack(s stack) (bad []string) {
	if s.get("Globals/Function/Tracing") != "Active" {
		bad = append(bad, "functions are not traced")
	}
	if s.get("Globals/Function/Runtime") != "provided.al2023" || s.get("Globals/Function/Handler") != "bootstrap" {
		bad = append(bad, "functions are not bootstraps of provided.al2023")
	}
	if !slices.Equal(texts(s.get("Globals/Function/Architectures")), []string{"Architecture"}) {
		bad = append(bad, "the architecture is not the parameter")
	}
	for _, f := range s.named("AWS::Serverless::Function") {
		word := strings.ToLower(strings.TrimSuffix(f, "Function"))
		for path, want := range map[string]string{"CodeUri": "functions/" + word + "/", "LoggingConfig/LogGroup": title(word) + "Logs"} {
			if got := text(s.property(f, path)); got != want {
				bad = append(bad, fmt.Sprintf("%s: %s is %q, not %q", f, path, got, want))
			}
		}
		if text(s.property(title(word)+"Logs", "RetentionInDays")) != "LogDays" {
			bad = append(bad, f+" logs for ever")
		}
		for _, over := range []string{"Tracing", "Runtime", "Handler", "Architectures"} {
			if s.property(f, over) != nil {
				bad = append(bad, f+" has a "+over+" of its own")
			}
		}
		if s.property(f, "Role") != nil {
			bad = append(bad, f+" shares a role")
		}
		for _, p := range list(s.property(f, "Policies")) {
			if _, isName := p.(string); isName || at(p, "Statement") == nil && at(p, "Fn::If") == nil {
				bad = append(bad, fmt.Sprintf("%s uses a policy that is not its own: %s", f, text(p)))
			}
		}
		if t := s.number(s.property(f, "Timeout")); t < 1 || t > 900 {
			bad = append(bad, fmt.Sprintf("%s times out after %d s", f, t))
		}
	}
	return bad
}

// own are the variables that not every function gets.
var own = map[string][]string{
	// the machine's functions cannot know it: it knows them
	"WSTK_EXTRACT_MACHINE": {"api", "upload"},
	"WSTK_ANSWER_MACHINE":  {"api"},
	// those that begin extractions: the others read it in what was asked
	"WSTK_EXTRACTION_TIMEOUT": {"api", "upload"},
	"WSTK_TOKEN_SECRET":       {"api"},
	// services that search, that a crawler asks, and that embed
	"WSTK_PROVIDER_SECRET":      {"api", "crawl", "fetch", "index", "answer", "recall", "refresh", "upload"},
	"WSTK_SEARCH_CASCADE_ORDER": {"api"},
}

var (
	settingLine = regexp.MustCompile(`"(WSTK_[A-Z_]+)"`)
	// those that only the stack sets
	stackLine = regexp.MustCompile(`stack\("[a-z._]+", "(WSTK_[A-Z_]+)"`)
)

func environmentOfStack(s stack) (bad []string) {
	config, err := os.ReadFile("../shared/config/settings.go")
	if err != nil {
		return []string{err.Error()}
	}
	// Those whose names are put together; a test of shared/app/cloud reads them.
	known := map[string]bool{"WSTK_RERANKER_PROVIDER": true, "WSTK_RERANKER_MODEL": true,
		"WSTK_EMBEDDER_PROVIDER": true, "WSTK_EMBEDDER_MODEL": true, "WSTK_EMBEDDER_BASE_URL": true,
		"WSTK_EMBEDDER_DIMENSION": true,
		"WSTK_MODEL_SUMMARIZE":    true, "WSTK_MODEL_CLASSIFY": true, "WSTK_MODEL_DECOMPOSE": true, "WSTK_MODEL_PARTITION": true,
		"WSTK_MODEL_EXTRACT": true}
	for _, m := range settingLine.FindAllStringSubmatch(string(config), -1) {
		known[m[1]] = true
	}
	shared, _ := s.get("Globals/Function/Environment/Variables").(map[string]any)
	for name, v := range shared {
		if !known[name] {
			bad = append(bad, "nothing reads "+name)
		}
		if own[name] != nil {
			bad = append(bad, name+" is for "+strings.Join(own[name], " and ")+" alone")
		}
		if q, ok := strings.CutSuffix(name, "_QUEUE"); ok &&
			text(v) != queue(strings.ToLower(strings.TrimPrefix(q, "WSTK_"))) {
			bad = append(bad, name+" is "+text(v))
		}
		if t, ok := strings.CutSuffix(name, "_TABLE"); ok &&
			text(v) != title(strings.ToLower(strings.TrimPrefix(t, "WSTK_")))+"Table" {
			bad = append(bad, name+" is "+text(v))
		}
	}
	for _, f := range s.named("AWS::Serverless::Function") {
		word := strings.ToLower(strings.TrimSuffix(f, "Function"))
		mine, _ := s.property(f, "Environment/Variables").(map[string]any)
		for name := range mine {
			if !slices.Contains(own[name], word) {
				bad = append(bad, f+" sets "+name)
			}
		}
		for name, who := range own {
			if slices.Contains(who, word) && mine[name] == nil {
				bad = append(bad, f+" lacks "+name)
			}
		}
	}
	for _, m := range stackLine.FindAllStringSubmatch(string(config), -1) {
		if name := m[1]; shared[name] == nil && own[name] == nil {
			bad = append(bad, "the functions read "+name+", and the stack does not set it")
		}
	}
	return bad
}

func alarms(s stack) (bad []string) {
	has := func(namespace, metric, dimension, value string) string {
		for _, a := range s.named("AWS::CloudWatch::Alarm") {
			d := list(s.property(a, "Dimensions"))
			if s.property(a, "Namespace") == namespace && s.property(a, "MetricName") == metric && len(d) == 1 &&
				at(d[0], "Name") == dimension && text(at(d[0], "Value")) == value {
				return a
			}
		}
		bad = append(bad, fmt.Sprintf("no alarm watches %s of %s", metric, value))
		return ""
	}
	for _, q := range s.named("AWS::SQS::Queue") {
		if !isDead(q) {
			has("AWS/SQS", "ApproximateAgeOfOldestMessage", "QueueName", q+".QueueName")
			continue
		}
		if a := has("AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", q+".QueueName"); a != "" && s.property(a, "Threshold") != 0 {
			bad = append(bad, a+" lets a message lie")
		}
	}
	for _, f := range s.named("AWS::Serverless::Function") {
		a := has("AWS/Lambda", "Errors", "FunctionName", f)
		if a != "" && s.calledSeldom(f) && (s.property(a, "Threshold") != 0 || s.property(a, "EvaluationPeriods") != 1) {
			bad = append(bad, a+" never sounds: its function is not called often enough to fail that often")
		}
	}
	for _, a := range s.named("AWS::CloudWatch::Alarm") {
		if s.property(a, "ComparisonOperator") != "GreaterThanThreshold" || s.property(a, "TreatMissingData") != "notBreaching" || s.property(a, "AlarmActions") == nil {
			bad = append(bad, a+" does not compare upwards, sounds without data, or notifies no topic")
		}
	}
	if len(s.named("AWS::CloudWatch::Dashboard")) == 0 {
		bad = append(bad, "there is no dashboard")
	}
	return bad
}

var (
	ownNumber = regexp.MustCompile(`wstk_[a-z_]+`)
	ownSearch = regexp.MustCompile(`\{wstk,([a-z,]+)\} MetricName=\\"(wstk_[a-z_]+)\\"`)
)

// A dashboard is JSON, and shows numbers of ours that there are, under their labels.
func dashboard(s stack) (bad []string) {
	manual, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		return []string{err.Error()}
	}
	for _, d := range s.named("AWS::CloudWatch::Dashboard") {
		body := text(s.property(d, "DashboardBody"))
		if !json.Valid([]byte(body)) {
			bad = append(bad, d+" is not JSON")
		}
		for _, name := range ownNumber.FindAllString(body, -1) {
			if !strings.Contains(string(manual), "\n| `"+name) {
				bad = append(bad, d+" shows "+name+", which there is not")
			}
		}
		for _, m := range ownSearch.FindAllStringSubmatch(body, -1) {
			if labels := strings.ReplaceAll(m[1], ",", ", "); !strings.Contains(string(manual),
				"\n| `"+m[2]+"{"+labels+"}`") {
				bad = append(bad, d+" looks for "+m[2]+" by "+labels)
			}
		}
	}
	return bad
}

// calledSeldom tells functions that a clock or an upload calls, themselves or through a
// state machine.
func (s stack) calledSeldom(f string) bool {
	seldom := func(resource string) bool {
		events, _ := s.property(resource, "Events").(map[string]any)
		for _, e := range events {
			if kind := at(e, "Type"); kind == "Schedule" || kind == "EventBridgeRule" {
				return true
			}
		}
		return false
	}
	for _, m := range s.named("AWS::Serverless::StateMachine") {
		if seldom(m) && s.property(m, "DefinitionSubstitutions/"+f) != nil {
			return true
		}
	}
	return seldom(f)
}

// A value that looks like a secret has no place in a template or in an environment.
func secrets(s stack) (bad []string) {
	var walk func(path string, n node)
	walk = func(path string, n node) {
		switch v := n.(type) {
		case map[string]any:
			for k, c := range v {
				walk(path+"/"+k, c)
			}
		case []any:
			for _, c := range v {
				walk(path, c)
			}
		case string:
			if strings.Contains(v, "{{resolve:") {
				bad = append(bad, path+" puts the value of a secret where any reader sees it")
			}
		}
	}
	walk("", s.root)
	ps, _ := s.get("Parameters").(map[string]any)
	for name, p := range ps {
		if at(p, "NoEcho") != nil {
			bad = append(bad, "the parameter "+name+" takes a secret: take its name")
		}
	}
	environments := []node{s.get("Globals/Function/Environment/Variables")}
	for _, f := range s.named("AWS::Serverless::Function") {
		environments = append(environments, s.property(f, "Environment/Variables"))
	}
	for _, e := range environments {
		vars, _ := e.(map[string]any)
		for name := range vars {
			if regexp.MustCompile(`(TOKENS?|KEY|PASSWORD)$`).MatchString(name) {
				bad = append(bad, name+" holds a secret: name one in Secrets Manager")
			}
		}
	}
	for variable, parameter := range map[string]string{"WSTK_TOKEN_SECRET": "TokenSecret", "WSTK_PROVIDER_SECRET": "ProviderSecret"} {
		if text(s.property("ApiFunction", "Environment/Variables/"+variable)) != parameter {
			bad = append(bad, variable+" is not the name that "+parameter+" gives")
		}
	}
	for _, p := range list(s.property("ApiFunction", "Policies")) {
		always := at(p, "Statement") != nil
		if data, err := json.Marshal(p); err != nil || always && strings.Contains(string(data), "${ProviderSecret}") {
			bad = append(bad, "api may read a secret that is not named")
		}
	}
	if s.get("Parameters/ProviderSecret/Default") != "" {
		bad = append(bad, "a stack needs a secret for search providers")
	}
	return bad
}

func api(s stack) (bad []string) {
	for _, kind := range []string{"AWS::Serverless::HttpApi", "AWS::Serverless::Api", "AWS::ApiGateway::RestApi"} {
		for _, name := range s.named(kind) {
			bad = append(bad, name+" is a "+kind+", which is not made the same everywhere")
		}
	}
	for path, want := range map[string]string{
		"Api/Properties/ProtocolType":                                   "HTTP",
		"ApiIntegration/Properties/IntegrationType":                     "AWS_PROXY",
		"ApiIntegration/Properties/IntegrationUri":                      "ApiFunction.Arn",
		"ApiIntegration/Properties/PayloadFormatVersion":                "2.0",
		"ApiRoute/Properties/RouteKey":                                  "$default",
		"ApiRoute/Properties/Target":                                    "integrations/${ApiIntegration}",
		"ApiStage/Properties/StageName":                                 "$default",
		"ApiStage/Properties/AutoDeploy":                                "true",
		"ApiPermission/Properties/Principal":                            "apigateway.amazonaws.com",
		"ApiPermission/Properties/FunctionName":                         "ApiFunction",
		"ApiStage/Properties/DefaultRouteSettings/ThrottlingRateLimit":  "ApiRate",
		"ApiStage/Properties/DefaultRouteSettings/ThrottlingBurstLimit": "ApiBurst",
	} {
		if got := text(s.get("Resources/" + path)); got != want {
			bad = append(bad, fmt.Sprintf("%s is %q, not %q", path, got, want))
		}
	}
	if !strings.Contains(text(s.property("ApiPermission", "SourceArn")), "${Api}/") {
		bad = append(bad, "any API may call the function")
	}
	if limit, t := s.number(s.property("ApiIntegration", "TimeoutInMillis")),
		s.number(s.property("ApiFunction", "Timeout")); t*1000 >= limit || limit > 30000 {
		bad = append(bad, fmt.Sprintf("the API waits %d ms for a function that may take %d s", limit, t))
	}
	return bad
}

var placeholder = regexp.MustCompile(`\$\{([A-Za-z]+)\}`)

func stateMachines(s stack) (bad []string) {
	for _, m := range s.named("AWS::Serverless::StateMachine") {
		word := strings.ToLower(strings.TrimSuffix(m, "Machine"))
		if s.property(m, "Type") != "STANDARD" {
			bad = append(bad, m+" is not STANDARD: its runs may be started twice")
		}
		if s.property(m, "Tracing/Enabled") != true {
			bad = append(bad, m+" is not traced")
		}
		if got, want := text(s.property(m, "DefinitionUri")), "infra/statemachines/"+word+".asl.json"; got != want {
			bad = append(bad, fmt.Sprintf("%s runs %s, not %s", m, got, want))
		}
		definition, err := Machine(word)
		if err != nil || !json.Valid(definition) {
			bad = append(bad, fmt.Sprintf("%s: %v", m, err))
			continue
		}
		if most := s.number(s.get("Parameters/ExtractionTimeout/MaxValue")); word != "refresh" {
			var m state
			if err := json.Unmarshal(definition, &m); err != nil || most < 1 ||
				m.TimeoutSeconds < most+600 {
				bad = append(bad, fmt.Sprintf("%s ends after %d s, without a word: an extraction may take %d s, and some to say why it failed", word, m.TimeoutSeconds, most))
			}
		}
		named := map[string]bool{}
		for _, found := range placeholder.FindAllStringSubmatch(string(definition), -1) {
			named[found[1]] = true
		}
		given, _ := s.property(m, "DefinitionSubstitutions").(map[string]any)
		invokes := map[string]bool{}
		for _, st := range s.statements(m) {
			if !slices.Equal(texts(at(st, "Action")), []string{"lambda:InvokeFunction"}) {
				bad = append(bad, m+" may do more than call functions")
			}
			for _, r := range texts(at(st, "Resource")) {
				invokes[strings.TrimSuffix(r, ".Arn")] = true
			}
		}
		for f := range named {
			if text(given[f]) != f+".Arn" {
				bad = append(bad, fmt.Sprintf("%s puts %q for ${%s}", m, text(given[f]), f))
			}
			if !invokes[f] {
				bad = append(bad, m+" may not call "+f)
			}
		}
		for f := range given {
			if !named[f] {
				bad = append(bad, m+" names "+f+", which its definition does not")
			}
		}
		for f := range invokes {
			if !named[f] {
				bad = append(bad, m+" may call "+f+" and never does")
			}
		}
	}
	for _, word := range machines {
		if s.get("Resources/"+title(word)+"Machine/Type") != "AWS::Serverless::StateMachine" {
			bad = append(bad, "no machine runs "+word+".asl.json")
		}
	}
	return bad
}

func parameters(s stack) (bad []string) {
	if got := texts(s.get("Parameters/Architecture/AllowedValues")); !slices.Equal(got, []string{"arm64", "x86_64"}) || s.get("Parameters/Architecture/Default") != "arm64" {
		bad = append(bad, "Architecture is not arm64 or x86_64, by default arm64")
	}
	used := map[string]bool{}
	var walk func(n node)
	walk = func(n node) {
		switch v := n.(type) {
		case map[string]any:
			if name, ok := v["Ref"].(string); ok {
				used[name] = true
			}
			if s, ok := v["Fn::Sub"].(string); ok {
				for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
					used[m[1]] = true
				}
			}
			for _, c := range v {
				walk(c)
			}
		case []any:
			for _, c := range v {
				walk(c)
			}
		}
	}
	for _, part := range []string{"Globals", "Resources", "Conditions", "Outputs"} {
		walk(s.get(part))
	}
	ps, _ := s.get("Parameters").(map[string]any)
	for name, p := range ps {
		if at(p, "Default") == nil {
			bad = append(bad, name+" has no default: sam deploy would ask for it")
		}
		if _, isNumber := at(p, "Default").(int); at(p, "Type") == "Number" && !isNumber {
			bad = append(bad, name+" is a number without one")
		}
		if !used[name] {
			bad = append(bad, "nothing uses "+name)
		}
	}
	return bad
}
