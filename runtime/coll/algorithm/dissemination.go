package algorithm

import (
	"gompi/runtime/coll/schedule"
	"gompi/runtime/tool"
)

// Disseminate has all ranks of a group wait for each other: after round k each knows of the 2^(k+1) ranks up
// to its own.
func Disseminate(x *schedule.Exchange) {
	x.CountAlgorithm(tool.Dissemination)
	for k := 1; k < x.Size; k <<= 1 {
		x.Signal((x.Rank+k)%x.Size, (x.Rank-k+x.Size)%x.Size)
	}
}
