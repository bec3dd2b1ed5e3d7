package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Check is one thing doctor looked at.
type Check struct {
	Name   string      `json:"name"`
	OK     bool        `json:"ok"`
	Detail string      `json:"detail"`
	Steps  []wstk.Step `json:"-"` // what mends it
	// Steps, in the words of the door that shows them
	Next []string `json:"next_steps,omitempty"`
}

// maxDoctorPages bounds how many pages doctor reads back, so that it stays quick on a
// large store.
const maxDoctorPages = 200

// Doctor checks the configuration, the data directory, the database and the
// newest stored pages. It changes nothing that is there and asks no site.
func Doctor(
	ctx context.Context, c config.Config, open, transient func(context.Context) (*App, error),
) []Check {
	checks := []Check{configuration(c), {Name: "project", OK: true, Detail: c.Project.Detail()},
		folder("data directory", c.DataDir), folder("cache directory", c.CacheDir)}
	checks = append(checks, services(c)...)
	checks = append(checks, accessRules(ctx, c, transient)...)
	if _, err := os.Stat(filepath.Join(c.DataDir, "FORMAT")); errors.Is(err, fs.ErrNotExist) {
		checks = append(checks, Check{Name: "store", OK: true, Detail: "nothing is stored yet"})
		a, err := transient(ctx)
		if err != nil {
			return append(checks, Check{Name: "settings", Detail: err.Error(),
				Steps: wstk.StepsOf(err)})
		}
		defer a.Close()
		return append(checks, a.checkAround(ctx)...)
	}
	a, err := open(ctx)
	if err != nil {
		return append(checks, Check{Name: "store", Detail: err.Error(), Steps: wstk.StepsOf(err)})
	}
	defer a.Close()
	stats, err := a.Index.Stats(ctx)
	if err != nil {
		return append(checks, Check{Name: "store", Detail: err.Error(), Steps: wstk.StepsOf(err)})
	}
	checks = append(checks, Check{Name: "store", OK: true,
		Detail: fmt.Sprintf("%d pages, %d chunks, %d summaries, %d links indexed",
			stats.Pages, stats.Chunks, stats.Summaries, stats.Links)})
	checks = append(checks, a.checkRecords(ctx), a.checkBlobs(ctx), a.checkRuns(ctx))
	return append(checks, a.checkAround(ctx)...)
}

// checkAround looks at what wstk asks beside its stores: providers, the browser and models.
func (a *App) checkAround(ctx context.Context) []Check {
	return slices.Concat([]Check{a.checkSearch(ctx), a.checkBrowser(), a.checkModels(ctx)},
		a.checkVectors(ctx), a.checkLanguageModels())
}

// checkSearch says which providers a search would ask. None is no fault: what is
// stored can be searched, and one provider needs no key.
func (a *App) checkSearch(ctx context.Context) Check {
	var ready, missing []string
	for _, p := range a.Searching.Providers(ctx) {
		switch {
		case p.Type != "search":
		case p.Enabled:
			ready = append(ready, p.ID)
		case len(p.EnvVars) > 0:
			missing = append(missing, p.ID)
		}
	}
	c := Check{Name: "search", OK: true, Detail: "ready: " + strings.Join(ready, ", ")}
	if len(missing) > 0 {
		c.Detail += "; not set up: " + strings.Join(missing, ", ")
		c.Steps = []wstk.Step{{Do: wstk.DoListProviders, For: "see what each needs"}}
	}
	return c
}

// checkBrowser says whether pages can be rendered. That there is no browser is no fault:
// most pages need none.
func (a *App) checkBrowser() Check {
	path, err := a.Browser.Find()
	if err != nil {
		return Check{Name: "browser", OK: true, Detail: "none: no page can be shown in one",
			Steps: wstk.StepsOf(err)}
	}
	return Check{Name: "browser", OK: true, Detail: path}
}

// checkModels hashes the models that were added. None is no fault: words alone find most.
func (a *App) checkModels(ctx context.Context) Check {
	const name = "models"
	var added []string
	for _, m := range a.ModelFiles.List() {
		if m.Path == "" {
			continue
		}
		if err := a.ModelFiles.Check(ctx, m.Name); err != nil {
			return Check{Name: name, Detail: err.Error(),
				Steps: wstk.Advices("remove the model " + m.Name + " and add it again")}
		}
		added = append(added, m.Name)
	}
	if len(added) == 0 {
		return Check{Name: name, OK: true, Detail: "none was added"}
	}
	c := Check{Name: name, OK: true, Detail: strings.Join(added, ", ") + ", equal to the hash"}
	a.addLacking(ctx, &c, c.Detail+"; ")
	return c
}

// meaningService is an embedder or a reranker that is asked over a network.
type meaningService struct {
	kind, sees string
	config.ServiceOptions
}

// meanings are those that are configured, with who sees what.
func meanings(c config.Config) (out []meaningService) {
	for _, s := range []meaningService{
		{"embedder", "the words of every page that is indexed, and every query",
			c.Embedder.ServiceOptions},
		{"reranker", "every query, and the first passages that are found",
			c.Reranker.ServiceOptions},
	} {
		if s.Remote() {
			out = append(out, s)
		}
	}
	return out
}

