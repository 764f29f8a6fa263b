package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// reportName is the page. Beside it are a file of results for each kind of processor, and the kind's charts
// in a folder of the same name.
const reportName = "README.md"

// page is a report on result files.
type page struct {
	folder  string // of the page and its charts
	results string // the folder of the result files, as seen from the page; "" where it is the page's own
	summary bool   // with the overviews as the only charts
	more    string // what leads to a page with all charts, "" for nothing
}

// writeReport writes the pages on result files of opt.folder(), all of them if none is named. What is checked
// in has the charts that sum a kind up; a page with all charts is written beside what is built.
func writeReport(opt options, files ...string) error {
	all, err := opt.read(files...)
	if err != nil {
		return err
	}
	pages, err := opt.pages()
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := p.write(all); err != nil {
			return err
		}
	}
	return nil
}

// read reads result files, those of opt.folder() if none is named.
func (opt options) read(files ...string) ([]*results, error) {
	if len(files) == 0 {
		found, err := filepath.Glob(filepath.Join(opt.folder(), "*.json"))
		if err != nil {
			return nil, err
		}
		files = found
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no results in %s", opt.folder())
	}
	var all []*results
	for _, file := range files {
		r, err := readJSON(file)
		if err != nil {
			return nil, err
		}
		if strings.TrimSuffix(filepath.Base(file), ".json") != r.machine.fileName() {
			return nil, fmt.Errorf("%s holds results of %s, whose name is %s.json", file, r.machine.kind(),
				r.machine.fileName())
		}
		all = append(all, r)
	}
	return all, nil
}

// pages are those to write. Where all charts have a folder of their own, the report has the overviews alone.
func (opt options) pages() ([]page, error) {
	if opt.charts == "" {
		return []page{{folder: opt.folder()}}, nil
	}
	results, err := relative(opt.charts, opt.folder())
	if err != nil {
		return nil, err
	}
	where, err := relative(opt.root, opt.charts)
	if err != nil {
		return nil, err
	}
	more := fmt.Sprintf("\n`make bench-report` draws the charts of all benchmarks, into `%s/`.", where)
	return []page{
		{folder: opt.folder(), summary: true, more: more},
		{folder: opt.charts, results: results},
	}, nil
}

// relative names a path as seen from a folder, in the way of links.
func relative(from, to string) (string, error) {
	from, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	to, err = filepath.Abs(to)
	if err != nil {
		return "", err
	}
	path, err := filepath.Rel(from, to)
	return filepath.ToSlash(path), err
}

// write writes the page and its charts.
func (p page) write(all []*results) error {
	var charts []map[string]bool
	for _, r := range all {
		drawn, err := p.writeCharts(r)
		if err != nil {
			return err
		}
		charts = append(charts, drawn)
	}
	var text bytes.Buffer
	view := reportView{p, all, charts, 100 * confidence, 100 * narrow}
	if err := report.ExecuteTemplate(&text, "report", view); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.folder, reportName), text.Bytes(), 0o644)
}

// writeCharts draws the tables and says which could be drawn. Charts of an earlier report that are not drawn
// again are removed.
func (p page) writeCharts(r *results) (map[string]bool, error) {
	folder := filepath.Join(p.folder, r.machine.fileName())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil {
		return nil, err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	charts := map[string]bool{}
	var problems []error
	draw := func(name string, write func(path string) (bool, error)) {
		drawn, err := write(filepath.Join(folder, name+".svg"))
		if err != nil {
			problems = append(problems, fmt.Errorf("chart %s: %w", name, err))
		}
		charts[name] = drawn
	}
	if !p.summary {
		for _, t := range r.tables {
			draw(t.name, func(path string) (bool, error) { return writeChart(path, r, t) })
		}
	}
	draw(overviewName, func(path string) (bool, error) { return writeOverview(path, r) })
	return charts, errors.Join(problems...)
}
