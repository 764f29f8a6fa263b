package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gompi/internal/manual"
)

// twoPages is a manual of two pages that name each other.
func twoPages() *manual.Manual {
	send := manual.Page{Name: "MPI_Send", Section: 3, Names: []string{"MPI_Send", "MPI_Send_c"}, Title: "sends", Group: "Messages"}
	send.Add("See also", manual.Text("MPI_Recv, MPI_Send_c, MPI_Nowhere"))
	recv := manual.Page{Name: "MPI_Recv", Section: 3, Names: []string{"MPI_Recv"}, Title: "receives", Group: "Messages"}
	recv.Add("See also", manual.Text("MPI_Send_c"))
	return &manual.Manual{Version: "1.0", Pages: []manual.Page{send, recv}}
}

// tree is a tree of sources with the files.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// made is the site of a tree of sources.
func made(root string) (map[string][]byte, error) {
	s := newSite(root)
	if err := s.readPages(); err != nil {
		return nil, err
	}
	s.addManual(twoPages())
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	return files, checkLinks(files)
}

func TestSite(t *testing.T) {
	files, err := made(tree(t, map[string]string{
		"README.md":                   "# Top\n\n[docs/guide.md](docs/guide.md) and [the end](docs/guide.md#the-end), [code](x/a.c), ![p](docs/p.svg)\n",
		"docs/guide.md":               "# The guide\n\n| a | b |\n|---|---|\n| MPI_Send | <b> |\n\n## The end\n\nback to [top](../README.md)\n",
		"docs/" + "internals/deep.md": "# Deep\n",
		"docs/p.svg":                  "<svg/>",
		"x/a.c":                       "#include <mpi.h>\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]string{
		"index.html": {`<a href="docs/guide.html">The guide</a>`, `<a href="docs/guide.html#the-end">the end</a>`, `<a href="x/a.c.html">code</a>`,
			`<img src="docs/p.svg"`, `<a href="docs/internals/deep.html">Deep</a>`, `aria-current="page"`},
		"docs/guide.html":     {`<a href="../index.html">top</a>`, `<div class="wide"><table>`, `href="../assets/style.css"`},
		"x/a.c.html":          {"#include &lt;mpi.h&gt;"},
		"man/MPI_Send.3.html": {`<a href="MPI_Recv.3.html">`, "<code>MPI_Nowhere</code>"},
		"man/MPI_Recv.3.html": {`<a href="MPI_Send.3.html"><code>MPI_Send_c</code></a>`},
		"man/index.html":      {`<a href="MPI_Send.3.html"><code>MPI_Send</code></a>`, "<h2>Messages</h2>"},
		"assets/index.js":     {`["The guide","The end","docs/guide.html#the-end","back to top"]`, `"sends; also MPI_Send_c"`},
		"docs/p.svg":          {"<svg/>"},
	} {
		for _, w := range want {
			if !strings.Contains(string(files[file]), w) {
				t.Errorf("%s has no %s in\n%s", file, w, files[file])
			}
		}
	}
	if strings.Contains(string(files["docs/guide.html"]), "<td><b></td>") {
		t.Error("HTML goes through Markdown")
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	for _, link := range []string{"nowhere.md", "README.md#nowhere", "#nowhere", "x/nowhere.c", "../outside.md", "docs"} {
		root := tree(t, map[string]string{"README.md": "# Top\n\n[a](" + link + ")\n", "docs/p.svg": "<svg/>"})
		_, err := made(root)
		if err == nil || !strings.Contains(err.Error(), "leads nowhere") && !strings.Contains(err.Error(), "no page") {
			t.Errorf("the link to %s is taken: %v", link, err)
		}
	}
}

// All pages of the tree, and no link of them that leads nowhere.
func TestPagesOfTheTree(t *testing.T) {
	files, err := made("..")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 || files["docs/internals/overview.html"] == nil {
		t.Errorf("there are %d files", len(files))
	}
}

// No page is wider than the window, on a telephone as on a screen: tables and code move by themselves.
func TestPagesFitTheWindow(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (make test installs what it can)")
	}
	files, err := made("..")
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{"index.html", "docs/guide.html", "docs/clusters.html", "docs/reports/performance/index.html", "man/MPI_Send.3.html", "man/index.html"}
	var frames strings.Builder
	for _, width := range []int{360, 1400} {
		for _, p := range pages {
			if files[p] == nil {
				t.Fatalf("there is no %s", p)
			}
			frames.WriteString(`<iframe width="` + strconv.Itoa(width) + `" height="900" src="` + p + `"></iframe>`)
		}
	}
	files["wide.html"] = []byte(`<main style="width:1000px">wide</main>`) // which is found
	frames.WriteString(`<iframe width="360" height="900" src="wide.html"></iframe>`)
	files["probe.html"] = []byte("<!doctype html>" + frames.String() + `<pre></pre><script>onload = () => {
		for (const f of document.querySelectorAll("iframe")) {
			const root = f.contentDocument.documentElement;
			document.querySelector("pre").append("page " + f.getAttribute("src") + " " + root.clientWidth + " " + root.scrollWidth + "\n");
		}
	};</script>`)
	out := t.TempDir()
	if err := store(files, out); err != nil {
		t.Fatal(err)
	}
	dom, err := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=20000", "--dump-dom", "file://"+out+"/probe.html").Output()
	if err != nil {
		t.Fatal(err)
	}
	measured := regexp.MustCompile(`(?m)page (\S+) (\d+) (\d+)$`).FindAllStringSubmatch(string(dom), -1)
	if len(measured) != 2*len(pages)+1 {
		t.Fatalf("the browser shows %d pages:\n%.2000s", len(measured), dom)
	}
	for _, m := range measured {
		window, _ := strconv.Atoi(m[2])
		width, _ := strconv.Atoi(m[3])
		if (width > window) != (m[1] == "wide.html") {
			t.Errorf("%s is %d pixels wide in a window of %d", m[1], width, window)
		}
	}
}
