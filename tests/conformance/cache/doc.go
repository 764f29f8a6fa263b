// Package cache keeps, in a folder of the user's, what runs of different clones have in common: the suite,
// and its programs. Each entry is a folder that is named by a key of all that its contents depend on.
//
// Any number of processes may use a cache at a time. What is put into an entry appears under its name when it
// is complete. The number of entries of a kind is bounded: when one is made, those go that were used longest
// ago, except for those in use.
package cache