// services names the embedder and the reranker that are asked over a network, and who sees what.
// It asks neither.
func services(c config.Config) (checks []Check) {
	for _, s := range meanings(c) {
		k := Check{Name: s.kind, OK: !s.Keyless(), Detail: s.Provider}
		if s.Model != "" {
			k.Detail += ", " + s.Model
		}
		if s.BaseURL != "" {
			k.Detail += " at " + text.HideUser(s.BaseURL)
		}
		k.Detail += "; it sees " + s.sees
		variable := s.KeyVariable(s.kind)
		switch {
		case s.Keyless():
			k.Detail += "; its key is missing, so it is not asked"
			k.Steps = []wstk.Step{{Do: wstk.DoConfigure, Variable: variable}}
		case s.Key() != "":
			k.Detail += "; its key is set"
		}
		checks = append(checks, k)
	}
	return checks
}

// accessRules says of each rule of access which pages it is for, what it asks and sends, and
// whether its variables are set; never what they hold.
func accessRules(
	ctx context.Context, c config.Config, transient func(context.Context) (*App, error),
) (checks []Check) {
	const name = "access"
	if !c.Access.On {
		detail := "off: every page is asked for as every reader may"
		if n := len(c.Access.Rules); n > 0 {
			detail += "; the settings have " + text.Count(n, "rule")
		}
		return []Check{{Name: name, OK: true, Detail: detail}}
	}
	a, err := transient(ctx)
	if err != nil {
		return []Check{{Name: name, Detail: err.Error(), Steps: wstk.StepsOf(err)}}
	}
	defer a.Close()
	if a.Access == nil {
		return []Check{{Name: name, Detail: "on, and not used here"}}
	}
	for _, r := range a.Access.Info() {
		checks = append(checks, accessRule(r))
	}
	return checks
}

func accessRule(r wstk.AccessInfo) Check {
	if r.Kind == wstk.AccessPublic {
		return Check{Name: "access", OK: true,
			Detail: "on for single pages; all other pages are asked for as every reader may"}
	}
	c := Check{Name: "access: " + r.Rule, OK: true, Detail: string(r.Kind) + ", for " + r.Pages}
	if r.Asks != "" {
		c.Detail += ", asks " + r.Asks
	}
	if len(r.Headers) > 0 {
		c.Detail += "; sends " + strings.Join(r.Headers, ", ") + " from " +
			strings.Join(r.Variables, ", ")
	}
	if len(r.Missing) > 0 {
		c.OK = false
		c.Detail += "; not set: " + strings.Join(r.Missing, ", ")
		c.Steps = []wstk.Step{{Do: wstk.DoConfigure, Variable: r.Missing[0]}}
	}
	return c
}

// checkVectors says how many stored pages lack the vectors of an embedder that is a service; of
// one that was added, checkModels does.
func (a *App) checkVectors(ctx context.Context) []Check {
	if o := a.Config.Embedder; !o.Remote() || o.Keyless() {
		return nil
	}
	c := Check{Name: "vectors", OK: true, Detail: "every stored page has its vectors"}
	a.addLacking(ctx, &c, "")
	return []Check{c}
}

// addLacking adds to a check how many stored pages lack vectors, behind what stands before.
func (a *App) addLacking(ctx context.Context, c *Check, before string) {
	lacking, err := a.ModelFiles.Lacking(ctx)
	switch {
	case err != nil:
		*c = Check{Name: c.Name, Detail: err.Error(), Steps: wstk.StepsOf(err)}
	case lacking > 0:
		c.Detail = before + LacksVectors(lacking)
		c.Steps = []wstk.Step{MakeVectors}
	}
}

// checkLanguageModels says of each operation which language model does it, whether its key is
// there, and with which prompt. It asks none, and none is no fault.
func (a *App) checkLanguageModels() (checks []Check) {
	var rules []string
	for _, op := range wstk.Operations() {
		if m := a.Models(op); m != nil {
			checks = append(checks, a.checkLanguageModel(op, m.Info()))
		} else {
			rules = append(rules, string(op))
		}
	}
	if len(checks) == 0 {
		return []Check{{Name: "language models", OK: true, Detail: "none: rules do everything"}}
	}
	if len(rules) > 0 {
		checks = append(checks, Check{Name: "language models", OK: true,
			Detail: "none for " + strings.Join(rules, ", ") + ": rules do that"})
	}
	return checks
}

// checkLanguageModel is the check of the model for one operation.
func (a *App) checkLanguageModel(op wstk.Operation, m wstk.ModelInfo) Check {
	c := Check{Name: "model: " + string(op), OK: true, Detail: m.Provider + " " + m.Model}
	s := a.ModelSetups[op]
	if s.Address != "" {
		c.Detail += " at " + s.Address
	}
	switch {
	case s.HasKey:
		c.Detail += "; its key is set"
	case s.lacksKey():
		c.Detail += "; its key is missing"
	case s.Variable != "":
		c.Detail += "; without a key"
	}
	if p, err := a.promptOf(op); err == nil {
		which := "your own prompt"
		if p.Version != "" {
			which = "the built-in prompt " + string(op) + "." + p.Version
		}
		c.Detail += fmt.Sprintf("; %s (%.12s)", which, p.Hash())
	}
	if err := a.ModelsReady(op); err != nil {
		c.OK, c.Steps = false, wstk.StepsOf(err)
		if !s.lacksKey() {
			c.Detail += "; " + err.Error()
		}
	}
	return c
}

