// Package text is pure string work: addresses, offsets, folds, tokens, sentences and
// names, and what a text says about itself.
//
// Begin with span.go, whose Range and Offsets all others share, then the subject at hand:
//
//   - addresses: url.go canonicalizes, tracker.go and session.go name what is dropped,
//     domain.go finds sites, fragment.go makes links to a quotation
//   - comparing: fold.go folds letters, similar.go and distance.go find near copies,
//     diff.go shows changes
//   - words: tokens.go cuts, word.go stems and folds one word, language.go knows the
//     languages and script.go their letters, detect.go guesses the language
//   - sentences: sentences.go and wrap.go cut, abbreviation.go knows whose point ends none
//   - what a page denies: denial.go and doubt.go, with the words of denial.txt and
//     denialwords.txt; expression.go searches for many expressions at once
//
// It knows nothing of pages or stores, keeps no state a caller can see, and all its
// functions may be called from many goroutines. Every function takes any bytes, also
// invalid UTF-8, and runs in linear time. Values (numbers, dates, money) are read by
// shared/value.
package text
