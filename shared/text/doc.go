// Package text is pure string work: URLs, offsets, folds, tokens, sentences
// and names. It knows nothing of pages or stores, keeps no state a caller
// can see, and all its functions may be called from many goroutines. Every
// function takes any bytes, also invalid UTF-8, and runs in linear time.
package text
