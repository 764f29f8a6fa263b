// Package algorithm is the algorithms of collective operations that go by messages, each in a file of its
// own. They are written in the methods of schedule.Exchange, so each is carried out as it is called, or
// written down. None looks at data, so what a rank has to do is known beforehand.
package algorithm
