package wstk

// ModelSetup describes a vendor of language models to settings and documents. One row of a
// table of these is all that the product knows of a vendor beside its Model.
type ModelSetup struct {
	ID string

	// The variables of its key, which is a secret, and of its address, the recommended one
	// first.
	Key, BaseURL []string

	Own     string // its own address; "" if it needs none
	Privacy string // who sees what it is asked
	Note    string // of the documents: what it is
}
