package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gompi/api"
	"gompi/internal/manual"
	"gompi/internal/raises"
	"gompi/runtime/tool"
)

// manualWriter makes the pages of the manual.
type manualWriter struct {
	*generator
	texts  *api.Manual
	errors *raises.Tree
	common map[raises.Error]bool // what any communication can raise
}

// writeManual writes the manual below a folder: man1, man3 and man7, and all of it in manual.json for the
// web.
// help is a folder with what each command prints when it is asked for help, in a file of the command's name.
func writeManual(root, help, out, version, date string) error {
	d, err := api.Load()
	if err != nil {
		return err
	}
	w := &manualWriter{generator: &generator{Description: d}}
	if w.texts, err = api.LoadManual(d); err != nil {
		return err
	}
	if w.done, err = implemented(d, filepath.Join(root, "mpi")); err != nil {
		return err
	}
	if err := w.readErrors(root); err != nil {
		return err
	}
	m := manual.Manual{Version: version}
	commands, err := commandPages(help)
	if err != nil {
		return err
	}
	m.Pages = append(commands, settingsPage(commands))
	for _, c := range d.Chapters {
		for _, f := range w.functions(c) {
			m.Pages = append(m.Pages, w.page(c, f))
		}
	}
	return storeManual(&m, out, date)
}

// storeManual writes the files, and removes those of functions and commands that are no more.
func storeManual(m *manual.Manual, out, date string) error {
	files := map[string]string{}
	sections := m.Sections()
	for _, p := range m.Pages {
		folder := fmt.Sprintf("man%d", p.Section)
		file := func(name string) string { return fmt.Sprintf("%s/%s.%d", folder, name, p.Section) }
		files[file(p.Name)] = p.Roff(m.Version, date, sections)
		for _, name := range p.Names {
			if name != p.Name {
				files[file(name)] = ".so " + file(p.Name) + "\n"
			}
		}
	}
	encoded, err := m.Encode()
	if err != nil {
		return err
	}
	files["manual.json"] = string(encoded)
	old, err := filepath.Glob(filepath.Join(out, "man?", "*"))
	if err != nil {
		return err
	}
	for _, path := range old {
		below, err := filepath.Rel(out, path)
		if err != nil {
			return err
		}
		if _, ok := files[filepath.ToSlash(below)]; !ok {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return write(out, files)
}

// otherNames are the names of links to commands.
var otherNames = map[string][]string{
	"mpicc":   {"mpicc_abi"},
	"mpicxx":  {"mpic++", "mpiCC", "mpicxx_abi"},
	"mpifort": {"mpif77", "mpif90", "mpifort_abi"},
	"mpiexec": {"mpirun"},
}

// commandPages makes the pages of commands out of their help.
func commandPages(folder string) ([]manual.Page, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var pages []manual.Page
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		p := manual.FromHelp(e.Name(), string(text))
		p.Names = append(p.Names, otherNames[p.Name]...)
		pages = append(pages, p)
	}
	for i := range pages {
		var others []string
		for j := range pages {
			if i != j {
				others = append(others, pages[j].Name+"(1)")
			}
		}
		pages[i].Add("See also", manual.Text(strings.Join(append(others, "gompi(7)"), ", ")))
	}
	return pages, nil
}

// settingsPage is the page on gompi itself, with its environment variables.
func settingsPage(commands []manual.Page) manual.Page {
	p := manual.Page{Name: "gompi", Section: 7, Names: []string{"gompi"}, Title: "an implementation of MPI, the Message Passing Interface", Group: "Commands"}
	p.Add("Description",
		manual.Text("gompi is a library and a launcher for programs that use MPI 5.0.", "Programs in C, C++ and Fortran are compiled with mpicc(1), mpicxx(1) and mpifort(1) and started by mpiexec(1).",
			"Each function of MPI has a page in section 3, such as MPI_Send.", "gompi-info(1) shows the settings and what can be measured, gompi-top(1) what a job does while it runs."),
		manual.Text("Functions return MPI_SUCCESS or an error code.", "At first errors end the job with one line that says what is wrong; MPI_Comm_set_errhandler has functions return the code instead, and MPI_Error_string has the text."))
	var items []manual.Item
	for _, s := range tool.All() {
		note := ""
		if s.Default != "" {
			note = "(default " + strings.TrimSpace(s.Default+" "+s.Unit) + ")"
		}
		items = append(items, manual.Item{Term: s.Env, Note: note, Text: s.Help})
	}
	p.Add("Environment", manual.Text("Nothing has to be set.", "These variables are for measuring and for odd machines.", "They are control variables of MPI_T, too."), manual.Block{Items: items})
	var names []string
	for _, c := range commands {
		names = append(names, c.Name+"(1)")
	}
	p.Add("See also", manual.Text(strings.Join(names, ", ")))
	return p
}
