// Package match says what a message and a receive have in common (MPI 5.0, 3.5).
package match

// Wildcards in a Key, with the values that the standard ABI gives them.
const (
	AnySource int32 = -1
	AnyTag    int32 = -2
)

// Key is by what messages and receives are matched.
type Key struct {
	Ctx uint32 // matching context
	Src int32  // rank, or AnySource
	Tag int32  // tag, or AnyTag
}