func configuration(c config.Config) Check {
	var set []string
	for _, key := range c.Keys() {
		if from := c.Origin[key]; from != "" {
			set = append(set, key+" ("+from+")")
		}
	}
	if len(set) == 0 {
		return Check{Name: "configuration", OK: true, Detail: "defaults"}
	}
	return Check{Name: "configuration", OK: true, Detail: "set: " + strings.Join(set, ", ")}
}

// anotherFolder names another data directory.
var anotherFolder = wstk.Step{Do: wstk.DoOption, For: "choose another",
	Options: []wstk.Option{wstk.OptDataDir.On()}}

// folder checks that a folder takes what is new, by the nearest folder that exists.
func folder(name, dir string) Check {
	at := dir
	for {
		st, err := os.Stat(at)
		if err == nil && !st.IsDir() {
			return Check{Name: name, Detail: at + " is not a folder",
				Steps: []wstk.Step{anotherFolder}}
		}
		if err == nil {
			break
		}
		if parent := filepath.Dir(at); parent != at {
			at = parent
			continue
		}
		break
	}
	probe, err := os.CreateTemp(at, ".wstk-doctor-*")
	if err == nil {
		err = errors.Join(fill(probe), os.Remove(probe.Name()))
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return Check{Name: name, Detail: dir + " takes nothing new: the disk is full",
			Steps: wstk.Advices("free some space on its disk")}
	case err != nil:
		return Check{Name: name, Detail: dir + " cannot be written: " + err.Error(),
			Steps: []wstk.Step{anotherFolder, wstk.Advice("correct its permissions")}}
	}
	return Check{Name: name, OK: true, Detail: dir + freeSpace(at)}
}

// probeBytes is how much doctor writes: more than disks that are full still take.
const probeBytes = 64 << 10

// fill writes a file to the disk itself, since an empty one needs no room.
func fill(f *os.File) error {
	_, err := f.Write(make([]byte, probeBytes))
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// freeSpace says how much room the disk of a folder has; "" where that cannot be told.
func freeSpace(dir string) string {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return ""
	}
	return fmt.Sprintf(" (%d MB free)", uint64(st.Bavail)*uint64(st.Bsize)/1_000_000)
}

// checkRecords asks the store to look itself over.
func (a *App) checkRecords(ctx context.Context) Check {
	wrong, err := a.CheckStore(ctx)
	switch {
	case err != nil:
		return Check{Name: "records", Detail: err.Error(), Steps: wstk.StepsOf(err)}
	case len(wrong) > 0:
		return Check{Name: "records", Detail: strings.Join(wrong, "; "),
			Steps: wstk.Advices("move the data directory away and ingest again; proof bundles " +
				"stay valid")}
	}
	return Check{Name: "records", OK: true, Detail: "consistent"}
}

// checkBlobs reads pages back and checks their bytes against their hashes.
func (a *App) checkBlobs(ctx context.Context) Check {
	read := 0
	for cursor := ""; read < maxDoctorPages; {
		pages, next, err := a.Pages.List(ctx, "", cursor, maxDoctorPages)
		if err != nil {
			return Check{Name: "stored pages", Detail: err.Error()}
		}
		for _, p := range pages {
			if p.Document == "" {
				continue
			}
			if _, err := wstk.LoadDocument(ctx, a.Blobs, p.Document); err != nil {
				return Check{Name: "stored pages", Detail: fmt.Sprintf("%s: %v", p.URL, err),
					Steps: []wstk.Step{{Do: wstk.DoRefresh, For: "fetch the page again", URL: p.URL,
						Options: []wstk.Option{wstk.OptFresh.On()}}}}
			}
			read++
		}
		if cursor = next; next == "" {
			break
		}
	}
	return Check{Name: "stored pages", OK: true,
		Detail: fmt.Sprintf("%d read back, each equal to its hash", read)}
}

// checkRuns finds crawls that a stopped process left behind. They are no fault: the
// same command takes them up again. Of other runs a server ends what is left, by itself.
func (a *App) checkRuns(ctx context.Context) Check {
	var names []string
	for _, kind := range []wstk.RunKind{wstk.RunIngest, wstk.RunRefresh} {
		runs, _, err := a.Runs.List(ctx, wstk.RunFilter{Kind: kind, State: wstk.RunRunning}, "", 10)
		if err != nil {
			return Check{Name: "runs", Detail: err.Error()}
		}
		for _, r := range runs {
			names = append(names, string(r.ID))
		}
	}
	if len(names) == 0 {
		return Check{Name: "runs", OK: true, Detail: "no crawl is open"}
	}
	return Check{Name: "runs", OK: true, Detail: "open crawls: " + strings.Join(names, ", ") +
		" (running now, or stopped: the same ingest command goes on)"}
}
