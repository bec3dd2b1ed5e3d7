package wstk

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Visibility is what a browser said of a page while it showed it: which elements hold
// text of their own that a visitor does not see. It speaks of one body, the DOM that was
// copied at the same moment, and is kept as a blob beside it under the hash that
// Snapshot.VisibilitySHA256 names, never within the page: what a page says of itself
// decides nothing. Body and record together give the text again.
type Visibility struct {
	Engine     string `json:"engine"`      // name and version of what asked: VisibilityEngine
	BodySHA256 Hash   `json:"body_sha256"` // the body that it speaks of
	Elements   int    `json:"elements"`    // how many that has, counted as Block.Element counts

	// Unseen are the elements whose own text, that of their text nodes and not that of
	// their descendants, is not seen; by element, each once. All others are seen.
	Unseen []Unseen `json:"unseen,omitempty"`

	// Unknown are the elements under which the browser could not tell, such as a closed
	// details element; there the page's markup decides. Sorted, each once.
	Unknown []int `json:"unasked,omitempty"`

	// Generated are the elements before, or behind, whose text a style sheet puts words
	// that are in no element, or a picture.
	Generated []GeneratedText `json:"generated,omitempty"`
}

// Unseen is an element whose text is not seen.
type Unseen struct {
	Element int    `json:"element"`
	By      int    `json:"by"`     // the element that hides it: itself, or one around it
	Reason  string `json:"reason"` // as in Hidden.Reason
}

// GeneratedText is what a style sheet puts beside the text of an element.
type GeneratedText struct {
	Element int    `json:"element"`
	Before  string `json:"before,omitempty"`
	After   string `json:"after,omitempty"`
	// a picture is put beside the text, or in the place of an element without text
	Picture bool `json:"picture,omitempty"`
}

// VisibilityEngine is the version of the questions that a browser is asked today.
const VisibilityEngine = "browser/1"

// Encode is v as it is stored: the same v gives the same bytes.
func (v *Visibility) Encode() ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, Errorf(Internal, "writing what the browser showed", "%w", err)
	}
	return data, nil
}

// DecodeVisibility reads a stored record. One that speaks of another body than h, that
// has an element twice or out of order, or none of the form of today is Invalid.
func DecodeVisibility(data []byte, h Hash) (*Visibility, error) {
	const op = "reading what the browser showed"
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	v := &Visibility{}
	if err := dec.Decode(v); err != nil {
		return nil, Errorf(Invalid, op, "it is not a record of what a browser showed: %w", err)
	}
	switch {
	case dec.More():
		return nil, Errorf(Invalid, op, "there is text after the record")
	case v.Engine != VisibilityEngine:
		return nil, Errorf(Invalid, op, "it was made by %q, which this program does not know",
			v.Engine)
	case v.BodySHA256 != h:
		return nil, Errorf(Invalid, op, "it describes another body")
	}
	if why := v.wrongElement(); why != "" {
		return nil, Errorf(Invalid, op, "%s", why)
	}
	return v, nil
}

// wrongElement says what is wrong with the elements of v, "" if nothing is.
func (v *Visibility) wrongElement() string {
	last := -1
	for _, u := range v.Unseen {
		switch why := v.wrongNext("unseen", last, u.Element); {
		case why != "":
			return why
		case u.By < 0 || u.By > u.Element:
			return fmt.Sprintf("unseen: element %d is hidden by element %d, "+
				"which is neither itself nor around it", u.Element, u.By)
		case u.Reason == "":
			return fmt.Sprintf("unseen: element %d has no reason", u.Element)
		}
		last = u.Element
	}
	last = -1
	for _, i := range v.Unknown {
		if why := v.wrongNext("unasked", last, i); why != "" {
			return why
		}
		last = i
	}
	return ""
}

// wrongNext says why an element cannot follow the last one of a list, "" if it can.
func (v *Visibility) wrongNext(list string, last, element int) string {
	switch {
	case element < 0 || element >= v.Elements:
		return fmt.Sprintf("%s: element %d is out of range: the page has %d elements",
			list, element, v.Elements)
	case element <= last:
		return fmt.Sprintf("%s: element %d follows element %d: the list is not in rising order",
			list, element, last)
	}
	return ""
}
