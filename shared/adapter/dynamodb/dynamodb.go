// Package dynamodb keeps records in three DynamoDB tables on demand: Records (sites,
// pages, snapshots, summaries, runs, evidence, vectors), Frontier (the URLs and counters of
// crawls) and Hosts (politeness and locks). All have the key (pk, sk), two strings.
//
// A noun is stored as its JSON in the attribute data, which is all a reader decodes;
// other attributes serve conditions. Lists are queries of one partition, so that no
// request scans a table: what has to be listed by something has a pointer item
// beside it, written in the same transaction. Reads are strongly
// consistent.
package dynamodb

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"wstk/shared/wstk"
)

// Tables are the names of the tables.
type Tables struct{ Records, Frontier, Hosts string }

// DB opens the stores. It is safe for concurrent use.
type DB struct {
	Client *dynamodb.Client
	Tables Tables
	Now    func() time.Time // nil means time.Now; leases and expiry are measured by it
}

func (db *DB) now() time.Time {
	if db.Now == nil {
		return time.Now()
	}
	return db.Now()
}

// item is what the tables hold.
type item = map[string]types.AttributeValue

// key is the address of an item.
type key struct{ pk, sk string }

func (k key) item() item { return item{"pk": str(k.pk), "sk": str(k.sk)} }

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func strOf(it item, name string) string {
	if s, ok := it[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

func numOf(it item, name string) int64 {
	if s, ok := it[name].(*types.AttributeValueMemberN); ok {
		n, _ := strconv.ParseInt(s.Value, 10, 64)
		return n
	}
	return 0
}

// record is an item that holds a noun.
func record(op string, k key, noun any) (item, error) {
	data, err := json.Marshal(noun)
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, op, err)
	}
	it := k.item()
	it["data"] = str(string(data))
	return it, nil
}

func decode[T any](op string, it item) (T, error) {
	var v T
	err := json.Unmarshal([]byte(strOf(it, "data")), &v)
	return v, wstk.Wrap(wstk.Internal, op, err)
}

// maxKey bounds the part of a sort key that a URL makes: a sort key has at most
// 1,024 bytes.
const maxKey = 900

// urlKey orders URLs as they order themselves; a very long one by its beginning.
func urlKey(url string) string {
	if len(url) <= maxKey {
		return url
	}
	n := maxKey
	for !utf8.RuneStart(url[n]) {
		n--
	}
	return url[:n] + " " + string(wstk.HashOf([]byte(url)))
}

// timeKey orders times as text.
func timeKey(t time.Time) string { return fmt.Sprintf("%020d", t.UnixNano()) }

// get reads one item; nil when there is none.
func (db *DB) get(ctx context.Context, op, table string, k key) (item, error) {
	out, err := db.Client.GetItem(ctx,
		&dynamodb.GetItemInput{TableName: &table, Key: k.item(), ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, failed(ctx, op, err)
	}
	return out.Item, nil
}

// find reads the noun at a key; missing says what was not found.
func find[T any](ctx context.Context, db *DB, op, table string, k key, missing string) (T, error) {
	it, err := db.get(ctx, op, table, k)
	if err == nil && it == nil {
		err = wstk.Errorf(wstk.NotFound, op, "%s", missing)
	}
	if err != nil {
		var none T
		return none, err
	}
	return decode[T](op, it)
}

// store puts an item in the place of the one that was there.
func (db *DB) store(ctx context.Context, op, table string, it item) error {
	if _, err := db.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table,
		Item: it}); err != nil {
		return failed(ctx, op, err)
	}
	return nil
}

// maxBatch is how many items a BatchGetItem may ask for.
const maxBatch = 100

// getAll reads many items, in no order; missing ones are left out.
func (db *DB) getAll(ctx context.Context, op, table string, keys []key) ([]item, error) {
	var found []item
	for part := range slices.Chunk(keys, maxBatch) {
		ask := make([]item, len(part))
		for i, k := range part {
			ask[i] = k.item()
		}
		for try := 0; len(ask) > 0; try++ {
			if try > 0 {
				if err := rest(ctx, op, try); err != nil {
					return nil, err
				}
			}
			out, err := db.Client.BatchGetItem(ctx,
				&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
					table: {Keys: ask, ConsistentRead: aws.Bool(true)}}})
			if err != nil {
				return nil, failed(ctx, op, err)
			}
			found = append(found, out.Responses[table]...)
			ask = out.UnprocessedKeys[table].Keys
		}
	}
	return found, nil
}

// span is a query of one partition.
type span struct {
	table, pk string
	from, to  string // sort keys: after from, before to; "" is open
	back      bool   // from the end
}

