package extract

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/extract/choice"
	"wstk/shared/wstk"
)

// onTheRoof embeds what speaks of wetness or rain in one direction, all else in another one. It
// knows English, and notes what it was given.
type onTheRoof struct {
	given *[]string
	err   error
}

func (onTheRoof) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Name: "roof", SHA256: wstk.HashOf(nil), Dimension: 2,
		Languages: []string{"en"}}
}

func (e onTheRoof) Embed(
	_ context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	if e.err != nil {
		return wstk.EmbedReply{}, e.err
	}
	var out []wstk.Embedding
	for _, s := range texts {
		*e.given = append(*e.given, s)
		v := []float32{1, 0}
		if strings.Contains(s, "wet") || strings.Contains(s, "rain") {
			v = []float32{0, 1}
		}
		out = append(out, wstk.Embedding{Vector: v})
	}
	return wstk.EmbedReply{Embeddings: out}, nil
}

var camp = doc("https://camp.example/", "Camping", `
	# Camping
	Put up the tent on a lawn in the evening.
	Keep the tent out of reach of the fire.
	Wax the seams of the tent once a year against rain.
	Fold the tent along its seams.`)

const dry = "How do I keep the tent from getting wet?"

// ranked returns the texts of candidates in their order.
func ranked(t *testing.T, s *Stage, query string, d *wstk.Document) []Candidate {
	t.Helper()
	s.Document = func(context.Context, string) (*wstk.Document, error) { return d, nil }
	all, err := s.Candidates(t.Context(), Query{Text: query}, wstk.Bucket{Pages: []string{d.URL}})
	if err != nil {
		t.Fatal(err)
	}
	return all[0].Candidates
}

func TestMeaningBringsUpWhatIsLikeTheQuestion(t *testing.T) {
	place := func(all []Candidate) int {
		return slices.IndexFunc(all, func(c Candidate) bool { return strings.Contains(c.Text, "Wax") })
	}
	byWords := ranked(t, &Stage{}, dry, camp)
	for _, c := range byWords {
		if c.Row[choice.Alike] != 0 || c.Row[choice.AlikePassage] != 0 {
			t.Errorf("without a model, %q has the cosine %g", c.Text, c.Row[choice.Alike])
		}
	}
	var given []string
	kept := memory.NewEmbeddings()
	s := &Stage{Meaning: Meaning{Embedder: onTheRoof{given: &given}, Kept: kept}}
	byMeaning := ranked(t, s, dry, camp)
	if was, is := place(byWords), place(byMeaning); was <= 0 || is != 0 {
		t.Errorf("the sentence on rain is at %d, by words alone at %d; want it to rise to 0", is, was)
	}
	if len(given) != len(byMeaning)+1 || given[0] != dry {
		t.Errorf("embedded were %q", given)
	}

	// sentences are kept, the question is not
	given = nil
	ranked(t, s, dry, camp)
	if !slices.Equal(given, []string{dry}) {
		t.Errorf("the second time, embedded were %q", given)
	}
	held, err := kept.Get(t.Context(), onTheRoof{}.Info().ID(), wstk.HashOf([]byte(dry)))
	if err != nil || len(held) > 0 {
		t.Errorf("the question is kept: %v, %v", held, err)
	}
}

func TestMeaningIsLeftToItsLanguages(t *testing.T) {
	var given []string
	d := doc("https://zelt.example/", "Zelten", `
		# Zelten
		Das Zelt wird abends auf der Wiese aufgebaut und bleibt bis zum Morgen trocken.
		Die Nähte werden einmal im Jahr gegen Regen gewachst.`)
	d.Meta.Language = "de"
	s := &Stage{Meaning: Meaning{Embedder: onTheRoof{given: &given}}}
	if all := ranked(t, s, "Wie bleibt das Zelt trocken?", d); len(all) == 0 || len(given) > 0 {
		t.Errorf("of %d candidates, embedded were %q", len(all), given)
	}
}

func TestAModelThatFailsIsAnError(t *testing.T) {
	s := &Stage{Meaning: Meaning{Embedder: onTheRoof{
		err: wstk.Errorf(wstk.ModelFailed, "embedding", "no numbers")}},
		Document: func(context.Context, string) (*wstk.Document, error) { return camp, nil }}
	_, _, err := s.Do(t.Context(), Query{Text: dry}, wstk.Bucket{Pages: []string{camp.URL}})
	if wstk.CodeOf(err) != wstk.ModelFailed {
		t.Errorf("%v, want ModelFailed", err)
	}
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	_, _, err = s.Do(ended, Query{Text: dry}, wstk.Bucket{Pages: []string{camp.URL}})
	if wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("%v, want Cancelled", err)
	}
}
