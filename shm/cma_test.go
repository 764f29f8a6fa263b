package shm

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// here is this process, as another one would know it.
func here(kept bool) (p *Process, word *[1]uint64) {
	word = &[1]uint64{0x1234567890abcdef}
	return &Process{Pid: os.Getpid(), Kept: kept, Probe: AddressOf(&word[0]), Value: word[0]}, word
}

func TestProcessRead(t *testing.T) {
	for _, kept := range []bool{true, false} {
		p, word := here(kept)
		from := bytes.Repeat([]byte{1, 2, 3}, 1000)
		to := make([]byte, len(from)+1)
		err := p.Read(Address(to), Address(from), int64(len(from)))
		if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
			t.Skip("single copy is denied here:", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(to[:len(from)], from) || to[len(from)] != 0 {
			t.Error("wrong bytes")
		}
		var pieces []Piece
		for i := 0; i < len(from); i += 10 {
			pieces = append(pieces, Piece{Address(from[i:]), 5})
		}
		clear(to)
		if err := p.ReadPieces(Address(to), pieces); err != nil {
			t.Fatal(err)
		}
		for i := range len(from) / 2 {
			if to[i] != from[i/5*10+i%5] {
				t.Fatalf("byte %d of the pieces is %d", i, to[i])
			}
		}
		if !p.Answers() {
			t.Error("the process does not answer")
		}
		runtime.KeepAlive(word)
	}
}

// Memory that is close modulo 4096 is copied as any other, on processors that are slow there as on those that
// are not.
func TestProcessClose(t *testing.T) {
	p, word := here(true)
	const size = 2*asideSize + 3000
	memory := make([]byte, 2*(size+2*PageSize))
	src := (Address(memory) + PageSize - 1) &^ (PageSize - 1)
	room := (src + size + PageSize) &^ (PageSize - 1)
	for i, b := 0, Bytes(src, size); i < size; i++ {
		b[i] = byte(i * 7 >> 3)
	}
	if err := p.Read(room, src, 1); err != nil {
		t.Skip("single copy is denied here:", err)
	}
	check := func(n int64, behind uintptr, write bool, move func(local, remote uintptr) error) {
		t.Helper()
		dst := room + behind
		clear(Bytes(room, size+PageSize/2))
		local, remote := dst, src
		if write {
			local, remote = src, dst
		}
		err := move(local, remote)
		if err != nil || !bytes.Equal(Bytes(dst, n), Bytes(src, n)) || Bytes(dst+uintptr(n), 1)[0] != 0 {
			t.Errorf("%d bytes, %d behind, write %v: wrong bytes, or %v", n, behind, write, err)
		}
	}
	for _, behind := range []uintptr{0, 1, 16, 31, 32} {
		for _, n := range []int64{LeastAside - 1, LeastAside, asideSize + 1, size} {
			check(n, behind, false, func(local, remote uintptr) error { return p.Read(local, remote, n) })
			check(n, behind, true, func(local, remote uintptr) error { return p.Write(remote, local, n) })
		}
		for _, write := range []bool{false, true} {
			check(asideSize, behind, write, func(local, remote uintptr) error {
				got, err := p.moveAside(local, size, remote, write)
				if got != asideSize {
					t.Errorf("%d bytes are moved aside", got)
				}
				return err
			})
		}
	}
	runtime.KeepAlive(memory)
	runtime.KeepAlive(word)
}

// Memory of this process that is none is an error, as it is for the kernel.
func TestProcessAsideOfNothing(t *testing.T) {
	p, word := here(true)
	data := make([]byte, LeastAside)
	if err := p.Read(Address(data), Address(data), 1); err != nil {
		t.Skip("single copy is denied here:", err)
	}
	for _, write := range []bool{false, true} {
		got, err := p.moveAside(PageSize, LeastAside, Address(data), write)
		if got != 0 || err != unix.EFAULT {
			t.Errorf("write %v: %d bytes, %v", write, got, err)
		}
	}
	runtime.KeepAlive(word)
}

// A process that has got the number of another one is neither read nor written.
func TestProcessOfTheSameNumber(t *testing.T) {
	p, word := here(false)
	data, to := []byte("12345678"), make([]byte, 8)
	if err := p.Read(Address(to), Address(data), 8); errors.Is(err, unix.EPERM) ||
		errors.Is(err, unix.ENOSYS) {
		t.Skip("single copy is denied here:", err)
	}
	word[0]++
	if err := p.Read(Address(to), Address(data), 8); !errors.Is(err, ErrForeign) || !Gone(err) {
		t.Errorf("reading another process: %v", err)
	}
	if p.Answers() {
		t.Error("another process answers")
	}
	p.Probe = 4096 // where it has no memory
	if err := p.Read(Address(to), Address(data), 8); err == nil {
		t.Error("a process without the word is read")
	}
	clear(to)
	if err := p.WritePieces(Address(data), []Piece{{Address(to), 8}}); !errors.Is(err, unix.EPERM) ||
		to[0] == '1' {
		t.Errorf("writing to a process that nobody keeps: %v", err)
	}
}

// An address that is not mapped, and a process that is gone, are errors and nothing else.
func TestProcessReadFails(t *testing.T) {
	to := make([]byte, 8)
	p, word := here(true)
	if p.Read(Address(to), 4096, 8) == nil {
		t.Error("an unmapped address can be read")
	}
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	p.Pid = gone.Process.Pid
	for _, p.Kept = range []bool{true, false} {
		err := p.Read(Address(to), Address(to), 8)
		if errors.Is(err, unix.ENOSYS) {
			t.Skip("no process_vm_readv here, as under qemu")
		}
		if !Gone(err) && !errors.Is(err, unix.EPERM) {
			t.Errorf("a process that is gone: %v", err)
		}
	}
	runtime.KeepAlive(word)
}
