// Package read makes a Document of a stored body: of HTML, PDF, Markdown, feeds, XML, JSON
// and plain text.
//
// In goes an Input: the bytes as they were stored, their address, and what the reply's
// headers say of them. Out comes a wstk.Document: the whole visible text in blocks with
// offsets, which blocks are main content, Markdown, sections, links, metadata and
// structured data. Text that a visitor does not see is listed apart, with the reason.
//
// These laws hold for every input:
//
//   - the same Input gives the same Document, byte for byte;
//   - each block is the piece of Document.Text at its offsets;
//   - reading takes time and memory in proportion to the body, and ends with its context;
//   - what was cut, replaced or read by simpler means is named in a warning.
//
// Begin reading at Stage.Do in stage.go, and at TestRead. A page goes through dom (the
// parsed tree), css (which declarations hold), walk.go and visit.go (elements become
// blocks), content (which blocks are main) and markdown.go.
package read
