// Package chunk cuts a Document into the passages that recall finds: spans of
// its text that follow its structure, small enough to read at a glance and large
// enough to answer something.
//
// Split is a pure function of the Document. Every visible character that is not
// white space is in exactly one chunk.
package chunk
