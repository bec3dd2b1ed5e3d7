package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/looking"
	"wstk/shared/app/reading"
	"wstk/shared/app/searching"
	"wstk/shared/entry/codes"
	"wstk/shared/wstk"
)

// The data of commands that wrap a list.
type (
	siteList struct {
		Sites []crawling.SiteStatus `json:"sites"`
	}
	providerList struct {
		Providers []wstk.ProviderInfo `json:"providers"`
	}
	evidenceList struct {
		Evidence []looking.EvidenceItem `json:"evidence"`
	}
	modelList struct {
		Models []wstk.ModelFile `json:"models"`
	}
	checkList struct {
		Checks []app.Check `json:"checks"`
	}
	programInfo struct {
		Version  string `json:"version"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}
	served struct {
		Address string `json:"address"` // host:port
	}
)

// shapes are the types of data by command.
var shapes = map[string]reflect.Type{
	"search":          reflect.TypeFor[searching.Result](),
	"fetch":           reflect.TypeFor[reading.FetchResult](),
	"render":          reflect.TypeFor[reading.FetchResult](),
	"extract":         reflect.TypeFor[reading.ExtractResult](),
	"pipeline":        reflect.TypeFor[searching.PipelineResult](),
	"eval":            reflect.TypeFor[searching.Evaluation](),
	"providers":       reflect.TypeFor[providerList](),
	"runs create":     reflect.TypeFor[searching.Run](),
	"runs show":       reflect.TypeFor[searching.Run](),
	"runs list":       reflect.TypeFor[runList](),
	"runs affected":   reflect.TypeFor[answering.Affected](),
	"runs remove":     reflect.TypeFor[answering.Removed](),
	"site ingest":     reflect.TypeFor[crawling.IngestResult](),
	"site refresh":    reflect.TypeFor[crawling.IngestResult](),
	"site list":       reflect.TypeFor[siteList](),
	"site status":     reflect.TypeFor[crawling.SiteStatus](),
	"site remove":     reflect.TypeFor[siteRemoved](),
	"site cancel":     reflect.TypeFor[crawling.SiteStatus](),
	"ask":             reflect.TypeFor[wstk.AskResult](),
	"answer":          reflect.TypeFor[wstk.AnswerResult](),
	"recall":          reflect.TypeFor[answering.RecallResult](),
	"gap":             reflect.TypeFor[gapCrawled](),
	"read":            reflect.TypeFor[reading.StoredPage](),
	"verify":          reflect.TypeFor[answering.VerifyReport](),
	"serve":           reflect.TypeFor[served](),
	"cache show":      reflect.TypeFor[looking.CacheReport](),
	"cache prune":     reflect.TypeFor[looking.CacheReport](),
	"cache clear":     reflect.TypeFor[looking.CacheReport](),
	"evidence list":   reflect.TypeFor[evidenceList](),
	"evidence export": reflect.TypeFor[looking.Archive](),
	"models list":     reflect.TypeFor[modelList](),
	"models add":      reflect.TypeFor[modelAdded](),
	"models index":    reflect.TypeFor[app.ModelIndexing](),
	"models remove":   reflect.TypeFor[wstk.ModelFile](),
	"doctor":          reflect.TypeFor[checkList](),
	"version":         reflect.TypeFor[programInfo](),
}

// otherShapes are what a command prints in place of its shape.
var otherShapes = map[string][]reflect.Type{
	"runs show": {reflect.TypeFor[answering.ExtractionRun](), reflect.TypeFor[answering.AnswerRun]()},
}

func (c *command) schema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [COMMAND]",
		Short: "Print the JSON Schema of what a command prints with --json",
		Long: `Prints a JSON Schema (draft 2020-12) of the envelope that a command prints with --json,
its data included. Fields may be added in later versions; none is renamed or removed.
Without a command it lists the commands that have a schema.`,
		Example: "  wstk schema extract\n  wstk schema 'site ingest'",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			c.ran = true
			name := strings.Join(args, " ")
			if name == "" {
				names := SchemaCommands()
				c.code = c.write(cmd.Context(), "schema",
					reply{data: map[string]any{"commands": names},
						plain: func(w io.Writer) { fmt.Fprintln(w, strings.Join(names, "\n")) },
						human: func(p *printer) { p.line(strings.Join(names, "\n")) }}, time.Now())
				return nil
			}
			data, err := Schema(name)
			if err != nil {
				c.code = c.write(cmd.Context(), "schema", reply{err: err}, time.Now())
				return nil
			}
			// A schema is JSON by itself, in every form of output.
			_, _ = c.out.Write(data) // it remembers its error
			c.code = codes.ExitOK
			return nil
		},
	}
}

// SchemaCommands lists the commands that have a schema.
func SchemaCommands() []string { return slices.Sorted(maps.Keys(shapes)) }

// Schema is the JSON Schema of what a command prints with --json, such as "extract" or
// "site ingest"; a command that has none is Invalid.
func Schema(command string) ([]byte, error) {
	shape, ok := shapes[command]
	if !ok {
		return nil, wstk.Errorf(wstk.Invalid, "", "no command %q has a JSON reply of its own",
			command).Try(wstk.Advice("wstk schema"))
	}
	s, err := schemaOf(reflect.TypeFor[envelope]())
	if err != nil {
		return nil, err
	}
	data, err := schemaOf(shape)
	if err != nil {
		return nil, err
	}
	data.Types, data.Type = []string{"null", data.Type}, ""
	if others := otherShapes[command]; others != nil {
		data = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{data}}
		for _, t := range others {
			other, err := schemaOf(t)
			if err != nil {
				return nil, err
			}
			data.AnyOf = append(data.AnyOf, other)
		}
	}
	s.Properties["data"] = data
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "wstk " + command + " --json"
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), wstk.Wrap(wstk.Internal, "writing the schema", err)
}

// schemaOf derives a schema from a type. Objects stay open: fields may be added.
func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	known := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
		reflect.TypeFor[json.RawMessage](): {},
		reflect.TypeFor[time.Duration]():   {Type: "integer", Description: "nanoseconds"},
		reflect.TypeFor[wstk.Accounting](): {Type: "object", Required: []string{"discovered"},
			AdditionalProperties: &jsonschema.Schema{Type: "integer",
				Description: "URLs with this outcome; all of them add up to discovered"}},
		reflect.TypeFor[wstk.Code]():    {Type: "string", Enum: names(wstk.Codes())},
		reflect.TypeFor[wstk.Verdict](): {Type: "string", Enum: names(wstk.Verdicts())},
	}
	// Options of a crawl say their times in units that reflection does not see.
	crawl, err := jsonschema.ForType(reflect.TypeFor[wstk.CrawlOptions](),
		&jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "making the schema of a crawl", err)
	}
	for _, f := range [][2]string{{"rate_limit_ms", "milliseconds"}, {"stale_after_s", "seconds"}} {
		crawl.Properties[f[0]] = &jsonschema.Schema{Type: "integer", Description: f[1]}
		crawl.PropertyOrder, crawl.Required = append(crawl.PropertyOrder, f[0]),
			append(crawl.Required, f[0])
	}
	known[reflect.TypeFor[wstk.CrawlOptions]()] = crawl
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, "making the schema of "+t.String(), err)
	}
	open(s)
	return s, nil
}

func names[T ~string](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// open lets objects have fields that the schema does not name. Maps say what their
// values are, and keep that.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	if len(s.Enum) > 0 && slices.Contains(s.Types, "null") && !slices.Contains(s.Enum, any(nil)) {
		s.Enum = append(slices.Clone(s.Enum), nil)
	}
	for _, p := range s.Properties {
		open(p)
	}
	open(s.Items)
	open(s.AdditionalProperties)
}
