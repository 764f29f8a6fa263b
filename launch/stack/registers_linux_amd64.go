package stack

import "golang.org/x/sys/unix"

// Numbers of registers in DWARF (System V ABI, AMD64, figure 3.36).
const (
	stackPointer = 7
	returns      = 16
	highest      = 17
)

// read reads the registers of a stopped thread.
func (r *registers) read(task int) error {
	var p unix.PtraceRegs
	if err := unix.PtraceGetRegs(task, &p); err != nil {
		return err
	}
	r.pc = p.Rip
	r.all = [highest]uint64{p.Rax, p.Rdx, p.Rcx, p.Rbx, p.Rsi, p.Rdi, p.Rbp, p.Rsp,
		p.R8, p.R9, p.R10, p.R11, p.R12, p.R13, p.R14, p.R15, returns: p.Rip}
	return nil
}
