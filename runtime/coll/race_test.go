//go:build race

package coll_test

// raceEnabled shortens the tests: the race detector makes them many times slower.
const raceEnabled = true
