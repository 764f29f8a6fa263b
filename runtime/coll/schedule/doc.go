// Package schedule is what a rank does in a collective operation by itself and by messages: an Exchange
// carries it out as it is called, or writes it down as a Schedule, with which the engine goes on whenever
// messages have come. So an algorithm by messages is written once, whether its operation blocks or not.
package schedule
