package manual

import (
	"reflect"
	"strings"
	"testing"
)

const help = `prog does something (gompi 0.1.0).

    prog -n 4     an example

What it is about,
in two lines.

  -n N       how many,
             at most
  -longer-option VALUE
             which one
  --all      all of them

The end.
`

func TestFromHelp(t *testing.T) {
	got := FromHelp("prog", help)
	want := Page{Name: "prog", Section: 1, Names: []string{"prog"}, Title: "does something", Group: "Commands", Parts: []Part{
		{"Description", []Block{{Code: []string{"  prog -n 4     an example"}}, {Text: "What it is about, in two lines."}}},
		{"Options", []Block{{Items: []Item{{Term: "-n N", Text: "how many, at most"}, {Term: "-longer-option VALUE", Text: "which one"},
			{Term: "--all", Text: "all of them"}}}}},
		{"Notes", []Block{{Text: "The end."}}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	usage := FromHelp("prog", "usage: prog [option...]\n\nShows it. And more.\n\n  -h  this\n")
	if usage.Title != "shows it" || usage.Parts[0].Heading != "Synopsis" || usage.Parts[0].Blocks[0].Code[0] != "prog [option...]" {
		t.Errorf("got %+v", usage)
	}
}

func TestWriting(t *testing.T) {
	p := Page{Name: "MPI_Send", Section: 3, Names: []string{"MPI_Send", "MPI_Send_c"}, Title: "sends a message"}
	p.Add("Empty", Text(""))
	p.Add("Description", Text(`A \n is no break. See MPI_Recv and MPI_Nowhere, prog(1).`), Block{Code: []string{".x -y 'z' <a>"}})
	p.Add("Parameters", Block{Items: []Item{{"buf", "[IN]", "one\n.two"}}})
	sections := map[string]int{"MPI_Send": 3, "MPI_Recv": 3, "prog": 1}
	roff := p.Roff("1.0", "2026-01-02", sections)
	for _, want := range []string{
		".TH MPI_SEND 3 \"2026-01-02\" \"gompi 1.0\" \"gompi\"\n", ".SH NAME\nMPI_Send, MPI_Send_c \\- sends a message\n",
		"A \\en is no break.\nSee \\fBMPI_Recv\\fP and MPI_Nowhere, \\fBprog(1)\\fP.\n",
		".nf\n\\&.x \\-y \\(aqz\\(aq <a>\n.fi\n", ".TP\n\\fBbuf\\fP [IN]\none\n.br\n\\&.two\n",
	} {
		if !strings.Contains(roff, want) {
			t.Errorf("no %q in\n%s", want, roff)
		}
	}
	if strings.Contains(roff, "EMPTY") {
		t.Error("an empty part has a heading")
	}
	html := p.HTML(sections, func(name string, section int) string { return name + ".html" })
	for _, want := range []string{"<h1>MPI_Send</h1>\n", `<a href="MPI_Recv.html"><code>MPI_Recv</code></a> and <code>MPI_Nowhere</code>`,
		`<a href="prog.html"><code>prog(1)</code></a>`, "&lt;a&gt;", "<dt><code>buf</code> <span class=\"note\">[IN]</span></dt>\n<dd>one<br>\n.two</dd>"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in\n%s", want, html)
		}
	}
}
