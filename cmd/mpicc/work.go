package main

import (
	"os"
	"path/filepath"
	"strings"
)

// work is what a compiler makes of its arguments, as far as it decides about
// the flags that the wrapper adds.
type work struct {
	input  bool // there is something to compile or link
	stops  bool // the compiler stops short of linking against libraries
	others bool // there are sources of another language than Fortran
}

func (w work) links() bool { return w.input && !w.stops }

// stopping holds the options that end the work before the linker, or let the
// linker join objects without any library (-r).
var stopping = set(
	"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "-Wl,-r",
	"--compile", "--assemble", "--preprocess", "--dependencies", "--user-dependencies",
	"--analyze", "-emit-ast", "--precompile",
)

// valued holds the options of gcc and clang whose value is the next word.
var valued = set(
	"-o", "-x", "-I", "-L", "-l", "-D", "-U", "-A", "-B", "-T", "-u", "-z", "-e", "-F", "-G", "-h", "-R",
	"-MF", "-MT", "-MQ", "-MJ",
	"-include", "-imacros", "-include-pch", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
	"-isysroot", "-isystem", "-isystem-after", "-iquote", "-imultilib", "-iframework", "-ivfsoverlay",
	"-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-Xanalyzer", "-mllvm", "-Xopenmp-target",
	"-aux-info", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-wrapper", "-specs", "--param",
	"-arch", "-target", "-framework", "--sysroot", "--config", "--output", "--language",
	"--include-directory", "--define-macro", "--undefine-macro", "-gcc-toolchain", "-working-directory",
)

// headers are the endings of files that are precompiled, never linked.
var headers = set(".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".tcc")

// otherSources are the endings of sources that gfortran leaves to compilers of other languages.
var otherSources = set(".c", ".i", ".C", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".ii", ".m", ".mi", ".mm",
	".M", ".mii", ".S", ".sx")

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, word := range words {
		m[word] = true
	}
	return m
}

func takesValue(arg string) bool { return valued[arg] }

// maxResponseDepth ends the reading of response files that name each other in a
// circle, about which the compiler itself will complain.
const maxResponseDepth = 16

// workOf finds out what the arguments make the compiler do. Response files
// (@file) are looked into, since -c may stand there.
func workOf(args []string, depth int) work {
	var (
		w           work
		onlyHeaders = true
		language    string
	)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "":
		case stopping[arg]:
			w.stops = true
		case arg == "-x" && i+1 < len(args):
			i++
			language = args[i]
		case strings.HasPrefix(arg, "-x"):
			language = arg[len("-x"):]
		case arg == "-l" || arg == "-Xlinker":
			// Libraries and words for the linker count as something to link.
			i++
			w.input, onlyHeaders = true, false
		case valued[arg]:
			i++
		case strings.HasPrefix(arg, "-l") || strings.HasPrefix(arg, "-Wl,"):
			w.input, onlyHeaders = true, false
		case arg[0] == '-' && arg != "-":
		case arg[0] == '@' && depth < maxResponseDepth:
			inner, ok := workOfResponse(arg[1:], depth)
			if !ok {
				inner = work{input: true} // an ordinary file whose name begins with @
			}
			w.input = w.input || inner.input
			w.stops = w.stops || inner.stops
			w.others = w.others || inner.others
			onlyHeaders = onlyHeaders && !inner.input
		default:
			w.input = true
			w.others = w.others || isOther(arg, language)
			if !isHeader(arg, language) {
				onlyHeaders = false
			}
		}
	}
	if w.input && onlyHeaders {
		w.stops = true
	}
	return w
}

func workOfResponse(path string, depth int) (work, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return work{}, false
	}
	words, err := splitWords(string(text))
	if err != nil {
		return work{}, false
	}
	return workOf(words, depth+1), true
}

// isOther reports whether the file is a source of another language than Fortran; language is what the last -x
// said.
func isOther(path, language string) bool {
	if language == "" || language == "none" {
		return otherSources[filepath.Ext(path)]
	}
	return !strings.HasPrefix(language, "f77") && !strings.HasPrefix(language, "f95")
}

// isHeader reports whether the compiler takes the file for a header; language is
// what the last -x said.
func isHeader(path, language string) bool {
	if language == "" || language == "none" {
		return headers[filepath.Ext(path)]
	}
	return strings.HasSuffix(language, "-header")
}
