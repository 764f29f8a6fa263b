package datatype

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cTypes says of each predefined type as which C type its elements are declared; the Fortran types by the C
// type of the same representation. PAIR(T) is what MPI 5.0, 6.9.4, describes for a value and its int.
var cTypes = map[string]string{
	"MPI_AINT": "intptr_t", "MPI_COUNT": "int64_t", "MPI_OFFSET": "int64_t", "MPI_PACKED": "char",
	"MPI_SHORT": "short", "MPI_INT": "int", "MPI_LONG": "long", "MPI_LONG_LONG_INT": "long long",
	"MPI_UNSIGNED_SHORT": "unsigned short", "MPI_UNSIGNED": "unsigned", "MPI_UNSIGNED_LONG": "unsigned long",
	"MPI_UNSIGNED_LONG_LONG": "unsigned long long",
	"MPI_FLOAT":              "float", "MPI_C_COMPLEX": "float _Complex", "MPI_CXX_FLOAT_COMPLEX": "float _Complex",
	"MPI_DOUBLE": "double", "MPI_C_DOUBLE_COMPLEX": "double _Complex", "MPI_CXX_DOUBLE_COMPLEX": "double _Complex",
	"MPI_LOGICAL": "int", "MPI_INTEGER": "int", "MPI_REAL": "float", "MPI_COMPLEX": "float _Complex",
	"MPI_DOUBLE_PRECISION": "double", "MPI_DOUBLE_COMPLEX": "double _Complex", "MPI_CHARACTER": "char",
	"MPI_LONG_DOUBLE": "long double", "MPI_C_LONG_DOUBLE_COMPLEX": "long double _Complex",
	"MPI_CXX_LONG_DOUBLE_COMPLEX": "long double _Complex",
	"MPI_FLOAT_INT":               "PAIR(float)", "MPI_DOUBLE_INT": "PAIR(double)", "MPI_LONG_INT": "PAIR(long)",
	"MPI_2INT": "PAIR(int)", "MPI_SHORT_INT": "PAIR(short)", "MPI_LONG_DOUBLE_INT": "PAIR(long double)",
	"MPI_2REAL": "struct {float a, b;}", "MPI_2DOUBLE_PRECISION": "struct {double a, b;}", "MPI_2INTEGER": "PAIR(int)",
	"MPI_C_BOOL": "_Bool", "MPI_CXX_BOOL": "_Bool", "MPI_WCHAR": "wchar_t",
	"MPI_INT8_T": "int8_t", "MPI_UINT8_T": "uint8_t", "MPI_CHAR": "char", "MPI_SIGNED_CHAR": "signed char",
	"MPI_UNSIGNED_CHAR": "unsigned char", "MPI_BYTE": "char", "MPI_INT16_T": "int16_t", "MPI_UINT16_T": "uint16_t",
	"MPI_INT32_T": "int32_t", "MPI_UINT32_T": "uint32_t", "MPI_INT64_T": "int64_t", "MPI_UINT64_T": "uint64_t",
	"MPI_LOGICAL1": "int8_t", "MPI_INTEGER1": "int8_t", "MPI_LOGICAL2": "int16_t", "MPI_INTEGER2": "int16_t",
	"MPI_REAL2": "_Float16", "MPI_LOGICAL4": "int32_t", "MPI_INTEGER4": "int32_t", "MPI_REAL4": "float",
	"MPI_COMPLEX4": "struct {_Float16 re, im;}", "MPI_LOGICAL8": "int64_t", "MPI_INTEGER8": "int64_t",
	"MPI_REAL8": "double", "MPI_COMPLEX8": "float _Complex", "MPI_LOGICAL16": "__int128", "MPI_INTEGER16": "__int128",
	"MPI_REAL16": "_Float128", "MPI_COMPLEX16": "double _Complex", "MPI_COMPLEX32": "_Float128 _Complex",
}

func TestLayoutsAreThoseOfTheCompiler(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	var src strings.Builder
	src.WriteString("#include <stdint.h>\n#include <stdio.h>\n#include <wchar.h>\n#define PAIR(T) struct {T v; int i;}\nint main(void) {\n")
	for _, typ := range All() {
		c, ok := cTypes[typ.Name()]
		if !ok {
			t.Errorf("%s is not in the test's table", typ.Name())
			continue
		}
		fmt.Fprintf(&src, "{typedef %s T; printf(\"%s %%zu %%zu\\n\", sizeof(T), _Alignof(T));}\n", c, typ.Name())
	}
	src.WriteString("return 0;}\n")
	dir := t.TempDir()
	prog, file := filepath.Join(dir, "layout"), filepath.Join(dir, "layout.c")
	if err := os.WriteFile(file, []byte(src.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-o", prog, file).CombinedOutput(); err != nil {
		t.Skipf("gcc: %v\n%s", err, out)
	}
	cmd := exec.Command(prog)
	cmd.WaitDelay = time.Minute
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*Type{}
	for _, typ := range All() {
		byName[typ.Name()] = typ
	}
	for line := range strings.Lines(string(out)) {
		var name string
		var size, align int64
		if _, err := fmt.Sscan(line, &name, &size, &align); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if typ := byName[name]; typ.Extent() != size || typ.Align() != align {
			t.Errorf("%s: extent %d, align %d; the compiler says %d, %d", name, typ.Extent(), typ.Align(), size, align)
		}
	}
}

func TestPredefinedTypesAreConsistent(t *testing.T) {
	if n := len(All()); n != len(cTypes) {
		t.Errorf("%d predefined types, want %d", n, len(cTypes))
	}
	for _, typ := range All() {
		if ByHandle(typ.Handle()) != typ {
			t.Errorf("%s: ByHandle(%#x) finds something else", typ.Name(), typ.Handle())
		}
		if typ.dense != (typ.size == typ.extent && typ.body == nil) {
			t.Errorf("%s: dense %v with size %d, extent %d", typ.Name(), typ.dense, typ.size, typ.extent)
		}
		// MPI 5.0, 20.3: bits 3 to 5 of a fixed-size type's handle are the binary logarithm of its size.
		if h := typ.Handle(); h >= 0x240 && typ.Size() != 1<<(h>>3&7) {
			t.Errorf("%s: size %d does not fit its handle %#x", typ.Name(), typ.Size(), h)
		}
	}
	for _, h := range []uint32{0, 0x100, 0x1ff, 0x200, 0x204, 0x2ec, 0x300, 1 << 31, ^uint32(0)} {
		if typ := ByHandle(h); typ != nil {
			t.Errorf("ByHandle(%#x) = %s", h, typ.Name())
		}
	}
}

func TestPairsHaveTheSizesOfTheStandard(t *testing.T) {
	for _, c := range []struct {
		handle       uint32
		size, extent int64
	}{{0x228, 8, 8}, {0x229, 12, 16}, {0x22a, 12, 16}, {0x22b, 8, 8}, {0x22c, 6, 8}, {0x22d, 20, 32}, {0x230,
		8, 8}, {0x231, 16, 16}} {
		if typ := ByHandle(c.handle); typ.Size() != c.size || typ.Extent() != c.extent {
			t.Errorf("%s: size %d, extent %d, want %d, %d", typ.Name(), typ.Size(), typ.Extent(), c.size, c.extent)
		}
	}
}

func TestRawIsBytes(t *testing.T) {
	if b := Raw(4096, 7); b.Type.Name() != "MPI_BYTE" || b.Bytes() != 7 || b.Start() != 4096 || !b.Contiguous() {
		t.Errorf("Raw(4096, 7) = %+v of %s", b, b.Type.Name())
	}
}
