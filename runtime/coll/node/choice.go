package node

import "gompi/runtime/tool"

// Choice is how an operation goes.
type Choice struct {
	By     tool.Algorithm
	Single singly
}

// singly is whether data is read out of its owner's memory instead.
type singly uint8

const (
	Never   singly = iota
	Quicker        // where that is found to be quicker
	Always         // where it has no gaps
)
