package wstk

// Version of the product. Releases set the program's own from the same file.
const Version = "0.1.0"
