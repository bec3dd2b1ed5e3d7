// Package wstk holds the nouns of the system and the ports through which stages
// reach stores. It imports the standard library only.
//
// The life of an item:
//
// A Site is crawled. The Frontier keeps every URL that was discovered and where
// it stands; each ends in one Outcome with a reason, and they add up
// (Accounting). Fetching a URL stores a Snapshot: the raw body under its hash,
// and a Verdict on what the site did. Reading a Snapshot gives a Document: the
// page's whole visible text in blocks with offsets, under the hash of that
// text. Screening looks at both for walls, hidden text, injection patterns and
// secrets. The Document is summarised (Summary) and cut into Chunks; the Index
// holds both as tokens, beside the links between pages.
//
// A query recalls Hits. They are gathered into Buckets, one for each item that is
// asked for. From a bucket come Claims, each with the words it rests on. Verify
// looks for those words in the stored text: what it finds becomes Evidence, with
// offsets, bound to the text's hash; what it does not find is listed as
// Unsupported. Collate joins statements and evidence into an Extraction and
// computes its Grade, its conflicts and its gaps.
//
// Stored things never change: a later stage adds a noun, it does not edit an
// earlier one. Messages between stages carry keys, not bytes. Every stage may run
// twice on one message.
//
// What holds for every port: all methods may be called concurrently. A context
// that has ended makes a call Cancelled (or Timeout) and changes nothing. What a
// caller puts in or gets out is its own to change. An item without what it is
// stored under (an id, a URL, a name) is Invalid. A limit below 1 means 100, for
// Index.Search 50. A store that cannot be reached now, a full disk and a locked
// database are Unavailable; damaged data is Internal.
//
// Each port has one conformance suite in wstktest, which every adapter passes. A new
// adapter is a package shared/adapter/<technology> whose type says which port it is
// (var _ wstk.BlobStore = …), with a test that runs the suite, wired in shared/app/local
// or shared/app/cloud; shared/archtest says what is missing.
package wstk
