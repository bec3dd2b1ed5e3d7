package asl

import (
	"context"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// What this package does not do as Step Functions does is refused when the file is
// read, in words that lead to the place.
func TestRefusals(t *testing.T) {
	task := func(fields string) string {
		return one(`{"Type": "Task", "Resource": "echo", "End": true, ` + fields + `}`)
	}
	pass := func(fields string) string { return one(`{"Type": "Pass", "End": true, ` + fields + `}`) }
	choice := func(rule string) string {
		return one(`{"Type": "Choice", "Choices": [{` + rule + `, "Next": "E"}]}, "E": {"Type": "Succeed"}`)
	}
	each := func(fields string) string {
		return one(`{"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}, ` + fields + `}`)
	}
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"not JSON":              {`{`, []string{"has to be an object"}},
		"not an object":         {`[]`, []string{"has to be an object"}},
		"no states":             {`{"StartAt": "S"}`, []string{`no state "S" to start at`}},
		"no start":              {`{"States": {"S": {"Type": "Succeed"}}}`, []string{`no state "" to start at`}},
		"machine time-out":      {`{"StartAt": "S", "TimeoutSeconds": -9, "States": {"S": {"Type": "Succeed"}}}`, []string{"TimeoutSeconds"}},
		"JSONata":               {`{"StartAt": "S", "QueryLanguage": "JSONata", "States": {"S": {"Type": "Succeed"}}}`, []string{"QueryLanguage", "JSONata"}},
		"version":               {`{"StartAt": "S", "Version": "2.0", "States": {"S": {"Type": "Succeed"}}}`, []string{"Version", "2.0"}},
		"lower case":            {`{"startAt": "S", "States": {"S": {"Type": "Succeed"}}}`, []string{`"startAt"`}},
		"unreached":             {one(`{"Type": "Succeed"}, "T": {"Type": "Succeed"}`), []string{`state "T"`, "nothing leads to it"}},
		"nowhere":               {one(`{"Type": "Pass", "Next": "T"}`), []string{`state "S"`, `no state "T"`}},
		"catch to nowhere":      {task(`"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "T"}]`), []string{`no state "T"`}},
		"choice to nowhere":     {one(`{"Type": "Choice", "Choices": [{"Variable": "$", "IsNull": true, "Next": "T"}]}`), []string{`no state "T"`}},
		"a name twice":          {one(`{"Type": "Parallel", "End": true, "Branches": [{"StartAt": "S", "States": {"S": {"Type": "Succeed"}}}]}`), []string{"the name is used twice"}},
		"no type":               {one(`{"End": true}`), []string{`state "S"`, "Type"}},
		"unknown type":          {one(`{"Type": "Activity", "End": true}`), []string{`state "S"`, `"Activity"`}},
		"neither next nor end":  {one(`{"Type": "Pass"}`), []string{`state "S"`, "either"}},
		"next and end":          {one(`{"Type": "Pass", "Next": "S", "End": true}`), []string{"either"}},
		"next after choice":     {one(`{"Type": "Choice", "Next": "S", "Choices": []}`), []string{`"Next"`}},
		"no choices":            {one(`{"Type": "Choice", "Choices": []}`), []string{"Choices"}},
		"heartbeat":             {task(`"HeartbeatSeconds": 5`), []string{`state "S"`, `"HeartbeatSeconds"`}},
		"time-out at a path":    {task(`"TimeoutSecondsPath": "$.t"`), []string{`"TimeoutSecondsPath"`}},
		"time-out zero":         {task(`"TimeoutSeconds": 0`), []string{`"TimeoutSeconds"`, "positive"}},
		"time-out half":         {task(`"TimeoutSeconds": 1.5`), []string{`state "S"`}},
		"credentials":           {task(`"Credentials": {}`), []string{`"Credentials"`}},
		"assign":                {task(`"Assign": {}`), []string{`"Assign"`}},
		"arguments":             {task(`"Arguments": {}`), []string{`"Arguments"`}},
		"language of a state":   {task(`"QueryLanguage": "JSONPath"`), []string{`"QueryLanguage"`}},
		"no resource":           {one(`{"Type": "Task", "End": true}`), []string{`"Resource"`}},
		"unknown resource":      {one(`{"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "End": true}`), []string{`state "S"`, `"Resource"`, "sqs"}},
		"retry on pass":         {pass(`"Retry": []`), []string{`"Retry"`}},
		"selector on pass":      {pass(`"ResultSelector": {}`), []string{`"ResultSelector"`}},
		"result and parameters": {pass(`"Result": 1, "Parameters": {}`), []string{"either"}},
		"parameters not object": {pass(`"Parameters": "$"`), []string{`"Parameters"`, "object"}},
		"a key twice":           {pass(`"Parameters": {"a": 1, "a.$": "$"}`), []string{`"a" is there twice`}},
		"a path that is none":   {pass(`"Parameters": {"a.$": "b"}`), []string{`"Parameters"`, `"b" is neither`}},
		"a path not a string":   {pass(`"Parameters": {"a.$": 1}`), []string{`"a.$"`}},
		"wildcard":              {pass(`"InputPath": "$.a[*]"`), []string{`"InputPath"`, "$.a[*]"}},
		"slice":                 {pass(`"InputPath": "$.a[1:2]"`), []string{"$.a[1:2]"}},
		"filter":                {pass(`"OutputPath": "$.a[?(@.b)]"`), []string{`"OutputPath"`}},
		"descent":               {pass(`"Parameters": {"a.$": "$..b"}`), []string{"$..b"}},
		"negative index":        {pass(`"InputPath": "$.a[-1]"`), []string{"$.a[-1]"}},
		"path without dollar":   {pass(`"InputPath": "a"`), []string{`"a" is not a path`}},
		"path that is a number": {pass(`"InputPath": 1`), []string{`"InputPath"`, "a path or null"}},
		"result to an index":    {pass(`"ResultPath": "$.a[0]"`), []string{`"ResultPath"`, "$.a[0]"}},
		"result to the context": {pass(`"ResultPath": "$$.Execution.Input"`), []string{`"ResultPath"`, "context"}},
		"all of the context":    {pass(`"InputPath": "$$"`), []string{"$$ is not supported"}},
		"task token":            {task(`"Parameters": {"t.$": "$$.Task.Token"}`), []string{`"Parameters"`, "$$.Task.Token"}},
		"role":                  {task(`"Parameters": {"t.$": "$$.Execution.RoleArn"}`), []string{"$$.Execution.RoleArn"}},
		"near a context path":   {task(`"Parameters": {"t.$": "$$.Execution.Inputs"}`), []string{"$$.Execution.Inputs"}},
		"map item outside":      {pass(`"InputPath": "$$.Map.Item.Value"`), []string{"outside of a Map"}},
		"map item in ItemsPath": {each(`"ItemsPath": "$$.Map.Item.Value"`), []string{`"ItemsPath"`, "outside of a Map"}},
		"UUID":                  {pass(`"Parameters": {"a.$": "States.UUID()"}`), []string{"States.UUID is not supported"}},
		"hash":                  {pass(`"Parameters": {"a.$": "States.Hash('a', 'MD5')"}`), []string{"States.Hash"}},
		"nested unknown":        {pass(`"Parameters": {"a.$": "States.Array(States.MathRandom(1, 2))"}`), []string{"States.MathRandom"}},
		"not a call":            {pass(`"Parameters": {"a.$": "States.Array"}`), []string{"not a call"}},
		"an open call":          {pass(`"Parameters": {"a.$": "States.Array(1"}`), []string{"parenthesis"}},
		"after a call":          {pass(`"Parameters": {"a.$": "States.Array(1) 2"}`), []string{"follows the end"}},
		"no comma":              {pass(`"Parameters": {"a.$": "States.Array(1 2)"}`), []string{"comma"}},
		"an open string":        {pass(`"Parameters": {"a.$": "States.Array('a)"}`), []string{"does not end"}},
		"double quotes":         {pass(`"Parameters": {"a.$": "States.Array(\"a\")"}`), []string{"single quotes"}},
		"a bare word":           {pass(`"Parameters": {"a.$": "States.Array(a)"}`), []string{`"a" is not an argument`}},
		"too few arguments":     {pass(`"Parameters": {"a.$": "States.MathAdd(1)"}`), []string{"takes 2 arguments"}},
		"places and values":     {pass(`"Parameters": {"a.$": "States.Format('{} {}', 1)"}`), []string{"2 places and 1 values"}},
		"format at a path":      {pass(`"Parameters": {"a.$": "States.Format($.f, 1)"}`), []string{"first argument"}},
		"two operators":         {choice(`"Variable": "$", "IsNull": true, "IsString": true`), []string{"one operator"}},
		"no operator":           {choice(`"Variable": "$"`), []string{"one operator"}},
		"unknown operator":      {choice(`"Variable": "$", "StringContains": "a"`), []string{`state "S"`, `"Choices"`, `"StringContains"`}},
		"operator and variable": {choice(`"StringEquals": "a"`), []string{"no Variable"}},
		"operator of a type":    {choice(`"Variable": "$", "NumericEquals": "5"`), []string{`"NumericEquals" does not compare with "5"`}},
		"time without zone":     {choice(`"Variable": "$", "TimestampEquals": "2026-01-02"`), []string{`"TimestampEquals"`}},
		"presence maybe":        {choice(`"Variable": "$", "IsPresent": "yes"`), []string{`"IsPresent" takes`}},
		"condition at a path":   {choice(`"Condition": "{% true %}"`), []string{`"Condition"`}},
		"an empty And":          {choice(`"And": []`), []string{`"And"`}},
		"Next within Not":       {choice(`"Not": {"Variable": "$", "IsNull": true, "Next": "E"}`), []string{"one operator"}},
		"variable not a path":   {choice(`"Variable": "a", "IsNull": true`), []string{`"a" is not a path`}},
		"other side not a path": {choice(`"Variable": "$", "StringEqualsPath": "a"`), []string{`"a" is not a path`}},
		"pattern not a string":  {choice(`"Variable": "$", "StringMatches": 1`), []string{"StringMatches"}},
		"wait for a time":       {one(`{"Type": "Wait", "Timestamp": "2026-01-02T03:04:05Z", "End": true}`), []string{`"Timestamp"`}},
		"wait for nothing":      {one(`{"Type": "Wait", "End": true}`), []string{"Seconds"}},
		"wait backwards":        {one(`{"Type": "Wait", "Seconds": -1, "End": true}`), []string{"negative"}},
		"wait at no path":       {one(`{"Type": "Wait", "SecondsPath": "States.MathAdd(1, 2)", "End": true}`), []string{"is not a path"}},
		"end after fail":        {one(`{"Type": "Fail", "End": true}`), []string{`"End"`}},
		"error twice":           {one(`{"Type": "Fail", "Error": "a", "ErrorPath": "$"}`), []string{`"Error" is there twice`}},
		"cause at no path":      {one(`{"Type": "Fail", "CausePath": "a"}`), []string{`"CausePath"`}},
		"iterator":              {one(`{"Type": "Map", "Iterator": {}, "End": true}`), []string{`"Iterator"`}},
		"no processor":          {one(`{"Type": "Map", "End": true}`), []string{`"ItemProcessor" is missing`}},
		"distributed":           {one(`{"Type": "Map", "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}`), []string{`"ProcessorConfig"`, `"ExecutionType"`}},
		"distributed alone":     {one(`{"Type": "Map", "End": true, "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED"}, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}`), []string{`"DISTRIBUTED"`}},
		"reader":                {each(`"ItemReader": {}`), []string{`"ItemReader"`}},
		"batcher":               {each(`"ItemBatcher": {}`), []string{`"ItemBatcher"`}},
		"writer":                {each(`"ResultWriter": {}`), []string{`"ResultWriter"`}},
		"tolerated percentage":  {each(`"ToleratedFailurePercentage": 5`), []string{`"ToleratedFailurePercentage"`}},
		"tolerated count":       {each(`"ToleratedFailureCount": 5`), []string{`"ToleratedFailureCount"`}},
		"concurrency at a path": {each(`"MaxConcurrencyPath": "$"`), []string{`"MaxConcurrencyPath"`}},
		"negative concurrency":  {each(`"MaxConcurrency": -1`), []string{`"MaxConcurrency"`}},
		"parameters of a map":   {each(`"Parameters": {}`), []string{`"Parameters"`}},
		"items null":            {each(`"ItemsPath": null`), []string{`"ItemsPath"`}},
		"within a map":          {one(`{"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "HeartbeatSeconds": 1, "End": true}}}}`), []string{`state "I"`, `"HeartbeatSeconds"`}},
		"no branches":           {one(`{"Type": "Parallel", "Branches": [], "End": true}`), []string{`"Branches"`}},
		"a branch's language":   {one(`{"Type": "Parallel", "Branches": [{"QueryLanguage": "JSONPath", "StartAt": "B", "States": {"B": {"Type": "Succeed"}}}], "End": true}`), []string{`"QueryLanguage"`}},
		"retry field":           {task(`"Retry": [{"ErrorEquals": ["a"], "Delay": 1}]`), []string{`"Retry"`, `"Delay"`}},
		"retry nothing":         {task(`"Retry": [{"MaxAttempts": 1}]`), []string{`"Retry"`, `"ErrorEquals" is empty`}},
		"retry all and more":    {task(`"Retry": [{"ErrorEquals": ["States.ALL", "a"]}]`), []string{"alone"}},
		"retry all first":       {task(`"Retry": [{"ErrorEquals": ["States.ALL"]}, {"ErrorEquals": ["a"]}]`), []string{"last"}},
		"retry backwards":       {task(`"Retry": [{"ErrorEquals": ["a"], "BackoffRate": 0.5}]`), []string{"range"}},
		"retry at once":         {task(`"Retry": [{"ErrorEquals": ["a"], "IntervalSeconds": 0}]`), []string{"range"}},
		"jitter":                {task(`"Retry": [{"ErrorEquals": ["a"], "JitterStrategy": "HALF"}]`), []string{`"HALF"`}},
		"catch field":           {task(`"Catch": [{"ErrorEquals": ["a"], "Next": "S", "Output": 1}]`), []string{`"Catch"`, `"Output"`}},
		"catch what none can":   {task(`"Catch": [{"ErrorEquals": ["States.Runtime"], "Next": "S"}]`), []string{"States.Runtime is never"}},
		"catch to an index":     {task(`"Catch": [{"ErrorEquals": ["a"], "Next": "S", "ResultPath": "$[0]"}]`), []string{`"Catch"`, `"ResultPath"`}},
	} {
		_, err := Parse("test", []byte(c.src), tasks{"echo": echo}.get)
		if wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s: %v; want wstk.CodeOf(err) == wstk.Invalid", name, err)
			continue
		}
		for _, want := range append(c.want, "reading state machine test") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nsays nothing of %s", name, err, want)
			}
		}
	}
}

// No file makes Parse or Run panic.
func FuzzParse(f *testing.F) {
	for _, src := range []string{guarded, one(`{"Type": "Pass", "Parameters": {"a.$": "States.Format('{} \\'', States.MathAdd(1, $.n))"}, "End": true}`),
		one(`{"Type": "Choice", "Choices": [{"And": [{"Variable": "$.n", "NumericEquals": 1}, {"Not": {"Variable": "$['s']", "StringMatches": "a*\\*"}}], "Next": "S"}]}`),
		one(`{"Type": "Map", "ItemsPath": "$.l", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "ResultPath": "$.a.b", "End": true}}}, "End": true}`)} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		m, err := Parse("test", []byte(src), func(string) (Task, error) { return echo, nil })
		if err != nil {
			if wstk.CodeOf(err) != wstk.Invalid {
				t.Error(err)
			}
			return
		}
		m.Sleep = nothing
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond) // it may go in circles
		defer cancel()
		m.Run(ctx, "run_1", []byte(`{"n": 1, "s": "x", "l": [1, {"a": {}}], "o": {"p": null}}`))
	})
}
