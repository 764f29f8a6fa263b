// Package source obtains MPICH's test suite: from a folder that is there, or as Debian's source package,
// downloaded once and kept.
//
// It works with a private configuration of apt (lists, cache and sources of its own), so that nothing of the
// system's is changed and no privilege is needed. It knows nothing of what is in the suite.
package source
