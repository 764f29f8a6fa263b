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
