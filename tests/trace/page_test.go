package trace

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// headings are the parts of the page, in their order.
var headings = []string{"Over time", "Time of each rank", "Time of each function", "Who waited for whom",
	"Sizes of messages", "All numbers"}

// made is the page of a file.
func made(t *testing.T, file string) (path, text string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "run.html")
	if code, text := command(t, "gompi-info", "--trace", file, "--html", path); code != 0 {
		t.Fatal(text)
	}
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, string(all)
}

// A page of charts that asks for nothing from elsewhere.
func TestPage(t *testing.T) {
	_, file, _ := traced(t, 4, 0, "./late")
	_, text := made(t, file)
	for _, bad := range []string{"<script", "src=", "href=", "http:", "https:", "url(", "NaN", "%!"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	if n := strings.Count(text, "<svg"); n != len(headings)-1+3 || n != strings.Count(text, "</svg>") {
		t.Errorf("%d drawings", n)
	}
	at := 0
	for _, heading := range headings {
		k := strings.Index(text[at:], "<h2>"+heading+"</h2>")
		if k < 0 {
			t.Fatalf("%s is not where it belongs", heading)
		}
		at += k
	}
}

// A page about very many ranks stays one that a browser can show.
func TestPageOfManyRanks(t *testing.T) {
	const ranks, calls = 1000, 40
	var b strings.Builder
	b.WriteString(`{"traceEvents":[`)
	for r := range ranks {
		fmt.Fprintf(&b, `{"name":"process_name","ph":"M","pid":%d,"tid":0,"args":{"name":"rank %d","rank":%d,"size":%d}},`, r, r, r, ranks)
	}
	for r := range ranks {
		for c := range calls {
			fmt.Fprintf(&b, `{"name":"MPI_Recv","ph":"X","pid":%d,"tid":1,"cat":"receive","ts":%d,"dur":%d,"args":{"waited_ns":500,"for":%d,"why":"late sender"}},`,
				r, 100*c+r%7, 1+(r+c)%90, (r+1)%ranks)
		}
	}
	file := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(file, []byte(strings.TrimSuffix(b.String(), ",")+"]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, text := made(t, file); len(text) > 8<<20 {
		t.Errorf("a page of %d MiB", len(text)>>20)
	}
}

// evil is a name of a function that a file may have and a page must not obey.
const evil = `<img src=x onerror="document.title='obeyed'">&amp;</title></pre><script>document.title='obeyed'</script>`

// shown is what a browser makes of a page: its elements after loading, and the size of a picture of it. Any
// message on the console is an error.
func shown(t *testing.T, path string, options ...string) (dom string) {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			browser = found
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium is here to show the page")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	profile := t.TempDir()
	args := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + profile,
		"--enable-logging=stderr", "--log-level=0", "--dump-dom"}, options...)
	cmd := exec.CommandContext(ctx, browser, append(args, "file://"+path)...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, said.String())
	}
	for line := range strings.Lines(said.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the browser says %s", line)
		}
	}
	return string(out)
}

// inner is the text of the elements of that name.
func inner(dom, element string) (all []string) {
	for _, m := range regexp.MustCompile(`(?s)<`+element+`[ >].*?</`+element+`>`).FindAllString(dom, -1) {
		all = append(all, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m, ""))
	}
	return all
}

// A browser shows the page, in a window of any width and in dark colors too.
func TestPageInBrowser(t *testing.T) {
	for _, ranks := range []int{4, 64} {
		_, file, _ := traced(t, ranks, 0, "./late")
		path, _ := made(t, file)
		for _, options := range [][]string{{"--window-size=1200,900"}, {"--window-size=400,700"},
			{"--window-size=1200,900", "--blink-settings=preferredColorScheme=0"}} {
			dom := shown(t, path, options...)
			if got := inner(dom, "h2"); strings.Join(got, ", ") != strings.Join(headings, ", ") {
				t.Errorf("%q: headings %q", options, got)
			}
			if list := strings.Join(inner(dom, "li"), "\n"); !strings.Contains(list, "Others waited longest for rank ") ||
				!strings.Contains(list, "The ranks were in MPI for ") {
				t.Errorf("%q: what comes first is\n%s", options, list)
			}
			texts := strings.Join(inner(dom, "text"), "\n") + "\n"
			for _, want := range []string{"rank " + strconv.Itoa(ranks-1), "MPI_Allreduce", "3-4 B"} {
				if !strings.Contains(texts, want+"\n") {
					t.Errorf("%q: no chart has the label %s", options, want)
				}
			}
			if strings.Count(dom, "<svg") != len(headings)-1+3 {
				t.Errorf("%q: a drawing is missing", options)
			}
		}
	}
}

// What a file says is text of the page and nothing else.
func TestPageObeysNoFile(t *testing.T) {
	text := fmt.Sprintf(`{"traceEvents":[
{"name":"process_name","ph":"M","pid":0,"tid":0,"args":{"name":"rank 0","size":2}},
{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"rank 1","rank":1,"size":2}},
{"name":%[1]q,"ph":"X","pid":0,"tid":1,"cat":"collective","ts":0,"dur":50,"args":{"operation":1,"unfinished":1}},
{"name":%[1]q,"ph":"X","pid":1,"tid":1,"cat":"collective","ts":20,"dur":30,"args":{"operation":1,"for":0,"waited_ns":5,"why":%[1]q}}
]}`, evil)
	file := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	path, page := made(t, file)
	if strings.Contains(page, "<img") || strings.Contains(page, "<script") {
		t.Error("a name has become an element")
	}
	if dom := shown(t, path); strings.Contains(dom, "<title>obeyed") {
		t.Error("a name was carried out")
	}
}
