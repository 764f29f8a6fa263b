package fabric

import "errors"

// BuiltIn is the provider of package builtin, which is no part of libfabric.
const BuiltIn = "builtin"

// ErrNoLibrary is that libfabric cannot be loaded.
var ErrNoLibrary = errors.New("libfabric cannot be used")

// Opening says which endpoint is wanted.
type Opening struct {
	File   string // of libfabric; "" for that of the system
	Wish   Wish
	Source string // address of the interface; "" for the best
	Forced bool   // the user has named that interface
	Options
}

// Opened is an endpoint with what ranks have to have in common.
type Opened struct {
	Endpoint Endpoint
	Provider string
	Version  Version
}

// Opener opens an endpoint, as libfabric.Connect does.
type Opener func(Opening) (Opened, error)
