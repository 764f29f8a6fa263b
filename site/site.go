package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"gompi/internal/manual"
)

// site collects the pages.
type site struct {
	root    string
	version string
	pages   map[string]*page  // by the path of the file on the site
	copies  map[string]string // files as they are: their path in the tree, by that on the site
	queue   []string          // Markdown that was named and is still to be read
}

// page is one page of the site.
type page struct {
	file     string // on the site
	title    string
	body     string // HTML
	sections []section
}

// section is what the search finds of a page: what stands below one heading.
type section struct {
	heading, anchor, text string
}

func newSite(root string) *site {
	return &site{root: root, pages: map[string]*page{}, copies: map[string]string{}}
}

// group is a part of the list of pages, in the order of the list.
type group struct {
	title string
	pages []string // paths of Markdown in the tree
}

// groups are the list of pages. Pages of docs that stand in none are listed at the end.
var groups = []group{
	{"Start", []string{"README.md", "docs/guide.md", "docs/examples.md", "docs/from-mpich-and-openmpi.md", "docs/pains.md"}},
	{"Use", []string{"docs/p2p.md", "docs/datatypes.md", "docs/collectives.md", "docs/topologies.md", "docs/windows.md", "docs/io.md",
		"docs/lifetimes.md", "docs/processes.md", "docs/recovery.md", "docs/fortran.md", "docs/cxx.md"}},
	{"Run", []string{"docs/clusters.md", "docs/administration.md", "docs/settings.md", "docs/checks.md", "docs/tools.md", "docs/tracing.md"}},
	{"Facts", []string{"docs/coverage.md", "docs/changes.md", "docs/conformance.md", "docs/conformance-nodes.md", "docs/programs.md",
		"docs/reports/performance/README.md", "docs/reports/nodes/README.md", "docs/reports/soak/README.md"}},
	{"Inside", []string{"docs/design.md", "docs/internals/overview.md"}},
}

// labels are what pages are called in the list where their own titles do not tell them apart.
var labels = map[string]string{
	"docs/reports/performance/index.html": "Performance",
	"docs/reports/nodes/index.html":       "Performance between hosts",
	"docs/design.html":                    "The design",
}

// label is what a page is called in the list.
func (p *page) label() string {
	if l := labels[p.file]; l != "" {
		return l
	}
	return p.title
}

// readPages reads all Markdown of docs and whatever that leads to.
func (s *site) readPages() error {
	for _, g := range groups {
		for _, p := range g.pages {
			if _, err := os.Stat(filepath.Join(s.root, p)); err == nil {
				s.want(p)
			}
		}
	}
	err := filepath.WalkDir(filepath.Join(s.root, "docs"), func(full string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(full) != ".md" {
			return err
		}
		below, err := filepath.Rel(s.root, full)
		s.want(filepath.ToSlash(below))
		return err
	})
	for err == nil && len(s.queue) > 0 {
		next := s.queue[0]
		s.queue = s.queue[1:]
		err = s.read(next)
	}
	return err
}

// address is where a file of the tree is on the site.
func address(file string) string {
	switch {
	case path.Base(file) == "README.md":
		return path.Join(path.Dir(file), "index.html")
	case path.Ext(file) == ".md":
		return strings.TrimSuffix(file, ".md") + ".html"
	case isPicture(file):
		return file
	}
	return file + ".html"
}

func isPicture(file string) bool {
	return slices.Contains([]string{".svg", ".png", ".jpg"}, path.Ext(file))
}

// want sees to it that a file of the tree is on the site and returns its address there.
func (s *site) want(file string) string {
	to := address(file)
	if s.pages[to] != nil || s.copies[to] != "" {
		return to
	}
	if isPicture(file) {
		s.copies[to] = file
		return to
	}
	s.pages[to] = &page{file: to}
	s.queue = append(s.queue, file)
	return to
}