// each calls f with the items of s in order of their sort key, until f says false.
func (db *DB) each(
	ctx context.Context, op string, s span, page int, f func(item) (bool, error),
) error {
	in := &dynamodb.QueryInput{TableName: &s.table, ConsistentRead: aws.Bool(true),
		ScanIndexForward:          aws.Bool(!s.back),
		KeyConditionExpression:    aws.String("pk = :pk"),
		ExpressionAttributeValues: item{":pk": str(s.pk)}}
	if page > 0 {
		in.Limit = aws.Int32(int32(page))
	}
	switch {
	case s.from != "" && s.to != "":
		in.KeyConditionExpression = aws.String("pk = :pk AND sk BETWEEN :from AND :to")
		in.ExpressionAttributeValues[":from"], in.ExpressionAttributeValues[":to"] = str(s.from),
			str(s.to)
	case s.from != "":
		in.KeyConditionExpression = aws.String("pk = :pk AND sk > :from")
		in.ExpressionAttributeValues[":from"] = str(s.from)
	case s.to != "":
		in.KeyConditionExpression = aws.String("pk = :pk AND sk < :to")
		in.ExpressionAttributeValues[":to"] = str(s.to)
	}
	for {
		out, err := db.Client.Query(ctx, in)
		if err != nil {
			return failed(ctx, op, err)
		}
		for _, it := range out.Items {
			if sk := strOf(it, "sk"); sk == s.from || sk == s.to {
				continue // BETWEEN takes both ends
			}
			more, err := f(it)
			if err != nil || !more {
				return err
			}
		}
		if len(out.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// first returns the first n items of s.
func (db *DB) first(ctx context.Context, op string, s span, n int) ([]item, error) {
	var out []item
	err := db.each(ctx, op, s, n, func(it item) (bool, error) {
		out = append(out, it)
		return len(out) < n, nil
	})
	return out, err
}

// A write of a transaction.
func put(table string, it item, condition string, values item) types.TransactWriteItem {
	p := &types.Put{TableName: &table, Item: it}
	if condition != "" {
		p.ConditionExpression = &condition
		if len(values) > 0 {
			p.ExpressionAttributeValues = values
		}
	}
	return types.TransactWriteItem{Put: p}
}

func remove(table string, k key) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{TableName: &table, Key: k.item()}}
}

// removeAll deletes the items of a partition.
func (db *DB) removeAll(ctx context.Context, op, table, pk string) error {
	var keys []key
	err := db.each(ctx, op, span{table: table, pk: pk}, 0, func(it item) (bool, error) {
		keys = append(keys, key{pk, strOf(it, "sk")})
		return true, nil
	})
	if err != nil {
		return err
	}
	return db.removeKeys(ctx, op, table, keys)
}

// removeKeys deletes items; missing ones are no error.
func (db *DB) removeKeys(ctx context.Context, op, table string, keys []key) error {
	for some := range slices.Chunk(keys, maxWrites) {
		writes := make([]types.TransactWriteItem, len(some))
		for i, k := range some {
			writes[i] = remove(table, k)
		}
		if err := db.write(ctx, op, writes...); err != nil {
			return err
		}
	}
	return nil
}

// putNew stores those of at most maxWrites items that are not there yet.
func (db *DB) putNew(ctx context.Context, op, table string, items []item) error {
	for len(items) > 0 {
		writes := make([]types.TransactWriteItem, len(items))
		for i, it := range items {
			writes[i] = put(table, it, isNew, nil)
		}
		err := db.write(ctx, op, writes...)
		var known refused
		if !errors.As(err, &known) {
			return err
		}
		var left []item
		for i, it := range items {
			if !slices.Contains(known, i) {
				left = append(left, it)
			}
		}
		items = left
	}
	return nil
}

const (
	isNew       = "attribute_not_exists(pk)"
	isUnchanged = "v = :v"
)

// counter adds deltas, by attribute, to a counter item.
func counter(table string, k key, deltas map[string]int) (types.TransactWriteItem, bool) {
	var names []string
	for name, n := range deltas {
		if n != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return types.TransactWriteItem{}, false
	}
	slices.Sort(names)
	expr, aliases, values := "ADD ", map[string]string{}, item{}
	for i, name := range names {
		if i > 0 {
			expr += ", "
		}
		expr += fmt.Sprintf("#%d :%d", i, i)
		aliases["#"+strconv.Itoa(i)], values[":"+strconv.Itoa(i)] = name, num(int64(deltas[name]))
	}
	return types.TransactWriteItem{
		Update: &types.Update{TableName: &table, Key: k.item(), UpdateExpression: &expr,
			ExpressionAttributeNames: aliases, ExpressionAttributeValues: values}}, true
}

// counterShards spread the counters of one run or site: one item takes about a
// thousand writes a second, and transactions that meet on it fail and try again.
const counterShards = 8

func shard() string { return strconv.Itoa(rand.IntN(counterShards)) }

// counters sums the counter items of a partition.
func (db *DB) counters(ctx context.Context, op, table, pk string) (map[string]int, error) {
	sum := map[string]int{}
	err := db.each(ctx, op, span{table: table, pk: pk}, 0, func(it item) (bool, error) {
		for name := range it {
			if name != "pk" && name != "sk" && name != "expires" {
				sum[name] += int(numOf(it, name))
			}
		}
		return true, nil
	})
	return sum, err
}

// maxWrites is how many writes a transaction may have.
const maxWrites = 100

// maxWritten bounds the bytes of a transaction, which may have 4 MB.
const maxWritten = 3 << 20

// parts cuts a list into parts of at most n, and of about maxWritten bytes.
func parts[T any](list []T, n int, size func(T) int) (out [][]T) {
	start, bytes := 0, 0
	for i, v := range list {
		if i > start && (i-start == n || bytes+size(v) > maxWritten) {
			out = append(out, list[start:i])
			start, bytes = i, 0
		}
		bytes += size(v)
	}
	if start < len(list) {
		out = append(out, list[start:])
	}
	return out
}

// refused lists the writes of a transaction that failed their condition.
type refused []int

func (r refused) Error() string {
	return fmt.Sprintf("the conditions of writes %v do not hold", []int(r))
}

// write does all writes or none. Where a condition does not hold it returns refused.
// Transactions that met others on an item, and throttled ones, are tried again: with
// the same token, so that a try whose reply was lost is not taken for another process's.
func (db *DB) write(ctx context.Context, op string, writes ...types.TransactWriteItem) error {
	in := &dynamodb.TransactWriteItemsInput{TransactItems: writes,
		ClientRequestToken: aws.String(crand.Text())}
	for try := 1; ; try++ {
		_, err := db.Client.TransactWriteItems(ctx, in)
		if err == nil {
			return nil
		}
		var cancelled *types.TransactionCanceledException
		var conflict *types.TransactionConflictException
		var running *types.TransactionInProgressException // an earlier try of this one
		switch {
		case errors.As(err, &cancelled):
			if no := refusedBy(cancelled); len(no) > 0 {
				return no
			}
			if !transient(cancelled) || try > maxTries {
				return failed(ctx, op, err)
			}
		case (errors.As(err, &conflict) || errors.As(err, &running)) && try <= maxTries:
		default:
			return failed(ctx, op, err)
		}
		if err := rest(ctx, op, try); err != nil {
			return err
		}
	}
}

func refusedBy(e *types.TransactionCanceledException) (no refused) {
	for i, r := range e.CancellationReasons {
		if aws.ToString(r.Code) == "ConditionalCheckFailed" {
			no = append(no, i)
		}
	}
	return no
}

func transient(e *types.TransactionCanceledException) bool {
	some := false
	for _, r := range e.CancellationReasons {
		switch aws.ToString(r.Code) {
		case "", "None":
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			some = true
		default:
			return false
		}
	}
	return some
}

// maxTries of a write that meets others; with rest's pauses about 20 s at most.
const maxTries = 12

// rest waits before a further try: 10 ms doubled with each, at most 2 s, and a random
// part of it, so that those who met do not meet again.
func rest(ctx context.Context, op string, try int) error {
	d := min(10*time.Millisecond<<min(try, 20), 2*time.Second)
	return wstk.Wrap(wstk.Cancelled, op, wstk.Sleep(ctx, d/4+rand.N(d)))
}

// failed gives an error of the SDK its code.
func failed(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		for _, r := range cancelled.CancellationReasons {
			if aws.ToString(r.Code) != "ValidationError" {
				continue
			}
			if isTooLarge(aws.ToString(r.Message)) {
				return wstk.Errorf(wstk.TooLarge, op, "%w", err)
			}
			return wstk.Errorf(wstk.Internal, op, "%w", err)
		}
	}
	var api smithy.APIError
	if !errors.As(err, &api) {
		return wstk.Errorf(wstk.Unavailable, op, "DynamoDB cannot be reached: %w", err)
	}
	switch api.ErrorCode() {
	case "ResourceNotFoundException":
		return wstk.Errorf(wstk.Internal, op, "%w", err).
			Try(wstk.Advice("deploy the stack; its tables are missing here"))
	case "ValidationException":
		if isTooLarge(api.ErrorMessage()) {
			return wstk.Errorf(wstk.TooLarge, op, "%w", err)
		}
		return wstk.Errorf(wstk.Internal, op, "%w", err)
	case "AccessDeniedException", "UnrecognizedClientException", "ExpiredTokenException":
		return wstk.Errorf(wstk.Internal, op, "%w", err)
	}
	return wstk.Errorf(wstk.Unavailable, op, "%w", err)
}

func isTooLarge(message string) bool {
	m := strings.ToLower(message)
	return strings.Contains(m, "item size") || strings.Contains(m, "maximum allowed size")
}
