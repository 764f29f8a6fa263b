package op

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gompi/runtime/datatype"
)

// vectors are two arguments of one operation on one type, with as many elements as find all cases of a
// kernel.
type vectors struct {
	op        *Op
	typ       *datatype.Type
	rep       representation
	n         int
	in, inout []byte
}

// head is how reference.c is told what to do.
type head struct {
	Op, Type [16]byte
	N, Bytes int64
}

func drawVectors(r *rand.Rand, o *Op, t *datatype.Type, n int) vectors {
	v := vectors{op: o, typ: t, rep: representations[t.Basic()], n: n}
	size := n * int(t.Extent())
	v.in, v.inout = make([]byte, size), make([]byte, size)
	for i := range n {
		x, y := v.element(v.in, i), v.element(v.inout, i)
		for _, p := range v.rep.parts {
			p.random(r, x)
			p.random(r, y)
		}
		if r.IntN(3) == 0 { // equal values are rare otherwise, and what MPI_MINLOC is about
			p := v.rep.parts[0]
			copy(y[:p.bytes], x[:p.bytes])
		}
	}
	return v
}

func (v vectors) element(b []byte, i int) []byte {
	e := int(v.typ.Extent())
	return b[i*e : (i+1)*e]
}

// TestEveryOperationIsTheCompilers compares every operation on every type with a C program, element by
// element.
func TestEveryOperationIsTheCompilers(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	prog := filepath.Join(t.TempDir(), "reference")
	if out, err := exec.Command(gcc, "-O1", "-fwrapv", "-ffp-contract=off", "-w", "-o", prog, "testdata/reference.c").CombinedOutput(); err != nil {
		t.Skipf("gcc cannot build the reference: %v\n%s", err, out)
	}
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	var cases []vectors
	var stdin bytes.Buffer
	for _, o := range All() {
		for _, typ := range datatype.All() {
			if !o.Collective() || !o.Valid(typ) {
				continue
			}
			for _, n := range []int{1, 2, 3, 5, 8, 700} {
				v := drawVectors(r, o, typ, n)
				if v.rep.name == "" {
					t.Fatalf("%s is valid on %s, which the test does not know", o.Name(), typ.Name())
				}
				h := head{N: int64(n), Bytes: int64(len(v.in))}
				copy(h.Op[:], o.Name())
				copy(h.Type[:], v.rep.name)
				if err := binary.Write(&stdin, binary.LittleEndian, h); err != nil {
					t.Fatal(err)
				}
				stdin.Write(v.in)
				stdin.Write(v.inout)
				cases = append(cases, v)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), prog)
	cmd.Stdin, cmd.Stderr = &stdin, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for _, v := range cases {
		want := out[:len(v.in)]
		out = out[len(v.in):]
		before := bytes.Clone(v.inout)
		v.op.Apply(addressOf(v.in), addressOf(v.inout), int64(v.n), v.typ)
		for i := range v.n {
			got, want := v.element(v.inout, i), v.element(want, i)
			for _, p := range v.rep.parts {
				if p.same(got, want) {
					continue
				}
				if wrong++; wrong < 20 {
					t.Errorf("seed %d: %s on %s: %x op %x = %x, the C compiler says %x", seed,
						v.op.Name(), v.typ.Name(), v.element(v.in, i), v.element(before, i), got, want)
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d wrong of %d cases", wrong, len(cases))
	}
}

// TestVectorsOfAnyAlignment holds every kernel at odd addresses and every length against itself on one
// element at a time at aligned ones, and looks for writes beside the vector.
func TestVectorsOfAnyAlignment(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, o := range All() {
		for _, typ := range datatype.All() {
			if !o.Valid(typ) || representations[typ.Basic()].name == "" {
				continue
			}
			for n := 1; n <= 19; n++ {
				v := drawVectors(r, o, typ, n)
				const margin = 5
				guard := bytes.Repeat([]byte{0xa5}, margin)
				in := bytes.Join([][]byte{guard, v.in, guard}, nil)
				inout := bytes.Join([][]byte{guard[:3], v.inout, guard}, nil)
				want := make([]byte, 0, len(v.in))
				for i := range n {
					x, y := bytes.Clone(v.element(v.in, i)), bytes.Clone(v.element(v.inout, i))
					o.Apply(addressOf(x), addressOf(y), 1, typ)
					want = append(want, y...)
				}
				keep := bytes.Clone(in)
				o.Apply(addressOf(in)+margin, addressOf(inout)+3, int64(n), typ)
				for i := range n {
					got, want := v.element(inout[3:], i), v.element(want, i)
					for _, p := range v.rep.parts {
						if !p.same(got, want) {
							t.Fatalf("%s on %d x %s at an odd address: element %d is %x, want %x", o.Name(), n, typ.Name(), i, got, want)
						}
					}
				}
				if !bytes.Equal(in, keep) || !bytes.Equal(inout[:3], guard[:3]) ||
					!bytes.Equal(inout[3+len(want):], guard) {
					t.Fatalf("%s on %d x %s writes beside its result", o.Name(), n, typ.Name())
				}
			}
		}
	}
}

// TestGapsStayUntouched looks at what lies between the members of a pair.
func TestGapsStayUntouched(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for _, typ := range datatype.All() {
		if typ.Dense() {
			continue
		}
		for _, o := range All() {
			if !o.Valid(typ) {
				continue
			}
			v := drawVectors(r, o, typ, 40)
			data := make([]bool, typ.Extent())
			for _, p := range v.rep.parts {
				for i := range p.bytes {
					data[p.off+i] = true
				}
			}
			for i := range v.inout {
				if !data[i%len(data)] {
					v.in[i], v.inout[i] = 1, 2
				}
			}
			o.Apply(addressOf(v.in), addressOf(v.inout), 40, typ)
			for i := range v.inout {
				if !data[i%len(data)] && v.inout[i] != 2 {
					t.Fatalf("%s on %s wrote byte %d, a gap", o.Name(), typ.Name(), i)
				}
			}
		}
	}
}

func ExampleOp_Valid() {
	sum, float, band := ByHandle(0x21), datatype.ByHandle(0x210), ByHandle(0x28)
	fmt.Println(sum.Valid(float), band.Valid(float))
	// Output: true false
}

// TestOutcomesWithAPlaceOfTheirOwn holds Combine against Apply for all operations and types: it writes the
// outcome, but neither its operands nor what lies between its elements.
func TestOutcomesWithAPlaceOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	user := New("subtract", false, func(v Vectors) {
		a, b := vector[byte](v.In, v.Count*v.Type.Extent()), vector[byte](v.Inout, v.Count*v.Type.Extent())
		for i := range b {
			b[i] = a[i] - b[i]
		}
	})
	for _, o := range append(All(), user) {
		for _, typ := range datatype.All() {
			rep := representations[typ.Basic()]
			if !o.Valid(typ) || rep.name == "" || o == user && !typ.Dense() {
				continue
			}
			for _, n := range []int{1, 2, 7, 33} {
				v := drawVectors(r, o, typ, n)
				a, b, want := bytes.Clone(v.in), bytes.Clone(v.inout), bytes.Clone(v.inout)
				o.Apply(addressOf(a), addressOf(want), int64(n), typ)
				const filling = 0x5a
				out := bytes.Repeat([]byte{filling}, len(b))
				o.Combine(addressOf(out), addressOf(a), addressOf(b), int64(n), typ)
				if !bytes.Equal(a, v.in) || !bytes.Equal(b, v.inout) {
					t.Fatalf("%s on %d x %s: an operand is written", o.Name(), n, typ.Name())
				}
				for i := range n {
					for _, p := range rep.parts {
						if !p.same(v.element(out, i), v.element(want, i)) {
							t.Fatalf("%s on %d x %s: element %d is %x, Apply makes it %x", o.Name(), n, typ.Name(), i, v.element(out, i), v.element(want, i))
						}
						clear(v.element(out, i)[p.off : p.off+p.bytes])
					}
					if gap := bytes.Trim(v.element(out, i), "\x00\x5a"); !typ.Dense() && len(gap) > 0 {
						t.Fatalf("%s on %d x %s: what lies in the gaps is written", o.Name(), n, typ.Name())
					}
				}
				o.Combine(addressOf(b), addressOf(a), addressOf(b), int64(n), typ)
				if !bytes.Equal(b, want) {
					t.Fatalf("%s on %d x %s: the outcome on the second operand is not that of Apply", o.Name(), n, typ.Name())
				}
			}
		}
	}
}
