// Package asm holds what only assembly can say: how the library comes up, and how large a goroutine's stack
// is to be.
package asm

// GrowStack grows the calling goroutine's stack, if need be, until 384 KiB are free below the caller's
// frame. It costs a comparison when they are.
func GrowStack()