// read makes the page of a file.
func (s *site) read(file string) error {
	text, err := os.ReadFile(filepath.Join(s.root, file))
	if err != nil {
		return err
	}
	p := s.pages[address(file)]
	if path.Ext(file) == ".md" {
		return s.markdown(p, file, text)
	}
	p.title = path.Base(file)
	p.body = fmt.Sprintf("<h1>%s</h1>\n<pre><code>%s</code></pre>\n", escape(file), escape(string(text)))
	return nil
}

// manualFile is the address of a page of the manual.
func manualFile(name string, section int) string { return fmt.Sprintf("man/%s.%d.html", name, section) }

// manualIndex is the page that lists the manual.
const manualIndex = "man/index.html"

// addManual adds the pages of the manual and their list.
func (s *site) addManual(m *manual.Manual) {
	sections := m.Sections()
	pageOf := map[string]string{} // of each name
	for _, p := range m.Pages {
		for _, name := range p.Names {
			pageOf[name] = p.Name
		}
	}
	link := func(name string, section int) string { return path.Base(manualFile(pageOf[name], section)) }
	var list strings.Builder
	list.WriteString("<h1>Functions and commands</h1>\n")
	group := ""
	for _, p := range m.Pages {
		file := manualFile(p.Name, p.Section)
		also := ""
		if len(p.Names) > 1 {
			also = "; also " + strings.Join(p.Names[1:], ", ")
		}
		s.pages[file] = &page{file: file, title: p.Name, body: p.HTML(sections, link),
			sections: []section{{heading: p.Name, text: p.Title + also}}}
		if p.Group != group {
			if group != "" {
				list.WriteString("</dl>\n")
			}
			group = p.Group
			fmt.Fprintf(&list, "<h2>%s</h2>\n<dl class=\"list\">\n", escape(group))
		}
		fmt.Fprintf(&list, "<dt><a href=\"%s\"><code>%s</code></a></dt><dd>%s</dd>\n", path.Base(file), escape(p.Name), escape(p.Title))
	}
	list.WriteString("</dl>\n")
	s.pages[manualIndex] = &page{file: manualIndex, title: "Functions and commands", body: list.String(),
		sections: []section{{heading: "Functions and commands", text: "manual man pages"}}}
}

// files makes all files of the site.
func (s *site) files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for to, from := range s.copies {
		content, err := os.ReadFile(filepath.Join(s.root, from))
		if err != nil {
			return nil, err
		}
		files[to] = content
	}
	index, err := s.searchIndex()
	if err != nil {
		return nil, err
	}
	files["assets/index.js"] = index
	for _, name := range []string{"style.css", "search.js", "icon.svg"} {
		content, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		files["assets/"+name] = content
	}
	list := s.list()
	for _, p := range s.pages {
		content, err := s.framed(p, list)
		if err != nil {
			return nil, err
		}
		files[p.file] = content
	}
	return files, nil
}

// list is the list of pages for the frame: groups, and what stands in none.
func (s *site) list() []listed {
	var all []listed
	in := map[string]bool{}
	for _, g := range groups {
		l := listed{Title: g.title}
		for _, file := range g.pages {
			if p := s.pages[address(file)]; p != nil {
				l.Pages = append(l.Pages, listedPage{p.file, p.label()})
				in[p.file] = true
			}
		}
		if g.title == "Inside" {
			l.Pages = append(l.Pages, s.others("docs/internals/", in)...)
		}
		all = append(all, l)
	}
	all = slices.Insert(all, 2, listed{"Look up", []listedPage{{manualIndex, "Functions and commands"}}})
	if more := s.others("docs/", in); more != nil {
		all = append(all, listed{"More", more})
	}
	return all
}

// others are the pages below a folder that are not listed yet.
func (s *site) others(folder string, in map[string]bool) []listedPage {
	var all []listedPage
	for file, p := range s.pages {
		if strings.HasPrefix(file, folder) && !in[file] && p.title != "" && !strings.Contains(file, "/reports/") {
			in[file] = true
			all = append(all, listedPage{file, p.label()})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Title < all[j].Title })
	return all
}
