package main

import (
	"fmt"
	"io"
)

// printHelp writes the manual.
func printHelp(w io.Writer, name string) {
	fmt.Fprintf(w, `%[1]s starts an MPI program as several processes, its ranks.

  %[1]s -n 4 ./prog arguments           four ranks of one program
  %[1]s -n 1 ./boss : -n 3 ./worker     one job of several programs
  %[1]s -hosts node1:4,node2:4 ./prog   eight ranks on two hosts, reached by ssh

Options (one or two dashes, "-opt value" or "--opt=value"):
`, name)
	for _, o := range working() {
		if o.usage != "" {
			fmt.Fprintf(w, "  %-26s %s\n", o.usage, o.help)
		}
	}
	fmt.Fprintf(w, `
Options of other launchers that make no difference here are accepted: --oversubscribe, --allow-run-as-root,
--bind-to, --map-by, --mca and so on. More ranks than cores need no option.

Output comes in whole lines. On a terminal, ranks find a terminal too. Rank 0 reads standard input.
Signals go on to the ranks; a second Ctrl-C ends the job at once.

The exit code is 0, or that of the rank that failed first: 128 plus the signal for a rank that was killed, 124 when
--timeout ended the job, 126 and 127 for a program that cannot be run or does not exist.
`)
}
