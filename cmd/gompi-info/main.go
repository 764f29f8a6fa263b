// Gompi-info shows which gompi this is, what can be set and what can be watched. It reads nothing but the environment.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"

	"gompi/runtime/tool"
)

// version is set when the command is built.
var version = "unknown"

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: gompi-info\nIt shows the version, the settings with their values here, and the counters and events of MPI_T.")
		os.Exit(2)
	}
	if err := show(os.Stdout, os.Getenv); err != nil {
		fmt.Fprintf(os.Stderr, "gompi-info: %v\n", err)
		os.Exit(1)
	}
}

// show writes the page. A setting that makes no sense is shown as what it is, and is the error.
func show(out io.Writer, getenv func(string) string) error {
	settings, wrong := tool.Read(getenv)
	fmt.Fprintf(out, "gompi %s, MPI 5.0, standard ABI (libmpi_abi.so.1), %s/%s, %s\n", version, runtime.GOOS, runtime.GOARCH, runtime.Version())

	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\nSettings (environment variables; control variables of MPI_T)\n")
	for _, c := range tool.Controls() {
		value := getenv(c.Env)
		mark := "*" // set here
		if value == "" {
			value, mark = c.Default, " "
		} else if !c.Text && c.Enum != nil && wrong == nil {
			value = c.Enum.Items[c.Read(&settings)]
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\n", mark, c.Env, value, c.Help)
	}
	fmt.Fprint(w, "\nPerformance variables of MPI_T\n")
	for _, p := range tool.Performances() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", p.Name, p.Category, p.Help)
	}
	fmt.Fprint(w, "\nEvents of MPI_T\n")
	for _, e := range tool.Events() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", e.Name, e.Category, e.Help)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return wrong
}
