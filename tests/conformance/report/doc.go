// Package report keeps the results of tests and shows them: the table of what passes, beside what another
// implementation passes on the same machine, and the tests that make the difference, with the reason.
package report
