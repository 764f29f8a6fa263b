package stack

import "golang.org/x/sys/unix"

// Numbers of registers in DWARF (DWARF for the Arm 64-bit Architecture, table 1): those of the processor, and
// the stack pointer.
const (
	stackPointer = 31
	highest      = 32
)

// read reads the registers of a stopped thread.
func (r *registers) read(task int) error {
	var p unix.PtraceRegs
	if err := unix.PtraceGetRegs(task, &p); err != nil {
		return err
	}
	r.pc = p.Pc
	copy(r.all[:], p.Regs[:])
	r.all[stackPointer] = p.Sp
	return nil
}
