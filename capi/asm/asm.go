// Package asm holds what only assembly can say: how the library comes up, and how large a goroutine's stack
// is to be.
package asm

// GrowStack grows the calling goroutine's stack, if need be, until 1984 KiB are free below the caller's
// frame. Go makes stacks of powers of two, so it has 2 MiB then. The kernel provides the pages that are
// touched. It costs a comparison when the stack is large enough.
func GrowStack()
