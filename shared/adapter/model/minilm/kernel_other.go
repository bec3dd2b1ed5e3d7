//go:build !amd64

package minilm

var best = plain
