package pmix

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compile compiles C with the headers of this folder.
func compile(t *testing.T, text string, args ...string) error {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "text.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("gcc", append([]string{"-Wall", "-Wextra", "-Werror", "-I", here, file}, args...)...).CombinedOutput()
	if err != nil {
		t.Logf("%s", out)
	}
	return err
}

// headers is where the headers of PMIx are installed; "" when they are not.
func headers() string {
	places, _ := filepath.Glob("/usr/lib/*/pmix2/include/pmix.h")
	for _, place := range append(places, "/usr/include/pmix.h", "/usr/local/include/pmix.h") {
		if _, err := os.Stat(place); err == nil {
			return filepath.Dir(place)
		}
	}
	return ""
}

// assertions compare the declarations of abi.h with others of the same things.
const assertions = `
#include <stddef.h>
#include "abi.h"
#define SAME(what, a, b) _Static_assert((long long)(a) == (long long)(b), what)
#define FIELD(ours, theirs, a, b) \
	SAME(#a " begins elsewhere", offsetof(struct ours, a), offsetof(theirs, b)); \
	SAME(#a " has another size", sizeof(((struct ours *)0)->a), sizeof(((theirs *)0)->b))
SAME("a process", sizeof(struct gompi_pmix_proc), sizeof(pmix_proc_t));
FIELD(gompi_pmix_proc, pmix_proc_t, nspace, nspace);
FIELD(gompi_pmix_proc, pmix_proc_t, rank, rank);
SAME("a value", sizeof(struct gompi_pmix_value), sizeof(pmix_value_t));
FIELD(gompi_pmix_value, pmix_value_t, type, type);
FIELD(gompi_pmix_value, pmix_value_t, data.flag, data.flag);
FIELD(gompi_pmix_value, pmix_value_t, data.number, data.integer);
FIELD(gompi_pmix_value, pmix_value_t, data.uint16, data.uint16);
FIELD(gompi_pmix_value, pmix_value_t, data.uint32, data.uint32);
FIELD(gompi_pmix_value, pmix_value_t, data.string, data.string);
SAME("an info", sizeof(struct gompi_pmix_info), sizeof(pmix_info_t));
FIELD(gompi_pmix_info, pmix_info_t, key, key);
FIELD(gompi_pmix_info, pmix_info_t, flags, flags);
FIELD(gompi_pmix_info, pmix_info_t, value, value);
SAME("success", GOMPI_PMIX_SUCCESS, PMIX_SUCCESS);
SAME("bool", GOMPI_PMIX_BOOL, PMIX_BOOL);
SAME("string", GOMPI_PMIX_STRING, PMIX_STRING);
SAME("int", GOMPI_PMIX_INT, PMIX_INT);
SAME("uint16", GOMPI_PMIX_UINT16, PMIX_UINT16);
SAME("uint32", GOMPI_PMIX_UINT32, PMIX_UINT32);
SAME("global", GOMPI_PMIX_GLOBAL, PMIX_GLOBAL);
SAME("action complete", GOMPI_PMIX_EVENT_ACTION_COMPLETE, PMIX_EVENT_ACTION_COMPLETE);
SAME("lost connection", GOMPI_PMIX_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION);
SAME("undefined rank", GOMPI_PMIX_RANK_UNDEF, PMIX_RANK_UNDEF);
SAME("all ranks", GOMPI_PMIX_RANK_WILDCARD, (uint32_t)(PMIX_RANK_WILDCARD));
`

// theirs is the part of the headers that is used, for machines without them.
const theirs = `
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/time.h>
typedef struct { char nspace[256]; uint32_t rank; } pmix_proc_t;
typedef struct { uint16_t type; union { bool flag; int integer; uint16_t uint16; uint32_t uint32; char *string;
	struct timeval tv; struct { char *bytes; size_t size; } bo; struct { char *a, *b; char c; } envar; } data; } pmix_value_t;
typedef struct { char key[512]; uint32_t flags; pmix_value_t value; } pmix_info_t;
enum { PMIX_SUCCESS = 0, PMIX_BOOL = 1, PMIX_STRING = 3, PMIX_INT = 6, PMIX_UINT16 = 13, PMIX_UINT32 = 14, PMIX_GLOBAL = 3,
	PMIX_EVENT_ACTION_COMPLETE = -334, PMIX_ERR_LOST_CONNECTION = -61 };
#define PMIX_RANK_UNDEF UINT32_MAX
#define PMIX_RANK_WILDCARD UINT32_MAX-1
`

// abi.h says the same as the standard's headers, or as what they say wherever they are not installed.
func TestDeclarations(t *testing.T) {
	text, args := theirs+assertions, []string{"-fsyntax-only"}
	if err := compile(t, text, args...); err != nil {
		t.Errorf("abi.h differs from what was noted of the headers: %v", err)
	}
	if folder := headers(); folder != "" {
		text = "#include <pmix.h>\n" + assertions
		if err := compile(t, text, append(args, "-isystem", folder)...); err != nil {
			t.Errorf("abi.h differs from the headers in %s: %v", folder, err)
		}
	}
	wrong := strings.Replace(assertions, "GOMPI_PMIX_INT, PMIX_INT", "GOMPI_PMIX_INT, PMIX_UINT16", 1)
	if compile(t, theirs+wrong, args...) == nil {
		t.Error("a wrong constant is not noticed")
	}
}
